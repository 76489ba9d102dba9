/* SPDX-License-Identifier: Apache-2.0 */
/* One call to one line: its name, its arguments one by one, its result. What an argument is, the class table and
 * normal_roles.c say; how it is split from the others, the dialect's lexer. */
#include "event/normal.h"

#include <inttypes.h>

#include "base/decimal.h"
#include "base/mem.h"
#include "event/conceal.h"
#include "event/normal_inside.h"

static const char HIDDEN[] = "\"\xe2\x80\xa6\"", DOTS[] = "\xe2\x80\xa6";

enum { MOST_PIDS = 65536, MOST_MADE = 4096, MOST_TEMPORARY = 65536, RESULT_ROOM = 64, LEAST_ADDRESS = 0x10000 };

/* --- names by order */

void cg_normal_names_release(cg_normal_names *names)
{
    for (size_t i = 0; i < CG_NORMAL_KINDS; i++) {
        cg_numbers_release(&names->of[i]);
    }
    cg_numbers_release(&names->mapped);
    cg_mem_free(names->mapping_of);
    *names = (cg_normal_names){ 0 };
}

bool cg_normal_name(cg_normal *normal, cg_normal_kind kind, uint64_t value)
{
    static const char *const prefixes[CG_NORMAL_KINDS] = { "fd", "pid", "tmp", "port" };
    uint32_t id = cg_numbers_add(&normal->names->of[kind], value);
    return id != CG_NUMBERS_NONE && cg_buf_printf(normal->to, "%s%" PRIu32, prefixes[kind], id + 1);
}

bool cg_normal_text(cg_normal *normal, callgauge_str text)
{
    bool good = true;
    for (size_t i = 0; good && i < text.len; i++) {
        char c = text.ptr[i];
        good = c >= ' ' && c <= '~' ? cg_buf_add_char(normal->to, c)
                                    : cg_buf_printf(normal->to, "\\%03o", (unsigned)(unsigned char)c);
    }
    return good;
}

/* A group of processes is written as a negative pid. 0, 1 and -1 are nobody's by chance. */
static bool put_pid(cg_normal *normal, int64_t pid, callgauge_str text)
{
    if (pid >= -1 && pid <= 1) {
        return cg_normal_text(normal, text);
    }
    uint64_t positive = pid < 0 ? 0 - (uint64_t)pid : (uint64_t)pid;
    return (pid > 0 || cg_buf_add_char(normal->to, '-')) && cg_normal_name(normal, CG_NORMAL_PID, positive);
}

bool cg_normal_number(cg_normal *normal, cg_role role, int64_t value, callgauge_str text)
{
    bool is_address = (uint64_t)value >= LEAST_ADDRESS && cg_str_starts(text, "0x");
    switch (role) {
    case CG_ROLE_FD:
        return value > 2 ? cg_normal_name(normal, CG_NORMAL_FD, (uint64_t)value) : cg_normal_text(normal, text);
    case CG_ROLE_PID: return is_address ? cg_normal_address(normal, (uint64_t)value) : put_pid(normal, value, text);
    case CG_ROLE_WAITED:
        return value > 1 && cg_numbers_find(&normal->facts->pids, (uint64_t)value) != CG_NUMBERS_NONE
                   ? put_pid(normal, value, text)
                   : cg_normal_text(normal, text);
    case CG_ROLE_CHANCE: return cg_buf_add_z(normal->to, DOTS);
    case CG_ROLE_ANY: return is_address ? cg_normal_address(normal, (uint64_t)value) : cg_normal_text(normal, text);
    case CG_ROLE_MAPPED: return is_address ? cg_normal_mapped(normal, (uint64_t)value) : cg_normal_text(normal, text);
    case CG_ROLE_PLAIN: break;
    }
    return cg_normal_text(normal, text);
}

/* --- arguments */

/* `name=` in front of an argument (strace -N). */
static size_t name_length(callgauge_str arg)
{
    size_t n = 0;
    while (n < arg.len && cg_is_word(arg.ptr[n])) {
        n++;
    }
    return n > 0 && n < arg.len && arg.ptr[n] == '=' && !cg_is_digit(arg.ptr[0]) ? n + 1 : 0;
}

/* Names are taken off where every argument has one. */
static void split_args(cg_normal *normal)
{
    const callgauge_event *event = normal->event;
    const char *at = event->args.ptr, *end = at + event->args.len;
    bool named = true;
    while (event->lexer != NULL && event->args.len > 0 && normal->arg_count < CG_NORMAL_ARGS &&
           event->lexer->next(&at, end, &normal->args[normal->arg_count])) {
        named = named && name_length(normal->args[normal->arg_count]) > 0;
        normal->arg_count++;
    }
    normal->more_args = normal->arg_count == CG_NORMAL_ARGS && at < end;
    for (size_t i = 0; named && i < normal->arg_count; i++) {
        size_t skip = name_length(normal->args[i]);
        normal->args[i] = cg_str(normal->args[i].ptr + skip, normal->args[i].len - skip);
    }
}

/* Whether the strings of an argument are shown, and not what was read, written or handed to another program. */
static bool shows_strings(const cg_normal *normal, size_t index)
{
    const callgauge_call_name *call = normal->event->call;
    if ((int)index == call->path_arg || (int)index == call->path2_arg) {
        return true;
    }
    bool is_environment = call->call_class == CALLGAUGE_CLASS_EXEC && (int)index == call->path_arg + 2;
    return cg_names_things(call->call_class) && !is_environment;
}

/* A string, as the lexer has cut it from the others: what is between its first quote and its last. */
static bool put_string(cg_normal *normal, callgauge_str arg, bool shown)
{
    size_t last = cg_str_find_last(arg, "\"");
    if (!shown || last == 0) {
        return cg_buf_add_z(normal->to, HIDDEN);
    }
    bool cut = last + 1 < arg.len;
    return cg_buf_add_char(normal->to, '"') && cg_normal_path(normal, cg_str(arg.ptr + 1, last - 1)) &&
           cg_buf_add_char(normal->to, '"') && (!cut || cg_buf_add_z(normal->to, "..."));
}

static bool put_fd(cg_normal *normal, callgauge_str arg, bool *done)
{
    int64_t fd;
    callgauge_str target;
    const char *at = arg.ptr;
    enum { WORKING_DIRECTORY = -100 };
    *done = normal->event->lexer->fd(arg, &fd, &target);
    if (!*done) {
        return true;
    }
    if (fd == WORKING_DIRECTORY) {
        return cg_buf_add_z(normal->to, "AT_FDCWD");
    }
    while (at < arg.ptr + arg.len && (cg_is_digit(*at) || *at == '-')) {
        at++;
    }
    return cg_normal_number(normal, CG_ROLE_FD, fd, cg_str_range(arg.ptr, at));
}

static bool put_argument(cg_normal *normal, size_t index)
{
    callgauge_str arg = normal->args[index];
    cg_role role = cg_normal_role(normal, index);
    bool shown = shows_strings(normal, index);
    bool is_list = arg.len > 0 && arg.ptr[0] == '[';
    if (arg.len > 0 && arg.ptr[0] == '"') {
        return put_string(normal, arg, shown);
    }
    if (is_list && normal->event->call->call_class == CALLGAUGE_CLASS_EXEC && !shown) {
        return cg_buf_add_z(normal->to, "[...]");
    }
    if (role == CG_ROLE_FD && !is_list) {
        bool done, good = put_fd(normal, arg, &done);
        if (done || !good) {
            return good;
        }
    }
    return cg_normal_value(normal, arg, role, shown);
}

/* What is left of a line that is too long. */
static bool shorten(cg_normal *normal, size_t most)
{
    if (normal->to->len <= most) {
        return true;
    }
    while (most > 0 && ((unsigned char)normal->to->data[most] & 0xC0) == 0x80) {
        most--;
    }
    normal->to->len = most;
    return cg_buf_add_z(normal->to, DOTS);
}

static bool put_arguments(cg_normal *normal)
{
    bool good = true;
    for (size_t i = 0; good && i < normal->arg_count && !cg_normal_is_full(normal); i++) {
        good = (i == 0 || cg_buf_add_z(normal->to, ", ")) && put_argument(normal, i);
    }
    return good && (!normal->more_args || cg_buf_add_z(normal->to, ", ...")) &&
           shorten(normal, CG_NORMAL_LINE - RESULT_ROOM * 2);
}

/* --- the result */

/* The number in front of a result, without a decoration. */
static callgauge_str number_of(callgauge_str result)
{
    const char *at = result.ptr;
    int64_t value;
    bool is_hex;
    bool is_number = cg_normal_read(&at, result.ptr + result.len, &value, &is_hex);
    callgauge_str number = is_number ? cg_str_range(result.ptr, at) : result;
    number.len = number.len < RESULT_ROOM ? number.len : RESULT_ROOM;
    return number;
}

static bool put_result(cg_normal *normal)
{
    const callgauge_event *event = normal->event;
    if ((event->flags & CALLGAUGE_CALL_UNRETURNED) != 0) {
        return cg_buf_add_char(normal->to, '?');
    }
    if (event->error != NULL) {
        callgauge_str name = event->error->text;
        name.len = name.len < RESULT_ROOM ? name.len : RESULT_ROOM;
        bool restarts = (event->flags & CALLGAUGE_CALL_RESTART) != 0;
        return cg_buf_add_z(normal->to, restarts ? "? " : "-1 ") && cg_normal_text(normal, name);
    }
    if ((event->has & CALLGAUGE_HAS_VALUE) == 0) {
        return cg_normal_text(normal, number_of(event->result));
    }
    cg_role role = cg_normal_result_role(normal);
    bool good = cg_normal_number(normal, role, event->value, number_of(event->result));
    if (good && (event->has & CALLGAUGE_HAS_VALUE2) != 0) {
        char text[32];
        cg_buf number = { text, 0, sizeof text, sizeof text };
        good = cg_buf_printf(&number, "%" PRId64, event->value2) && cg_buf_add_z(normal->to, " [") &&
               cg_normal_number(normal, role, event->value2, cg_buf_str(&number)) && cg_buf_add_char(normal->to, ']');
    }
    return good;
}

bool cg_normal_call(cg_buf *to, const callgauge_event *event, cg_normal_facts *facts, cg_normal_names *names)
{
    cg_normal normal = { .to = to, .event = event, .facts = facts, .names = names };
    to->len = 0;
    split_args(&normal);
    callgauge_str name = event->call->text;
    return cg_normal_text(&normal, name) && shorten(&normal, CG_NORMAL_LINE / 2) && cg_buf_add_char(to, '(') &&
           put_arguments(&normal) && cg_buf_add_z(to, ") = ") && put_result(&normal);
}

/* --- facts */

void cg_normal_facts_init(cg_normal_facts *facts)
{
    *facts = (cg_normal_facts){ 0 };
    cg_intern_init(&facts->made, MOST_MADE);
    cg_intern_init(&facts->temporary, MOST_TEMPORARY);
}

void cg_normal_facts_release(cg_normal_facts *facts)
{
    cg_numbers_release(&facts->pids);
    cg_intern_release(&facts->made);
    cg_intern_release(&facts->temporary);
}

static bool note_pid(cg_normal_facts *facts, int64_t pid)
{
    return pid <= 1 || facts->pids.count == MOST_PIDS || cg_numbers_add(&facts->pids, (uint64_t)pid) != CG_NUMBERS_NONE;
}

static bool arg_has(const callgauge_event *event, size_t index, const char *text)
{
    callgauge_str arg;
    return callgauge_event_arg(event, index, &arg) && cg_str_find(arg, text) < arg.len;
}

/* Temporary files are made so that nobody else has them: O_EXCL and 0600, directories with 0700 where such ones lie. */
static bool note_made(cg_normal_facts *facts, const callgauge_event *event)
{
    enum { OF_FILES = 0600, OF_DIRECTORIES = 0700 };
    const callgauge_call_name *call = event->call;
    bool is_directory = cg_str_starts(call->text, "mkdir");
    bool opens = call->does == CG_DOES_OPEN;
    if (call->path_arg < 0 || event->error != NULL || (!is_directory && !opens)) {
        return true;
    }
    size_t at = (size_t)call->path_arg;
    int64_t mode;
    callgauge_str path;
    if (!callgauge_event_arg_number(event, at + (is_directory ? 1 : 2), &mode) ||
        mode != (is_directory ? OF_DIRECTORIES : OF_FILES) || (opens && !arg_has(event, at + 1, "O_EXCL")) ||
        !callgauge_event_arg(event, at, &path) || path.len < 2 || path.ptr[0] != '"' || path.ptr[path.len - 1] != '"') {
        return true;
    }
    path = cg_str(path.ptr + 1, path.len - 2);
    return (is_directory && !cg_normal_path_is_temporary(path)) || cg_normal_path_made(facts, path);
}

bool cg_normal_facts_note(cg_normal_facts *facts, const callgauge_event *event)
{
    bool good = (event->has & CALLGAUGE_HAS_PID) == 0 || note_pid(facts, event->pid);
    if (!good || event->kind != CALLGAUGE_EVENT_CALL || event->call == NULL) {
        return good;
    }
    bool spawned = event->call->call_class == CALLGAUGE_CLASS_SPAWN && event->error == NULL &&
                   (event->has & CALLGAUGE_HAS_VALUE) != 0;
    return (!spawned || note_pid(facts, event->value)) && note_made(facts, event);
}
