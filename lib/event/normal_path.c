/* SPDX-License-Identifier: Apache-2.0 */
/* What stands in a name by chance: the pid of a process, the characters that make the name of a temporary file new. It
 * is known by three things: that the file was made as such files are (O_EXCL and mode 0600), that it lies where they
 * lie and looks like it, or that it cannot be anything else. */
#include "base/decimal.h"
#include "event/normal_inside.h"

enum {
    CHANCE_LENGTH = 6,  /* of mkstemp() */
    MKTEMP_LENGTH = 10, /* of mktemp(1) */
    LONG_HEX = 12,
    UUID_LENGTH = 36,
    MOST_EXTENSION = 5
};

/* --- components and pieces */

/* Splits off the component at `*at` and moves behind its slash. */
static callgauge_str next_component(const char **at, const char *end)
{
    const char *from = *at;
    const char *slash = memchr(from, '/', (size_t)(end - from));
    *at = slash == NULL ? end : slash + 1;
    return cg_str_range(from, slash == NULL ? end : slash);
}

static bool names_temporary(callgauge_str component)
{
    static const char *const names[] = { "tmp", "temp", ".tmp", "shm" };
    for (size_t i = 0; i < sizeof names / sizeof *names; i++) {
        if (cg_str_is(component, names[i])) {
            return true;
        }
    }
    return false;
}

static bool is_in_run(callgauge_str path)
{
    return cg_str_starts(path, "/run/") || cg_str_starts(path, "/var/run/");
}

bool cg_normal_path_is_temporary(callgauge_str path)
{
    const char *at = path.ptr, *end = path.ptr + path.len;
    bool found = is_in_run(path);
    while (!found && at < end) {
        callgauge_str component = next_component(&at, end);
        found = at < end && names_temporary(component);
    }
    return found;
}

/* Letters, digits and `_` from `at` on: the alphabets of those who make names. */
static callgauge_str piece_at(const char *at, const char *end)
{
    const char *from = at;
    while (at < end && cg_is_word(*at)) {
        at++;
    }
    return cg_str_range(from, at);
}

/* How many bytes the escape at `at` has, `\303`, `\x1b`, `\n`: they are no part of a piece. 0: none is there. */
static size_t escape_length(const char *at, const char *end)
{
    if (*at != '\\' || end - at < 2) {
        return 0;
    }
    size_t most = at[1] == 'x' || cg_is_digit(at[1]) ? 4 : 2, n = 2;
    while (n < most && at + n < end && cg_is_hex(at[n])) {
        n++;
    }
    return n;
}

/* The length of an extension, `.o`, `.conf`; letters only. 0: there is none. */
static size_t extension_length(callgauge_str component)
{
    size_t n = 0;
    while (n < component.len && (cg_is_lower(component.ptr[component.len - n - 1]))) {
        n++;
    }
    bool has_dot = n < component.len && component.ptr[component.len - n - 1] == '.';
    return n > 0 && n <= MOST_EXTENSION && has_dot && n + 1 < component.len ? n + 1 : 0;
}

/* The last piece before the extension, where what makes a name new stands. */
static callgauge_str last_piece(callgauge_str component)
{
    size_t end = component.len - extension_length(component), from = end;
    while (from > 0 && cg_is_word(component.ptr[from - 1])) {
        from--;
    }
    return cg_str(component.ptr + from, end - from);
}

/* --- what looks like chance */

static bool is_long_hex(callgauge_str piece, size_t least)
{
    size_t digits = 0, lower = 0, upper = 0;
    for (size_t i = 0; i < piece.len; i++) {
        if (!cg_is_hex(piece.ptr[i])) {
            return false;
        }
        digits += cg_is_digit(piece.ptr[i]);
        lower += cg_is_lower(piece.ptr[i]);
        upper += cg_is_upper(piece.ptr[i]);
    }
    return piece.len >= least && digits > 0 && (lower == 0) != (upper == 0);
}

/* How often lower case, upper case and digits follow one another. */
static size_t count_changes(callgauge_str piece)
{
    size_t changes = 0;
    int before = 0;
    for (size_t i = 0; i < piece.len; i++) {
        char c = piece.ptr[i];
        int kind = cg_is_lower(c) ? 1 : cg_is_upper(c) ? 2 : cg_is_digit(c) ? 3 : 0;
        changes += kind != 0 && before != 0 && kind != before;
        before = kind != 0 ? kind : before;
    }
    return changes;
}

static bool has_all_kinds(callgauge_str piece)
{
    bool lower = false, upper = false, digit = false;
    for (size_t i = 0; i < piece.len; i++) {
        lower |= cg_is_lower(piece.ptr[i]);
        upper |= cg_is_upper(piece.ptr[i]);
        digit |= cg_is_digit(piece.ptr[i]);
    }
    return lower && upper && digit;
}

/* Whether a piece as a whole looks like chance. `follows`: something stands before it in the name, as makers of names
 * have it: `state.Ab3dE6`, but not `MyApp2`. */
static bool is_chance(callgauge_str piece, bool temporary, bool follows)
{
    if (is_long_hex(piece, LONG_HEX)) {
        return true;
    }
    if (temporary) {
        return piece.len >= CHANCE_LENGTH && count_changes(piece) >= 2;
    }
    return follows && (piece.len == CHANCE_LENGTH || piece.len == MKTEMP_LENGTH) && has_all_kinds(piece);
}

static bool is_uuid(callgauge_str text)
{
    if (text.len < UUID_LENGTH) {
        return false;
    }
    for (size_t i = 0; i < UUID_LENGTH; i++) {
        bool dash = i == 8 || i == 13 || i == 18 || i == 23;
        if (dash ? text.ptr[i] != '-' : !cg_is_hex(text.ptr[i])) {
            return false;
        }
    }
    return text.len == UUID_LENGTH || !cg_is_word(text.ptr[UUID_LENGTH]);
}

/* --- facts */

bool cg_normal_path_made(cg_normal_facts *facts, callgauge_str path)
{
    size_t slash = cg_str_find_last(path, "/");
    callgauge_str name = slash == path.len ? path : cg_str(path.ptr + slash + 1, path.len - slash - 1);
    bool noted = last_piece(name).len >= CHANCE_LENGTH;
    return !noted || cg_intern_add(&facts->made, name) != CG_INTERN_NOMEM;
}

/* --- writing */

static bool put_chance(cg_normal *normal, callgauge_str piece)
{
    int64_t id = cg_intern_add(&normal->facts->temporary, piece);
    if (id == CG_INTERN_FULL) {
        return cg_normal_text(normal, cg_str_z("tmp"));
    }
    return id >= 0 && cg_normal_name(normal, CG_NORMAL_TEMPORARY, (uint64_t)id);
}

/* Whether digits are the number of a process that was seen. Short ones are so only where files of processes lie. */
static bool is_pid(const cg_normal *normal, callgauge_str digits, bool temporary, int64_t *pid)
{
    const char *at = digits.ptr;
    enum { SHORT = 4 };
    return (temporary || digits.len >= SHORT) && cg_read_i64(&at, at + digits.len, pid) && *pid > 1 &&
           cg_numbers_find(&normal->facts->pids, (uint64_t)*pid) != CG_NUMBERS_NONE;
}

/* A piece that is not chance as a whole; pids in it are, and many digits where temporary files lie. */
static bool put_piece(cg_normal *normal, callgauge_str piece, bool temporary)
{
    const char *at = piece.ptr, *end = piece.ptr + piece.len;
    bool good = true;
    while (good && at < end) {
        const char *from = at;
        int64_t pid;
        bool is_digits = cg_is_digit(*at);
        while (at < end && cg_is_digit(*at) == is_digits) {
            at++;
        }
        callgauge_str part = cg_str_range(from, at);
        if (is_digits && is_pid(normal, part, temporary, &pid)) {
            good = cg_normal_number(normal, CG_ROLE_PID, pid, part);
        } else {
            bool chance = is_digits && temporary && part.len >= CHANCE_LENGTH;
            good = chance ? put_chance(normal, part) : cg_normal_text(normal, part);
        }
    }
    return good;
}

/* `made`: the piece that is chance because the file was made as a temporary one; len 0: none. */
static bool put_component(cg_normal *normal, callgauge_str component, callgauge_str made, bool temporary)
{
    const char *at = component.ptr, *end = component.ptr + component.len;
    bool good = true;
    while (good && at < end) {
        callgauge_str piece = piece_at(at, end);
        size_t escape = escape_length(at, end);
        if (piece.len == 0) {
            piece = cg_str(at, escape > 0 ? escape : 1);
            good = cg_normal_text(normal, piece);
        } else if (is_uuid(cg_str_range(at, end))) {
            piece.len = UUID_LENGTH;
            good = put_chance(normal, piece);
        } else if ((made.len > 0 && made.ptr == at) || is_chance(piece, temporary, at > component.ptr)) {
            good = put_chance(normal, piece);
        } else {
            good = put_piece(normal, piece, temporary);
        }
        at += piece.len;
    }
    return good;
}

static bool all_digits(callgauge_str text)
{
    size_t n = 0;
    while (n < text.len && cg_is_digit(text.ptr[n])) {
        n++;
    }
    return text.len > 0 && n == text.len;
}

/* Numbers in /proc: of processes and threads, and of descriptors. CG_ROLE_ANY: neither. */
static cg_role role_in_proc(callgauge_str component, callgauge_str before)
{
    if (!all_digits(component)) {
        return CG_ROLE_ANY;
    }
    if (cg_str_is(before, "fd") || cg_str_is(before, "fdinfo")) {
        return CG_ROLE_FD;
    }
    return cg_str_is(before, "proc") || cg_str_is(before, "task") ? CG_ROLE_PID : CG_ROLE_ANY;
}

bool cg_normal_path(cg_normal *normal, callgauge_str path)
{
    const char *at = path.ptr, *end = path.ptr + path.len;
    bool relative = path.len > 0 && path.ptr[0] != '/';
    bool in_proc = cg_str_starts(path, "/proc/") || cg_str_starts(path, "/dev/fd/");
    bool temporary = is_in_run(path), good = true;
    callgauge_str before = { NULL, 0 };
    while (good && at < end) {
        const char *from = at;
        callgauge_str component = next_component(&at, end);
        int64_t number = 0;
        const char *digits = component.ptr;
        cg_role role = in_proc ? role_in_proc(component, before) : CG_ROLE_ANY;
        if (role != CG_ROLE_ANY && cg_read_i64(&digits, component.ptr + component.len, &number)) {
            good = cg_normal_number(normal, role, number, component);
        } else {
            bool made = (temporary || relative || is_chance(last_piece(component), true, true)) &&
                        cg_intern_find(&normal->facts->made, component) >= 0;
            good = put_component(normal, component, made ? last_piece(component) : cg_str(NULL, 0), temporary);
        }
        good = good && (from + component.len == end || cg_buf_add_char(normal->to, '/'));
        temporary |= names_temporary(component);
        before = component;
    }
    return good;
}
