/* SPDX-License-Identifier: Apache-2.0 */
/* `ls -l /proc/PID/fd` of Linux to rows: links whose names are the descriptors, whatever columns of owner, size and
 * time stand before them. Several directories have a heading each, /proc/PID/fd:, one alone has none.
 * Names may be quoted (-Q, a terminal), escaped (-b), coloured or classified (-F); a target that is quoted is known by
 * its first character, because a raw one begins with a slash or a word. */
#include "base/buf.h"
#include "base/error.h"
#include "base/str.h"
#include "state/listing_form.h"

enum { MODE = 10 };

typedef struct ls {
    cg_listing_build *build;
    bool begun;      /* lines of a directory have been seen since the last heading */
    bool classified; /* -F: targets may have a mark at their ends */
    size_t words;    /* of a row before its name; 0: not known yet */
    cg_buf text;     /* a target without its quotes */
} ls;

/* --- escapes of terminals */

/* How long the colour at `at` is: ESC [ 01;36 m, ESC [ K; 0: there is none. */
static size_t colour_at(const char *at, const char *end)
{
    const char *p = at;
    if (end - p < 3 || p[0] != '\033' || p[1] != '[') {
        return 0;
    }
    for (p += 2; p < end && (cg_is_digit(*p) || *p == ';'); p++) {
    }
    return p < end && (*p == 'm' || *p == 'K') ? (size_t)(p + 1 - at) : 0;
}

/* Without colours at both ends. */
static callgauge_str uncoloured(callgauge_str text)
{
    size_t colour;
    while ((colour = colour_at(text.ptr, text.ptr + text.len)) > 0) {
        text = cg_str(text.ptr + colour, text.len - colour);
    }
    for (size_t i = text.len; i-- > 0 && text.len - i <= 12;) {
        if (text.ptr[i] == '\033' && colour_at(text.ptr + i, text.ptr + text.len) == text.len - i) {
            text.len = i;
        }
    }
    return text;
}

/* --- quotes */

/* The byte of an escape behind a backslash, as C has them. False: it is none. */
static bool read_escape(const char **at, const char *end, char *out)
{
    static const char letters[] = "abfnrtv\\\"' ?", bytes[] = "\a\b\f\n\r\t\v\\\"' ?";
    if (*at >= end) {
        return false;
    }
    const char *letter = memchr(letters, **at, sizeof letters - 1);
    if (letter != NULL) {
        *out = bytes[letter - letters];
        (*at)++;
        return true;
    }
    unsigned value = 0, digits = 0;
    for (; *at < end && digits < 3 && **at >= '0' && **at <= '7'; (*at)++, digits++) {
        value = value * 8 + (unsigned)(**at - '0');
    }
    *out = (char)(unsigned char)value;
    return digits == 3 && value <= 255 && value != 0;
}

/* One character of a text in which a backslash escapes. */
static bool read_char(const char **at, const char *end, char *out)
{
    if (**at != '\\') {
        *out = *(*at)++;
        return true;
    }
    (*at)++;
    return read_escape(at, end, out);
}

typedef enum quoted { QUOTED_WELL, QUOTED_BADLY, QUOTED_NOMEM } quoted;

/* From behind an opening quote to behind the closing one; `escapes`: a backslash is one. */
static quoted read_quoted(const char **at, const char *end, char quote, bool escapes, cg_buf *to)
{
    while (*at < end && **at != quote) {
        char c = **at;
        if (!escapes) {
            (*at)++;
        } else if (!read_char(at, end, &c)) {
            return QUOTED_BADLY;
        }
        if (!cg_buf_add_char(to, c)) {
            return QUOTED_NOMEM;
        }
    }
    if (*at == end) {
        return QUOTED_BADLY;
    }
    (*at)++;
    return QUOTED_WELL;
}

/* `"a\nb"`, `'a'`, `'a'$'\n''b'`, `'a'\''b'`, one behind the other. `*at` stops at what is no quoted piece. */
static quoted read_quotes(const char **at, const char *end, cg_buf *to)
{
    quoted done = QUOTED_WELL;
    while (done == QUOTED_WELL && *at < end) {
        if (**at == '"' || **at == '\'') {
            char quote = *(*at)++;
            done = read_quoted(at, end, quote, quote == '"', to);
        } else if (end - *at >= 2 && (*at)[0] == '$' && (*at)[1] == '\'') {
            *at += 2;
            done = read_quoted(at, end, '\'', true, to);
        } else if (end - *at >= 2 && (*at)[0] == '\\' && (*at)[1] == '\'') {
            *at += 2;
            done = cg_buf_add_char(to, '\'') ? QUOTED_WELL : QUOTED_NOMEM;
        } else {
            break;
        }
    }
    return done;
}

/* Whether `ls -b` can have written it: every backslash escapes, and blanks have one. */
static bool is_escaped(callgauge_str text)
{
    const char *at = text.ptr, *end = at + text.len;
    bool any = false;
    while (at < end) {
        char c;
        bool escape = *at == '\\';
        any |= escape;
        if ((!escape && cg_is_blank(*at)) || !read_char(&at, end, &c)) {
            return false;
        }
    }
    return any;
}

/* A file of that very name is taken as `ls -b`'s, if it reads so; `-b` leaves " (deleted)" with one backslash. */
static quoted unescape(callgauge_str text, cg_buf *to)
{
    const char *at = text.ptr, *end = at + text.len;
    while (at < end) {
        char c;
        if (!read_char(&at, end, &c)) {
            return QUOTED_BADLY;
        }
        if (!cg_buf_add_char(to, c)) {
            return QUOTED_NOMEM;
        }
    }
    return QUOTED_WELL;
}

/* A target as it is in the file system. `rest`: what stands behind a quoted one. */
static quoted plain_text(ls *in, callgauge_str text, callgauge_str *out, callgauge_str *rest)
{
    const char *at = text.ptr, *end = at + text.len;
    quoted done = QUOTED_WELL;
    in->text.len = 0;
    *rest = cg_str(end, 0);
    if (text.len > 0 && (text.ptr[0] == '"' || text.ptr[0] == '\'')) {
        done = read_quotes(&at, end, &in->text);
        *rest = cg_str_range(at, end);
        *out = cg_buf_str(&in->text);
    } else if (memchr(text.ptr, '\\', text.len) != NULL && is_escaped(text)) {
        done = unescape(text, &in->text);
        *out = cg_buf_str(&in->text);
    } else {
        *out = text;
    }
    return done;
}

/* --- what a descriptor stands for */

/* `socket:[4711]`, `net:[4026531840]`: a word, and something in brackets to the end. */
static bool is_bracketed(callgauge_str target)
{
    size_t i = 0;
    while (i < target.len && (cg_is_word(target.ptr[i]) || target.ptr[i] == '-')) {
        i++;
    }
    return i > 0 && target.len - i >= 4 && target.ptr[i] == ':' && target.ptr[i + 1] == '[' && cg_str_ends(target, "]");
}

static void classify(callgauge_str target, cg_listed *row)
{
    static const struct {
        const char *start;
        callgauge_file_kind kind;
    } known[] = { { "socket:[", CALLGAUGE_FILE_SOCKET },
                  { "pipe:[", CALLGAUGE_FILE_PIPE },
                  { "anon_inode:", CALLGAUGE_FILE_ANON },
                  { "/memfd:", CALLGAUGE_FILE_ANON } };
    row->deleted = cg_listing_cut_deleted(&target);
    row->path = target;
    for (size_t i = 0; i < sizeof known / sizeof *known; i++) {
        if (cg_str_starts(target, known[i].start)) {
            row->kind = known[i].kind;
            row->deleted = false; /* every memfd is said to be */
            return;
        }
    }
    if (cg_str_starts(target, "/")) {
        row->kind = cg_listing_kind_of_path(target);
    } else {
        row->kind = is_bracketed(target) ? CALLGAUGE_FILE_ANON : CALLGAUGE_FILE_UNKNOWN;
    }
}

/* Takes the mark of -F off; a slash says that it is a directory. */
static bool cut_mark(callgauge_str *target, bool classified)
{
    if (target->len < 2) {
        return false;
    }
    char last = target->ptr[target->len - 1];
    bool mark = last == '/' || (classified && memchr("*=|>@", last, 5) != NULL);
    target->len -= mark;
    return mark && last == '/';
}

static callgauge_status read_target(ls *in, callgauge_str target, cg_listed *row)
{
    callgauge_str text, rest;
    target = uncoloured(target);
    switch (plain_text(in, target, &text, &rest)) {
    case QUOTED_NOMEM: return cg_fail_nomem(in->build->err);
    case QUOTED_BADLY: return cg_listing_fail(in->build, target.ptr, "a quoted name that has no end");
    case QUOTED_WELL: break;
    }
    bool is_dir = false;
    if (rest.len > 0) {
        is_dir = cg_str_is(rest, "/");
        if (rest.len > 1 || memchr("/*=|>@", rest.ptr[0], 6) == NULL) {
            return cg_listing_fail(in->build, rest.ptr, "text behind a quoted name");
        }
    } else {
        is_dir = cut_mark(&text, in->classified);
        text = uncoloured(text);
    }
    if (text.len == 0) {
        return cg_listing_fail(in->build, target.ptr, "a link that leads nowhere");
    }
    classify(text, row);
    row->kind = is_dir ? CALLGAUGE_FILE_DIR : row->kind;
    return CALLGAUGE_OK;
}

/* --- lines */

/* `lrwx------`, and a mark of other rights behind it. */
static bool is_mode(callgauge_str word)
{
    static const char *const chars[MODE] = {
        "-dlcbpsDCMnP", "-r", "-w", "-xsS", "-r", "-w", "-xsS", "-r", "-w", "-xtT"
    };
    for (size_t i = 0; i < MODE; i++) {
        if (i >= word.len || strchr(chars[i], word.ptr[i]) == NULL) {
            return false;
        }
    }
    return word.len == MODE || (word.len == MODE + 1 && memchr(".+@", word.ptr[MODE], 3) != NULL);
}

/* The mode of a row and what is behind it; inode and blocks (-i, -s) may be before it. */
static bool find_mode(callgauge_str line, callgauge_str *mode, callgauge_str *rest)
{
    *rest = line;
    for (size_t i = 0; i < 3 && cg_listing_word(rest, mode); i++) {
        if (is_mode(*mode)) {
            return true;
        }
        if (!cg_is_digit(mode->ptr[0])) {
            return false;
        }
    }
    return false;
}

static callgauge_str unquoted(callgauge_str word)
{
    char first = word.len >= 2 ? word.ptr[0] : ' ';
    bool both = (first == '"' || first == '\'') && word.ptr[word.len - 1] == first;
    return both ? cg_str(word.ptr + 1, word.len - 2) : word;
}

/* `/proc/1481/fd`, `/proc/self/fd/`, `/proc/1481/task/1482/fd`, `1481/fd` and, for a name in it, what is behind. */
static bool read_directory(callgauge_str text, int64_t *pid, bool *task, callgauge_str *name)
{
    static const char proc[] = "/proc/", self[] = "self";
    text = cg_str_starts(text, "./") ? cg_str(text.ptr + 2, text.len - 2) : text;
    bool absolute = cg_str_starts(text, proc);
    const char *at = text.ptr + (absolute ? sizeof proc - 1 : 0), *end = text.ptr + text.len;
    callgauge_str rest = cg_str_range(at, end);
    int64_t thread;
    if (absolute && cg_str_starts(rest, self)) {
        *pid = INT64_MIN;
        at += sizeof self - 1;
    } else if (!cg_listing_number(&at, end, pid)) {
        return false;
    }
    rest = cg_str_range(at, end);
    *task = cg_str_starts(rest, "/task/");
    if (*task) {
        at += strlen("/task/");
        if (!cg_listing_number(&at, end, &thread)) {
            return false;
        }
        rest = cg_str_range(at, end);
    }
    if (!cg_str_starts(rest, "/fd") || (rest.len > 3 && rest.ptr[3] != '/')) {
        return false;
    }
    *name = rest.len > 4 ? cg_str(rest.ptr + 4, rest.len - 4) : cg_str(end, 0);
    return true;
}

/* `/proc/1481/fd:` */
static bool is_heading(callgauge_str text, int64_t *pid, bool *task)
{
    callgauge_str name;
    if (!cg_str_ends(text, ":")) {
        return false;
    }
    callgauge_str path = unquoted(uncoloured(cg_str(text.ptr, text.len - 1)));
    return read_directory(path, pid, task, &name) && name.len == 0;
}

/* `total 0` in whatever language. */
static bool is_total(callgauge_str text)
{
    callgauge_str word;
    return cg_listing_word(&text, &word) && !cg_is_digit(word.ptr[0]) && cg_listing_word(&text, &word) &&
           cg_is_digit(word.ptr[0]) && cg_str_trim(text).len == 0;
}

/* Without heading: one directory alone. */
static callgauge_status begin_unnamed(ls *in)
{
    if (in->begun) {
        return CALLGAUGE_OK;
    }
    in->begun = true;
    return cg_listing_process_begins(in->build, INT64_MIN, false);
}

/* The descriptor that a row is of. `ls -l /proc/PID/fd/` + `*` names the process in each row. */
static callgauge_status read_name(ls *in, callgauge_str word, int64_t *fd)
{
    callgauge_str text = unquoted(uncoloured(word)), name;
    int64_t pid;
    bool task;
    bool named = read_directory(text, &pid, &task, &name);
    const char *at = named ? name.ptr : text.ptr, *end = text.ptr + text.len;
    if (!cg_listing_number(&at, end, fd) || at != end) {
        return cg_listing_fail(in->build, word.ptr, "a name that is no descriptor");
    }
    if (!named) {
        return begin_unnamed(in);
    }
    in->begun = true;
    return cg_listing_process_begins(in->build, pid, true);
}

/* The words between mode and target: how many, and the last one. */
static size_t count_words(callgauge_str text, callgauge_str *last)
{
    size_t count = 0;
    while (cg_listing_word(&text, last)) {
        count++;
    }
    return count;
}

/* A link without a target that ends where the name of another would: it may be cut. */
static bool may_be_cut(const ls *in, size_t words)
{
    return !in->build->line.ended || (in->words != 0 && in->words != words);
}

static callgauge_status read_link(ls *in, callgauge_str text)
{
    static const char arrow[] = " -> ";
    size_t at = cg_str_find(text, arrow);
    callgauge_str name = cg_str(text.ptr, 0);
    size_t words = count_words(cg_str(text.ptr, at), &name);
    int64_t fd;
    if (words < 3) {
        return cg_listing_fail(in->build, text.ptr, "a row with too few columns");
    }
    callgauge_status status = read_name(in, name, &fd);
    if (status != CALLGAUGE_OK) {
        return status;
    }
    cg_listed row = cg_listing_blank(fd);
    if (at == text.len && may_be_cut(in, words)) {
        return cg_listing_fail(in->build, name.ptr, "a row that is cut: there is no `->`");
    }
    if (at < text.len) {
        status = read_target(in, cg_str(text.ptr + at + sizeof arrow - 1, text.len - at - (sizeof arrow - 1)), &row);
    }
    in->words = words;
    return status == CALLGAUGE_OK ? cg_listing_add(in->build, &row, &in->build->line) : status;
}

static callgauge_status read_row(ls *in, callgauge_str mode, callgauge_str rest)
{
    callgauge_str last = rest;
    if (mode.ptr[0] == 'l') {
        return read_link(in, rest);
    }
    count_words(rest, &last);
    last = unquoted(uncoloured(last));
    if (mode.ptr[0] == 'd' &&
        (cg_str_is(last, ".") || cg_str_is(last, "..") || cg_str_is(last, "./") || cg_str_is(last, "../"))) {
        return begin_unnamed(in);
    }
    return cg_listing_fail(in->build, mode.ptr, "no link: descriptors are links under /proc/PID/fd");
}

/* `$ ls -l /proc/1481/fd` says which process it is, when it names one. */
static callgauge_status read_command(ls *in, callgauge_str line)
{
    callgauge_str word, name;
    int64_t pid = INT64_MIN, one;
    bool task;
    size_t count = 0;
    while (cg_listing_word(&line, &word)) {
        if (read_directory(word, &one, &task, &name) && name.len == 0) {
            pid = one;
            count++;
        }
    }
    in->begun = count == 1;
    return in->begun ? cg_listing_process_begins(in->build, pid, false) : CALLGAUGE_OK;
}

static callgauge_status read_line(ls *in, callgauge_str line)
{
    callgauge_str mode, rest, text = cg_str_trim(line);
    int64_t pid;
    bool task;
    if (text.len == 0) {
        return CALLGAUGE_OK;
    }
    if (find_mode(line, &mode, &rest)) {
        return read_row(in, mode, rest);
    }
    if (is_heading(text, &pid, &task)) {
        in->begun = true;
        in->words = 0;
        return cg_listing_process_begins(in->build, pid, task);
    }
    if (is_total(text)) {
        return begin_unnamed(in);
    }
    if (cg_listing_is_talk(text, "ls")) {
        return cg_str_starts(text, "ls: ") ? CALLGAUGE_OK : read_command(in, text);
    }
    return cg_listing_fail(in->build, text.ptr, "a line that is not of `ls -l /proc/PID/fd`");
}

/* Whether a target ends with a slash: only -F and -p write such. */
static bool is_classified(const cg_listing_build *build)
{
    cg_listing_build lines = { .left = build->left, .from = build->from };
    while (cg_listing_next(&lines)) {
        callgauge_str text = lines.line.text;
        if (cg_str_ends(text, "/") && !cg_str_ends(text, " /") && cg_str_find(text, " -> ") < text.len) {
            return true;
        }
    }
    return false;
}

static callgauge_status read(cg_listing_build *build)
{
    ls in = { .build = build, .classified = is_classified(build) };
    callgauge_status status = CALLGAUGE_OK;
    cg_buf_init(&in.text, SIZE_MAX);
    while (status == CALLGAUGE_OK && cg_listing_next(build)) {
        status = read_line(&in, build->line.text);
    }
    cg_buf_release(&in.text);
    return status;
}

static bool bid(callgauge_str line)
{
    callgauge_str mode, rest;
    int64_t pid;
    bool task;
    return (find_mode(line, &mode, &rest) && mode.ptr[0] == 'l') || is_heading(cg_str_trim(line), &pid, &task);
}

const cg_listing_form cg_listing_ls = { "ls -l /proc/PID/fd", bid, read };
