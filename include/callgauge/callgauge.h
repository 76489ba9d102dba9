/* SPDX-License-Identifier: Apache-2.0 */
/**
 * @file callgauge.h
 * The whole of callgauge: reads what truss and strace print and says what a program asks of its kernel.
 */
#ifndef CALLGAUGE_H
#define CALLGAUGE_H

#include <callgauge/analysis.h>
#include <callgauge/budget.h>
#include <callgauge/compare.h>
#include <callgauge/event.h>
#include <callgauge/filter.h>
#include <callgauge/reader.h>
#include <callgauge/report.h>
#include <callgauge/rules.h>
#include <callgauge/types.h>
#include <callgauge/version.h>
#include <callgauge/write.h>

#endif
