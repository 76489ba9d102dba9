/* SPDX-License-Identifier: Apache-2.0 */
/**
 * @file version.h
 * Which callgauge this is.
 */
#ifndef CALLGAUGE_VERSION_H
#define CALLGAUGE_VERSION_H

#include <callgauge/types.h>

#define CALLGAUGE_VERSION_MAJOR 0
#define CALLGAUGE_VERSION_MINOR 1
#define CALLGAUGE_VERSION_PATCH 0
#define CALLGAUGE_VERSION "0.1.0"

#ifdef __cplusplus
extern "C" {
#endif

/** Gives the version of the library that runs, for example "0.1.0". A constant. Threads: any. */
CALLGAUGE_EXPORT const char *callgauge_version(void);

/**
 * Names a part that the library was built with: "libarchive 3.6.2", "jansson 2.14".
 *
 * @return NULL past the last one; else a constant.
 * Threads: any.
 */
CALLGAUGE_EXPORT const char *callgauge_feature(size_t index);

#ifdef __cplusplus
}
#endif
#endif
