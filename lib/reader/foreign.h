/* SPDX-License-Identifier: Apache-2.0 */
/* Output of other tools that looks like a trace: recognised to be refused by name. */
#ifndef CG_READER_FOREIGN_H
#define CG_READER_FOREIGN_H

#include <callgauge/types.h>

/* The tool that alone prints such a line, or NULL. */
const char *cg_foreign_tool(callgauge_str line);

#endif
