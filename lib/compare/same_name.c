/* SPDX-License-Identifier: Apache-2.0 */
/* Names that stay the same from run to run. Nothing is guessed outside of known places: a digit in a path stays, unless
 * it is a pid of the report, or the path is one of /proc or of a directory for temporary files. */
#include "compare/same_name.h"

#include <inttypes.h>

#include "base/buf.h"
#include "base/decimal.h"
#include "base/str.h"

enum {
    RANDOM_LEAST = 6,      /* mkstemp() fills at least six characters */
    EPHEMERAL_PORT = 32768 /* ports from here on are given out by Linux and Solaris */
};

static bool is_alnum(char c)
{
    return cg_is_digit(c) || cg_is_upper(c) || cg_is_lower(c);
}

/* How many characters from `at` on are letters and digits; in a random name (of Python's tempfile) `_` is one of
 * them. */
static size_t run_at(callgauge_str text, size_t at, bool with_underscore)
{
    size_t len = 0;
    while (at + len < text.len && (is_alnum(text.ptr[at + len]) || (with_underscore && text.ptr[at + len] == '_'))) {
        len++;
    }
    return len;
}

static bool all_digits(callgauge_str text)
{
    for (size_t i = 0; i < text.len; i++) {
        if (!cg_is_digit(text.ptr[i])) {
            return false;
        }
    }
    return text.len > 0;
}

static bool is_pid(const callgauge_report *report, callgauge_str digits)
{
    const char *at = digits.ptr;
    int64_t pid;
    if (digits.len < 3 || !cg_read_i64(&at, digits.ptr + digits.len, &pid)) { /* small numbers are seldom pids */
        return false;
    }
    size_t low = 0, high = report->process_count;
    while (low < high) {
        size_t middle = low + (high - low) / 2;
        if (report->processes[middle].pid < pid) {
            low = middle + 1;
        } else {
            high = middle;
        }
    }
    return low < report->process_count && report->processes[low].pid == pid;
}

/* Letters and digits, or a capital inside, as random names have them and words seldom. */
static bool looks_random(callgauge_str run)
{
    bool letter = false, lower = false, digit = false, inner_capital = false;
    for (size_t i = 0; i < run.len; i++) {
        bool upper = cg_is_upper(run.ptr[i]);
        letter = letter || !cg_is_digit(run.ptr[i]);
        lower = lower || cg_is_lower(run.ptr[i]);
        digit = digit || cg_is_digit(run.ptr[i]);
        inner_capital = inner_capital || (upper && i > 0);
    }
    return run.len >= RANDOM_LEAST && ((digit && letter) || (lower && inner_capital));
}

/* Where names are temporary, and numbers are of the system. */
typedef struct place {
    bool is_temporary, is_proc;
} place;

static place place_of(callgauge_str path)
{
    static const char *const temporary[] = { "/tmp/", "/var/tmp/", "/dev/shm/", "/run/user/" };
    place out = { .is_proc = cg_str_starts(path, "/proc/") };
    for (size_t i = 0; i < sizeof temporary / sizeof *temporary; i++) {
        out.is_temporary = out.is_temporary || cg_str_starts(path, temporary[i]);
    }
    return out;
}

/* What stands for a run of letters and digits of a path; NULL: itself. `before` and `behind` are next to it. */
static const char *stand_in(const callgauge_report *report, place where, callgauge_str run, char before, char behind)
{
    bool number = all_digits(run);
    if (number && before == '[' && behind == ']') {
        return "N"; /* pipe:[4711] */
    }
    if (number && where.is_proc && before == '/' && (behind == '/' || behind == '\0')) {
        return "N";
    }
    if (number && is_pid(report, run)) {
        return "PID";
    }
    if (where.is_temporary && number) {
        return "N";
    }
    return where.is_temporary && looks_random(run) ? "XXXXXX" : NULL;
}

static bool add_same(const callgauge_report *report, callgauge_str path, cg_buf *to, bool *changed)
{
    place where = place_of(path);
    bool ok = true;
    for (size_t i = 0; ok && i < path.len;) {
        size_t len = run_at(path, i, where.is_temporary);
        if (len == 0) {
            ok = cg_buf_add_char(to, path.ptr[i++]);
            continue;
        }
        char before = '\0', behind = '\0';
        before = i > 0 ? path.ptr[i - 1] : before;
        behind = i + len < path.len ? path.ptr[i + len] : behind;
        const char *other = stand_in(report, where, cg_str(path.ptr + i, len), before, behind);
        ok = other != NULL ? cg_buf_add_z(to, other) : cg_buf_add(to, path.ptr + i, len);
        *changed = *changed || other != NULL;
        i += len;
    }
    return ok;
}

bool cg_same_path(const callgauge_report *report, callgauge_str path, cg_arena *arena, callgauge_str *out)
{
    cg_buf text;
    bool changed = false;
    cg_buf_init(&text, SIZE_MAX);
    bool ok = add_same(report, path, &text, &changed);
    *out = path;
    ok = ok && (!changed || cg_arena_str(arena, cg_buf_str(&text), out));
    cg_buf_release(&text);
    return ok;
}

/* --- sockets */

static bool is_given_out(int32_t port)
{
    return port < 0 || port >= EPHEMERAL_PORT;
}

callgauge_str cg_same_port(callgauge_str digits)
{
    const char *at = digits.ptr;
    int64_t port;
    bool is_number = cg_read_i64(&at, digits.ptr + digits.len, &port) && at == digits.ptr + digits.len;
    return is_number && port >= EPHEMERAL_PORT ? cg_str_z("N") : digits;
}

static bool add_address(cg_buf *to, callgauge_str address, int32_t port)
{
    if (is_given_out(port)) {
        return cg_buf_add_str(to, address);
    }
    bool brackets = memchr(address.ptr, ':', address.len) != NULL;
    return cg_buf_add_z(to, brackets ? "[" : "") && cg_buf_add_str(to, address) &&
           cg_buf_add_z(to, brackets ? "]" : "") && cg_buf_printf(to, ":%" PRId32, port);
}

/* "127.0.0.1:8080 <-> 127.0.0.1", "127.0.0.53:53": ports that the system gave out are left away. */
static bool same_socket(const callgauge_file_row *row, cg_arena *arena, callgauge_str *out)
{
    cg_buf text;
    cg_buf_init(&text, SIZE_MAX);
    bool serves = row->local.len > 0 && (row->peer.len == 0 || !is_given_out(row->local_port));
    bool ok = !serves || add_address(&text, row->local, row->local_port);
    ok = ok && (!serves || row->peer.len == 0 || cg_buf_add_z(&text, " <-> "));
    ok = ok && (row->peer.len == 0 || add_address(&text, row->peer, row->peer_port));
    ok = ok && cg_arena_str(arena, cg_buf_str(&text), out);
    cg_buf_release(&text);
    return ok;
}

static bool same_number(const callgauge_file_row *row, cg_arena *arena, callgauge_str *out)
{
    cg_buf text;
    cg_buf_init(&text, SIZE_MAX);
    bool ok = cg_buf_printf(&text, "fd %" PRId64 ", opened before the capture", row->fd) &&
              cg_arena_str(arena, cg_buf_str(&text), out);
    cg_buf_release(&text);
    return ok;
}

bool cg_same_file(const callgauge_report *report, const callgauge_file_row *row, cg_arena *arena, callgauge_str *out)
{
    if (row->peer.len > 0 || row->local.len > 0) {
        return same_socket(row, arena, out);
    }
    if (row->path.len == 0 && row->opened_before && row->fd != CALLGAUGE_UNKNOWN) {
        return same_number(row, arena, out);
    }
    if (row->path.len == 0 || row->number > 0 || cg_str_starts(row->path, "pipe:[")) {
        *out = cg_str_z(callgauge_file_kind_text(row->kind));
        return true;
    }
    return cg_same_path(report, row->path, arena, out);
}
