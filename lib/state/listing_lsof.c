/* SPDX-License-Identifier: Apache-2.0 */
/* lsof to rows: a heading, COMMAND PID ... FD TYPE DEVICE SIZE/OFF NODE NAME, and a line for each open file. Cells may
 * be blank, so a word belongs to the heading that it stands under; where blanks were lost, as many words as headings
 * are taken in order if each of them can be what its heading says. NAME goes to the end of the line.
 * Only rows whose FD is a number are descriptors; cwd, txt, mem and others are not. */
#include "base/buf.h"
#include "base/decimal.h"
#include "base/error.h"
#include "base/str.h"
#include "state/listing_form.h"

enum { COLUMNS = 24 };

enum column { PID, FD, TYPE, DEVICE, SIZE, NODE, NAME, OTHER, KINDS_OF_COLUMN = OTHER };

static const struct heading {
    const char *text;
    enum column what;
} headings[] = {
    { "PID", PID },       { "FD", FD },       { "TYPE", TYPE },     { "DEVICE", DEVICE },
    { "SIZE/OFF", SIZE }, { "OFFSET", SIZE }, { "SIZE", SIZE },     { "NODE", NODE },
    { "INODE", NODE },    { "NAME", NAME },   { "COMMAND", OTHER },
};

typedef struct place {
    enum column what;
    size_t from, to;
} place;

typedef struct lsof {
    cg_listing_build *build;
    place columns[COLUMNS];
    size_t count; /* 0: before the heading; the last one is NAME */
    bool places;  /* the heading's columns stand apart: it has kept its blanks */
    cg_buf text;  /* a name without its escapes */
} lsof;

typedef struct cells {
    callgauge_str of[KINDS_OF_COLUMN]; /* len 0: blank */
} cells;

/* --- the heading */

static enum column what_column(callgauge_str word)
{
    for (size_t i = 0; i < sizeof headings / sizeof *headings; i++) {
        if (cg_str_is(word, headings[i].text)) {
            return headings[i].what;
        }
    }
    return OTHER;
}

/* The columns of a heading; 0: it is none. */
static size_t read_heading(callgauge_str line, place *columns)
{
    unsigned seen = 0;
    size_t count = 0;
    callgauge_str rest = line, word;
    while (cg_listing_word(&rest, &word)) {
        if (count == COLUMNS || (count == 0 && !cg_str_is(word, "COMMAND"))) {
            return 0;
        }
        enum column what = what_column(word);
        if (what != OTHER && (seen >> what & 1) != 0) {
            return 0;
        }
        size_t from = (size_t)(word.ptr - line.ptr);
        columns[count++] = (place){ what, from, from + word.len };
        seen |= 1U << what;
    }
    unsigned needed = 1U << PID | 1U << FD | 1U << TYPE | 1U << NAME;
    return (seen & needed) == needed && columns[count - 1].what == NAME ? count : 0;
}

static bool begin_table(lsof *in, callgauge_str line)
{
    place columns[COLUMNS];
    size_t count = read_heading(line, columns);
    if (count == 0) {
        return false;
    }
    memcpy(in->columns, columns, sizeof columns);
    in->count = count;
    in->places = false;
    for (size_t i = 1; i < count; i++) {
        in->places |= columns[i].from > columns[i - 1].to + 1;
    }
    return true;
}

/* --- cells */

static bool all_digits(callgauge_str text)
{
    for (size_t i = 0; i < text.len; i++) {
        if (!cg_is_digit(text.ptr[i])) {
            return false;
        }
    }
    return text.len > 0;
}

/* `254,0`, `0x00000000700efbc9`, `971360` */
static bool is_device(callgauge_str text)
{
    for (size_t i = 0; i < text.len; i++) {
        if (!cg_is_hex(text.ptr[i]) && memchr(",x-", text.ptr[i], 3) == NULL) {
            return false;
        }
    }
    return text.len > 0;
}

/* `4096`, `0t3` and `0x3` */
static bool is_size(callgauge_str text)
{
    return text.len > 0 && cg_is_digit(text.ptr[0]) && (all_digits(text) || is_device(text) || text.ptr[1] == 't');
}

static bool is_node(callgauge_str text)
{
    bool upper = text.len > 0;
    for (size_t i = 0; i < text.len; i++) {
        upper = upper && (cg_is_upper(text.ptr[i]) || cg_is_digit(text.ptr[i]));
    }
    return upper || is_device(text);
}

/* `3u`, `10uW`, `4r`, `0`: the number, what it is open for, a lock. */
static bool read_fd(callgauge_str cell, int64_t *fd)
{
    const char *at = cell.ptr, *end = at + cell.len;
    if (!cg_listing_number(&at, end, fd)) {
        return false;
    }
    if (at < end && memchr("ruw-", *at, 4) != NULL) {
        at++;
    }
    if (at < end && memchr("NrRwWuUxX", *at, 9) != NULL) {
        at++;
    }
    return at == end;
}

/* `cwd`, `txt`, `mem`, `L03`, ... */
static bool is_no_descriptor(callgauge_str cell)
{
    static const char *const names[] = { "cwd", "rtd", "txt", "mem", "mmap", "DEL", "ltx",  "pd",  "jld",
                                         "err", "tr",  "v86", "m86", "twd",  "fp.", "ctty", "NOFD" };
    for (size_t i = 0; i < sizeof names / sizeof *names; i++) {
        if (cg_str_starts(cell, names[i]) && cell.len <= strlen(names[i]) + 2) {
            return true;
        }
    }
    return cell.len >= 2 && memchr("LM", cell.ptr[0], 2) != NULL && all_digits(cg_str(cell.ptr + 1, cell.len - 1));
}

static bool is_fd(callgauge_str cell)
{
    int64_t fd;
    return is_no_descriptor(cell) || read_fd(cell, &fd);
}

/* Whether a row's cells can be what their headings say. `all`: none is blank. Where lsof could not look, FD is NOFD and
 * there is no type. */
static bool are_likely(const lsof *in, const cells *row, bool all)
{
    static bool (*const tests[KINDS_OF_COLUMN])(
        callgauge_str) = { [PID] = all_digits, [FD] = is_fd, [DEVICE] = is_device, [SIZE] = is_size, [NODE] = is_node };
    for (size_t i = 0; i < in->count; i++) {
        enum column what = in->columns[i].what;
        bool needed = what == PID || what == FD || (what == TYPE && !cg_str_is(row->of[FD], "NOFD")) ||
                      (all && what != OTHER && what != NAME);
        if (what == OTHER || (row->of[what].len == 0 && !needed)) {
            continue;
        }
        if (row->of[what].len == 0 || (tests[what] != NULL && !tests[what](row->of[what]))) {
            return false;
        }
    }
    return true;
}

static void blank_cells(callgauge_str line, cells *row)
{
    for (size_t i = 0; i < KINDS_OF_COLUMN; i++) {
        row->of[i] = cg_str(line.ptr, 0);
    }
}

/* Each word under the heading that it touches. False: one touches none or two, or two touch one. */
static bool cells_by_place(const lsof *in, callgauge_str line, cells *row)
{
    size_t next = 0, last = in->count - 1, name = in->columns[last].from;
    callgauge_str rest = line.len > name ? cg_str(line.ptr, name) : line, word;
    if (line.len > name && name > 0 && !cg_is_blank(line.ptr[name - 1])) {
        return false;
    }
    blank_cells(line, row);
    while (cg_listing_word(&rest, &word)) {
        size_t from = (size_t)(word.ptr - line.ptr), to = from + word.len;
        while (next < last && in->columns[next].to <= from) {
            next++;
        }
        if (next == last || in->columns[next].from >= to || (next + 1 < last && in->columns[next + 1].from < to)) {
            return false;
        }
        if (in->columns[next].what != OTHER) {
            row->of[in->columns[next].what] = word;
        }
        next++;
    }
    if (line.len > name) {
        row->of[NAME] = cg_str(line.ptr + name, line.len - name);
    }
    return are_likely(in, row, false);
}

static bool cells_by_count(const lsof *in, callgauge_str line, cells *row)
{
    callgauge_str rest = line, word;
    blank_cells(line, row);
    for (size_t i = 0; i + 1 < in->count; i++) {
        if (!cg_listing_word(&rest, &word)) {
            return false;
        }
        if (in->columns[i].what != OTHER) {
            row->of[in->columns[i].what] = word;
        }
    }
    row->of[NAME] = cg_str_trim(rest);
    return are_likely(in, row, true);
}

/* --- names */

/* The byte of an escape as lsof writes it: \n, \\, \xHH of what cannot be printed. Others are the name's own. */
static bool read_escape(const char **at, const char *end, char *out)
{
    static const char letters[] = "bfnrt\\", bytes[] = "\b\f\n\r\t\\";
    if (end - *at < 2) {
        return false;
    }
    const char *letter = memchr(letters, (*at)[1], sizeof letters - 1);
    if (letter != NULL) {
        *out = bytes[letter - letters];
        *at += 2;
        return true;
    }
    unsigned value = 0;
    if (end - *at < 4 || (*at)[1] != 'x') {
        return false;
    }
    for (size_t i = 2; i < 4; i++) {
        char c = (*at)[i];
        if (!cg_is_hex(c)) {
            return false;
        }
        value = value * 16 + (unsigned)(cg_is_digit(c) ? c - '0' : (c | 0x20) - 'a' + 10);
    }
    if (value == 0 || (value >= 0x20 && value < 0x7f)) {
        return false;
    }
    *out = (char)(unsigned char)value;
    *at += 4;
    return true;
}

static bool unescape(lsof *in, callgauge_str *text)
{
    if (text->len == 0 || memchr(text->ptr, '\\', text->len) == NULL) {
        return true;
    }
    const char *at = text->ptr, *end = at + text->len;
    in->text.len = 0;
    while (at < end) {
        char c;
        if (*at != '\\' || !read_escape(&at, end, &c)) {
            c = *at++;
        }
        if (!cg_buf_add_char(&in->text, c)) {
            return false;
        }
    }
    *text = cg_buf_str(&in->text);
    return true;
}

/* A part in parentheses at the end, behind a blank, taken off: ` (LISTEN)`, ` (server:/export)`. */
static bool cut_note(callgauge_str *text, callgauge_str *note)
{
    size_t at = cg_str_ends(*text, ")") ? cg_str_find_last(*text, " (") : text->len;
    if (at == text->len) {
        return false;
    }
    *note = cg_str(text->ptr + at + 2, text->len - at - 3);
    text->len = at;
    return true;
}

/* `12890,python3,22w`: the other end of a pipe or a socket, which -E adds. */
static bool is_endpoint(callgauge_str word)
{
    const char *at = word.ptr, *end = at + word.len;
    int64_t number;
    if (!cg_listing_number(&at, end, &number) || at == end || *at != ',') {
        return false;
    }
    const char *last = end;
    while (last > at && last[-1] != ',') {
        last--;
    }
    return last > at + 1 && read_fd(cg_str_range(last, end), &number);
}

static void cut_endpoints(callgauge_str *text)
{
    for (;;) {
        size_t at = text->len;
        while (at > 0 && !cg_is_blank(text->ptr[at - 1])) {
            at--;
        }
        if (at == 0 || !is_endpoint(cg_str(text->ptr + at, text->len - at))) {
            return;
        }
        *text = cg_str_trim(cg_str(text->ptr, at));
    }
}

/* --- what a descriptor stands for */

static const struct type {
    const char *name;
    callgauge_file_kind kind;
} types[] = {
    { "REG", CALLGAUGE_FILE_FILE },    { "VREG", CALLGAUGE_FILE_FILE },      { "DIR", CALLGAUGE_FILE_DIR },
    { "VDIR", CALLGAUGE_FILE_DIR },    { "CHR", CALLGAUGE_FILE_DEVICE },     { "VCHR", CALLGAUGE_FILE_DEVICE },
    { "BLK", CALLGAUGE_FILE_DEVICE },  { "VBLK", CALLGAUGE_FILE_DEVICE },    { "FIFO", CALLGAUGE_FILE_PIPE },
    { "VFIFO", CALLGAUGE_FILE_PIPE },  { "PIPE", CALLGAUGE_FILE_PIPE },      { "IPv4", CALLGAUGE_FILE_SOCKET },
    { "IPv6", CALLGAUGE_FILE_SOCKET }, { "inet", CALLGAUGE_FILE_SOCKET },    { "unix", CALLGAUGE_FILE_SOCKET },
    { "sock", CALLGAUGE_FILE_SOCKET }, { "netlink", CALLGAUGE_FILE_SOCKET }, { "pack", CALLGAUGE_FILE_SOCKET },
    { "raw", CALLGAUGE_FILE_SOCKET },  { "raw6", CALLGAUGE_FILE_SOCKET },    { "rte", CALLGAUGE_FILE_SOCKET },
    { "key", CALLGAUGE_FILE_SOCKET },  { "ndrv", CALLGAUGE_FILE_SOCKET },    { "systm", CALLGAUGE_FILE_SOCKET },
    { "STSO", CALLGAUGE_FILE_SOCKET }, { "a_inode", CALLGAUGE_FILE_ANON },   { "KQUEUE", CALLGAUGE_FILE_ANON },
    { "PSXSEM", CALLGAUGE_FILE_ANON }, { "PSXSHM", CALLGAUGE_FILE_ANON },    { "DOOR", CALLGAUGE_FILE_ANON },
    { "PORT", CALLGAUGE_FILE_ANON },   { "EVENTFD", CALLGAUGE_FILE_ANON },   { "NPOLICY", CALLGAUGE_FILE_ANON },
    { "CHAN", CALLGAUGE_FILE_ANON },   { "FSEVENTS", CALLGAUGE_FILE_ANON },
};

static callgauge_file_kind kind_of(callgauge_str type)
{
    for (size_t i = 0; i < sizeof types / sizeof *types; i++) {
        if (cg_str_is(type, types[i].name)) {
            return types[i].kind;
        }
    }
    return CALLGAUGE_FILE_UNKNOWN;
}

/* "word:[number]", as /proc/PID/fd has it. False: no memory. */
static bool numbered(lsof *in, const char *word, callgauge_str number, callgauge_str *out)
{
    if (!all_digits(number)) {
        return true;
    }
    in->text.len = 0;
    bool ok = cg_buf_add_z(&in->text, word) && cg_buf_add_str(&in->text, number) && cg_buf_add_char(&in->text, ']');
    *out = ok ? cg_buf_str(&in->text) : *out;
    return ok;
}

/* `[::1]:53`, `127.0.0.1:33708`, `host:http`, `*:80`. */
static bool read_endpoint(callgauge_str text, bool six, callgauge_str *address, int32_t *port)
{
    size_t colon = cg_str_find_last(text, ":");
    if (colon == text.len) {
        return false;
    }
    callgauge_str host = cg_str(text.ptr, colon);
    if (host.len >= 2 && host.ptr[0] == '[' && host.ptr[host.len - 1] == ']') {
        host = cg_str(host.ptr + 1, host.len - 2);
    }
    *port = cg_listing_port(cg_str(text.ptr + colon + 1, text.len - colon - 1));
    *address = cg_str_is(host, "*") ? cg_str_z(six ? "::" : "0.0.0.0") : cg_listing_address(host);
    return true;
}

/* `127.0.0.1:33708->127.0.0.1:53453 (ESTABLISHED)`; some versions have `TCP ` in front. What is of no such form, as
 * "no PCB", leaves the ends unknown. */
static void read_inet(callgauge_str name, bool six, cg_listed *row)
{
    callgauge_str word;
    if (!cg_listing_word(&name, &word)) {
        return;
    }
    if ((cg_str_is(word, "TCP") || cg_str_is(word, "UDP")) && !cg_listing_word(&name, &word)) {
        return;
    }
    size_t arrow = cg_str_find(word, "->");
    callgauge_str local = cg_str(word.ptr, arrow);
    if (read_endpoint(local, six, &row->local, &row->local_port) && arrow < word.len) {
        read_endpoint(cg_str(word.ptr + arrow + 2, word.len - arrow - 2), six, &row->peer, &row->peer_port);
    }
}

/* `/run/x.sock type=STREAM (LISTEN)`, `@abstract type=DGRAM`, `type=STREAM ->INO=971371 12890,a,24u (CONNECTED)`. */
static bool read_unix(lsof *in, callgauge_str name, callgauge_str node, cg_listed *row)
{
    callgauge_str note, path = name;
    if (cut_note(&path, &note)) {
        path = cg_str_trim(path);
    }
    cut_endpoints(&path);
    size_t inode = cg_str_find_last(path, "->INO=");
    path = cg_str_trim(cg_str(path.ptr, inode));
    size_t type = cg_str_starts(path, "type=") ? 0 : cg_str_find_last(path, " type=");
    path.len = type;
    if (path.len == 0 || cg_str_is(path, "socket") || cg_str_starts(path, "->")) {
        return numbered(in, "socket:[", node, &row->path);
    }
    row->path = path;
    return unescape(in, &row->path);
}

/* `[eventpoll]`, `[eventfd:12]`, `inotify`: as the link of the descriptor has it, where numbers are not. */
static bool read_anon(lsof *in, callgauge_str name, cg_listed *row)
{
    cut_endpoints(&name);
    bool brackets = cg_str_starts(name, "[") && cg_str_ends(name, "]");
    size_t colon = brackets ? cg_str_find(name, ":") : name.len;
    in->text.len = 0;
    bool ok = cg_buf_add_z(&in->text, "anon_inode:") && cg_buf_add(&in->text, name.ptr, colon) &&
              (colon == name.len || cg_buf_add_char(&in->text, ']'));
    row->path = ok && name.len > 0 ? cg_buf_str(&in->text) : row->path;
    return ok;
}

/* A path, behind which lsof may say more in parentheses: that it is deleted, what it is mounted from, why it knows
 * nothing. Of a file without a name it has only the file system and its device: no path. */
static bool read_path(lsof *in, callgauge_str name, cg_listed *row)
{
    callgauge_str note, path = name;
    row->deleted = cg_listing_cut_deleted(&path);
    if (row->kind == CALLGAUGE_FILE_DEVICE || row->kind == CALLGAUGE_FILE_TTY || row->kind == CALLGAUGE_FILE_PIPE) {
        cut_endpoints(&path);
        path.len = cg_str_find(path, " ->/dev/");
    }
    callgauge_str whole = path;
    if (!row->deleted && cut_note(&path, &note)) {
        if (cg_str_starts(note, "/dev/") || cg_str_starts(note, "readlink:") || cg_str_starts(note, "stat:") ||
            cg_str_starts(note, "lstat:") || cg_str_starts(note, "opendir:")) {
            return true;
        }
        if (cg_str_find(note, ":/") == note.len && !cg_str_starts(note, "inode=")) {
            path = whole; /* the parentheses are the file's own */
        }
    }
    if (!cg_str_starts(path, "/")) {
        return true;
    }
    if (cg_str_starts(path, "/memfd:")) {
        row->kind = CALLGAUGE_FILE_ANON;
        row->deleted = false; /* every memfd is said to be */
    }
    row->path = path;
    return unescape(in, &row->path);
}

static bool read_name(lsof *in, const cells *row, cg_listed *out)
{
    callgauge_str name = cg_str_trim(row->of[NAME]), type = row->of[TYPE];
    if (cg_str_is(type, "IPv4") || cg_str_is(type, "IPv6") || cg_str_is(type, "inet")) {
        read_inet(name, cg_str_is(type, "IPv6"), out);
        return true;
    }
    if (cg_str_is(type, "unix")) {
        return read_unix(in, name, row->of[NODE], out);
    }
    if (out->kind == CALLGAUGE_FILE_SOCKET) {
        return numbered(in, "socket:[", row->of[NODE], &out->path);
    }
    if (cg_str_is(type, "a_inode")) {
        return read_anon(in, name, out);
    }
    if (out->kind == CALLGAUGE_FILE_PIPE && (cg_str_is(name, "pipe") || cg_str_starts(name, "pipe "))) {
        return numbered(in, "pipe:[", row->of[NODE], &out->path);
    }
    return read_path(in, name, out);
}

/* `0t1234`, `0x4d2`; a number alone is a size. */
static int64_t offset_of(callgauge_str cell)
{
    const char *at = cell.ptr, *end = at + cell.len;
    uint64_t value;
    if (cg_str_starts(cell, "0t")) {
        at += 2;
        return cg_read_u64(&at, end, &value) && at == end && value <= INT64_MAX ? (int64_t)value : INT64_MIN;
    }
    return cg_read_hex(&at, end, &value) && at == end && value <= INT64_MAX ? (int64_t)value : INT64_MIN;
}

/* --- rows */

static callgauge_status add_row(lsof *in, const cells *row, int64_t fd)
{
    cg_listed made = cg_listing_blank(fd);
    made.kind = kind_of(row->of[TYPE]);
    made.offset = offset_of(row->of[SIZE]);
    if (!read_name(in, row, &made)) {
        return cg_fail_nomem(in->build->err);
    }
    if (made.kind == CALLGAUGE_FILE_DEVICE && made.path.len > 0 && !cg_str_is(row->of[TYPE], "BLK")) {
        made.kind = cg_listing_kind_of_device(made.path);
    }
    return cg_listing_add(in->build, &made, &in->build->line);
}

static callgauge_status read_row(lsof *in, callgauge_str line)
{
    cells row;
    int64_t pid, fd;
    bool ok = (in->places && cells_by_place(in, line, &row)) || cells_by_count(in, line, &row);
    if (!ok) {
        return cg_listing_fail(in->build, cg_str_trim(line).ptr, "a row whose cells do not fit the heading of lsof");
    }
    const char *at = row.of[PID].ptr, *end = at + row.of[PID].len;
    if (!cg_listing_number(&at, end, &pid) || at != end) {
        return cg_listing_fail(in->build, row.of[PID].ptr, "a number of a process that is too large");
    }
    if (cg_str_is(row.of[FD], "NOFD")) {
        return CALLGAUGE_OK; /* lsof could not look: it is not listed */
    }
    callgauge_status status = cg_listing_process_begins(in->build, pid, true);
    if (status != CALLGAUGE_OK || !read_fd(row.of[FD], &fd)) {
        return status;
    }
    return add_row(in, &row, fd);
}

/* What lsof says of itself. */
static bool is_talk(callgauge_str text)
{
    return cg_listing_is_talk(text, "lsof") || cg_str_is(text, "Output information may be incomplete.") ||
           cg_str_starts(text, "assuming \"dev=");
}

static callgauge_status read_line(lsof *in, callgauge_str line)
{
    callgauge_str text = cg_str_trim(line);
    if (text.len == 0 || begin_table(in, line) || is_talk(text)) {
        return CALLGAUGE_OK;
    }
    if (in->count == 0) {
        return cg_listing_fail(in->build, text.ptr, "a line before the heading of lsof");
    }
    return read_row(in, line);
}

static callgauge_status read(cg_listing_build *build)
{
    lsof in = { .build = build };
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
    place columns[COLUMNS];
    return read_heading(line, columns) > 0;
}

const cg_listing_form cg_listing_lsof = { "lsof -p", bid, read };
