/* SPDX-License-Identifier: Apache-2.0 */
/* Output of other tools, told by forms that neither strace nor Solaris truss prints. */
#include "reader/foreign.h"

#include "base/decimal.h"
#include "base/str.h"

static bool contains(callgauge_str line, const char *text)
{
    return cg_str_find(line, text) < line.len;
}

/* "[pid 5110] E openat(...)", "[pid 5110] X openat(...) = 0x3 (11.2us)" */
static bool is_uroot(callgauge_str line)
{
    size_t close = cg_str_find(line, "] ");
    if (!cg_str_starts(line, "[pid ") || close + 5 >= line.len) {
        return false;
    }
    const char *p = line.ptr + close + 2;
    return (p[0] == 'E' || p[0] == 'X') && p[1] == ' ' && cg_is_lower(p[2]);
}

/* "read(3,"C",1)  = 1 (0x1)", "... ERR#2 'No such file or directory'" */
static bool is_freebsd_truss(callgauge_str line)
{
    size_t equals = cg_str_find_last(line, " = ");
    size_t error = cg_str_find(line, " ERR#");
    if (error < line.len) {
        return error + 5 < line.len && cg_is_digit(line.ptr[error + 5]) && contains(line, ") ") &&
               cg_str_ends(line, "'");
    }
    if (equals == line.len || !cg_str_ends(line, ")") || !contains(line, "(")) {
        return false;
    }
    const char *at = line.ptr + equals + 3, *end = line.ptr + line.len;
    int64_t value;
    return cg_read_i64(&at, end, &value) && cg_str_starts(cg_str_range(at, end), " (0x");
}

/* "execve(...)  argc: 1", "kread(0, ...) = 1", "*** process killed ***" */
static bool is_aix_truss(callgauge_str line)
{
    return contains(line, ") argc: ") || contains(line, ")  argc: ") || contains(line, "\targc: ") ||
           contains(line, "*** process killed ***") || cg_str_starts(line, "kread(") ||
           cg_str_starts(line, "kwrite(") || cg_str_starts(line, "kioctl(") || cg_str_starts(line, "kfork(");
}

/* "PID/LWP    SYSCALL(args) = return", "SYSCALL(args)           = return" */
static bool is_dtruss(callgauge_str line)
{
    return contains(line, "SYSCALL(args)") && contains(line, "= return");
}

/* "5698 brk(NULL) = 0x1", "... = -1 errno=2 (No such file or directory)" */
static bool is_qemu(callgauge_str line)
{
    return contains(line, " = -1 errno=");
}

/* "   0.012 ( 0.004 ms): cat/1234 read(fd: 3, ..." */
static bool is_perf_trace(callgauge_str line)
{
    return contains(line, " ms): ") && contains(line, "(");
}

/* "app     -> libc.so.1:printf(...)" */
static bool is_apptrace(callgauge_str line)
{
    size_t arrow = cg_str_find(line, "-> lib");
    return arrow < line.len && contains(line, ".so.") && contains(line, "(");
}

/* "   0: S_IFCHR mode:0620 dev:544,0 ino:459678", "  Current rlimit: 256 file descriptors" */
static bool is_pfiles(callgauge_str line)
{
    return (contains(line, ": S_IF") && contains(line, " mode:0")) || cg_str_starts(line, "  Current rlimit: ");
}

const char *cg_foreign_tool(callgauge_str line)
{
    static const struct tool {
        const char *name;
        bool (*is)(callgauge_str line);
    } tools[] = {
        { "u-root's strace", is_uroot }, { "FreeBSD truss", is_freebsd_truss },
        { "AIX truss", is_aix_truss },   { "dtruss", is_dtruss },
        { "QEMU's -strace", is_qemu },   { "perf trace", is_perf_trace },
        { "apptrace", is_apptrace },     { "pfiles", is_pfiles },
    };
    for (size_t i = 0; i < sizeof tools / sizeof *tools; i++) {
        if (tools[i].is(line)) {
            return tools[i].name;
        }
    }
    return NULL;
}
