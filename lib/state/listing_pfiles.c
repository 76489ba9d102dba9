/* SPDX-License-Identifier: Apache-2.0 */
/* pfiles of Solaris and illumos to rows: `PID:` and the command, the limit, then for each descriptor a line with its
 * type and some with flags, options, addresses and the path. Pages that show such listings lose the blanks in front of
 * lines, so a line is known by its own words alone.
 * Invariant: a row is handed over when all of its lines were read. */
#include "base/decimal.h"
#include "base/error.h"
#include "base/str.h"
#include "state/listing_form.h"

typedef struct pfiles {
    cg_listing_build *build;
    bool open; /* `row` is being read */
    cg_listed row;
    cg_listing_line place;
    callgauge_str local_path, peer_path; /* addresses of a Unix socket */
} pfiles;

static const struct type {
    const char *name;
    callgauge_file_kind kind;
} types[] = {
    { "S_IFREG", CALLGAUGE_FILE_FILE },    { "S_IFDIR", CALLGAUGE_FILE_DIR },   { "S_IFCHR", CALLGAUGE_FILE_DEVICE },
    { "S_IFBLK", CALLGAUGE_FILE_DEVICE },  { "S_IFIFO", CALLGAUGE_FILE_PIPE },  { "S_IFSOCK", CALLGAUGE_FILE_SOCKET },
    { "S_IFDOOR", CALLGAUGE_FILE_ANON },   { "S_IFPORT", CALLGAUGE_FILE_ANON }, { "S_IFLNK", CALLGAUGE_FILE_FILE },
    { "S_IFNAM", CALLGAUGE_FILE_UNKNOWN },
};

/* --- the line of a descriptor */

/* `S_IFREG`, or `0x7000` for a type without name. */
static bool read_type(callgauge_str word, callgauge_file_kind *kind)
{
    for (size_t i = 0; i < sizeof types / sizeof *types; i++) {
        if (cg_str_is(word, types[i].name)) {
            *kind = types[i].kind;
            return true;
        }
    }
    const char *at = word.ptr, *end = at + word.len;
    uint64_t number;
    *kind = CALLGAUGE_FILE_UNKNOWN;
    return cg_read_hex(&at, end, &number) && at == end;
}

/* `10: S_IFREG mode:...` up to the mode, which `rest` then is. */
static bool is_row(callgauge_str text, int64_t *fd, callgauge_file_kind *kind, callgauge_str *rest)
{
    const char *at = text.ptr, *end = at + text.len;
    callgauge_str word;
    if (!cg_listing_number(&at, end, fd) || at == end || *at != ':') {
        return false;
    }
    *rest = cg_str_range(at + 1, end);
    if (!cg_listing_word(rest, &word) || !read_type(word, kind)) {
        return false;
    }
    *rest = cg_str_trim(*rest);
    return cg_str_starts(*rest, "mode:0");
}

/* `dev:544,0`, `ino:459678`, `size:0`, ... */
static bool is_attribute(callgauge_str word)
{
    static const char *const names[] = { "mode:", "dev:", "ino:", "uid:", "gid:", "size:", "rdev:" };
    for (size_t i = 0; i < sizeof names / sizeof *names; i++) {
        size_t len = strlen(names[i]);
        if (cg_str_starts(word, names[i]) && word.len > len) {
            for (size_t k = len; k < word.len; k++) {
                if (!cg_is_hex(word.ptr[k]) && memchr(",-x", word.ptr[k], 3) == NULL) {
                    return false;
                }
            }
            return true;
        }
    }
    return false;
}

/* --- processes */

/* `1481:` and a command; `core 'FILE' of 1481:` and a command. A type behind the number is a descriptor's line with
 * something wrong; without anything it may be one that is cut. */
static bool is_process(callgauge_str text, bool ended, int64_t *pid)
{
    static const char of[] = "' of ";
    if (cg_str_starts(text, "core '")) {
        size_t at = cg_str_find_last(text, of);
        if (at == text.len) {
            return false;
        }
        text = cg_str(text.ptr + at + sizeof of - 1, text.len - at - (sizeof of - 1));
    }
    const char *at = text.ptr, *end = at + text.len;
    if (!cg_listing_number(&at, end, pid) || at == end || *at != ':') {
        return false;
    }
    callgauge_str command = cg_str_range(at + 1, end), word;
    callgauge_file_kind kind;
    if (!cg_listing_word(&command, &word)) {
        return ended;
    }
    return cg_is_blank(at[1]) && !cg_str_starts(word, "S_") && !read_type(word, &kind);
}

/* --- the lines below */

/* `O_RDWR|O_NONBLOCK FD_CLOEXEC  door to nscd[134]` */
static bool is_flags(callgauge_str text)
{
    callgauge_str word;
    if (!cg_str_starts(text, "O_") || !cg_listing_word(&text, &word)) {
        return false;
    }
    for (size_t i = 0; i < word.len; i++) {
        if (!cg_is_word(word.ptr[i]) && word.ptr[i] != '|') {
            return false;
        }
    }
    while (cg_listing_word(&text, &word)) {
        if (cg_str_is(word, "door")) {
            return cg_str_starts(cg_str_trim(text), "to ");
        }
        if (!cg_str_starts(word, "FD_")) {
            return false;
        }
    }
    return true;
}

/* `SO_REUSEADDR,SO_SNDBUF(49152),IP_NEXTHOP(0.192.0.0)`, `SOCK_STREAM` */
static bool is_options(callgauge_str text)
{
    static const char *const starts[] = { "SOCK_", "SO_", "IP_", "IPV6_", "TCP_", "UDP_", "SCTP_" };
    for (size_t i = 0; i < sizeof starts / sizeof *starts; i++) {
        if (cg_str_starts(text, starts[i])) {
            return memchr(text.ptr, ' ', text.len) == NULL;
        }
    }
    return false;
}

/* Lines that say nothing of what the descriptor stands for. */
static bool is_aside(callgauge_str text)
{
    static const char *const starts[] = { "advisory read lock set by ",
                                          "advisory write lock set by ",
                                          "mandatory read lock set by ",
                                          "mandatory write lock set by ",
                                          "advisory lock set by ",
                                          "mandatory lock set by ",
                                          "peer: ",
                                          "filters: ",
                                          "congestion control: " };
    for (size_t i = 0; i < sizeof starts / sizeof *starts; i++) {
        if (cg_str_starts(text, starts[i])) {
            return true;
        }
    }
    return is_flags(text) || is_options(text);
}

/* `192.168.0.1  port: 80` */
static bool read_inet(callgauge_str text, callgauge_str *address, int32_t *port)
{
    callgauge_str word;
    if (!cg_listing_word(&text, address) || !cg_listing_word(&text, &word) || !cg_str_is(word, "port:") ||
        !cg_listing_word(&text, &word) || cg_str_trim(text).len > 0) {
        return false;
    }
    *port = cg_listing_port(word);
    *address = cg_listing_address(*address);
    return *port >= 0;
}

/* Behind `sockname:` or `peername:`. */
static callgauge_status read_address(pfiles *in, callgauge_str text, bool peer)
{
    callgauge_str family, address;
    int32_t port;
    const char *at = text.ptr;
    if (in->row.kind != CALLGAUGE_FILE_SOCKET) {
        return cg_listing_fail(in->build, at, "an address of what is no socket");
    }
    if (!cg_listing_word(&text, &family) || !cg_str_starts(family, "AF_")) {
        return cg_listing_fail(in->build, at, "an address without its family, AF_...");
    }
    if (cg_str_is(family, "AF_UNIX")) {
        *(peer ? &in->peer_path : &in->local_path) = cg_str_trim(text);
    } else if (cg_str_is(family, "AF_INET") || cg_str_is(family, "AF_INET6")) {
        if (!read_inet(text, &address, &port)) {
            return cg_listing_fail(in->build, family.ptr, "an address that cannot be read");
        }
        *(peer ? &in->row.peer : &in->row.local) = address;
        *(peer ? &in->row.peer_port : &in->row.local_port) = port;
    }
    return CALLGAUGE_OK;
}

static callgauge_status read_offset(pfiles *in, callgauge_str text)
{
    callgauge_str number = cg_str_trim(text);
    const char *at = number.ptr, *end = at + number.len;
    if (!cg_read_i64(&at, end, &in->row.offset) || at != end) {
        return cg_listing_fail(in->build, text.ptr, "an offset that is no number");
    }
    return CALLGAUGE_OK;
}

static callgauge_status read_path(pfiles *in, callgauge_str text)
{
    if (in->row.path.len > 0) {
        return cg_listing_fail(in->build, text.ptr, "a second path of one descriptor");
    }
    in->row.path = text;
    return CALLGAUGE_OK;
}

/* A line below that of a descriptor. */
static callgauge_status read_detail(pfiles *in, callgauge_str text)
{
    static const char local[] = "sockname:", peer[] = "peername:", offset[] = "offset:";
    if (cg_str_starts(text, "/")) {
        return read_path(in, text);
    }
    if (cg_str_starts(text, local)) {
        return read_address(in, cg_str(text.ptr + sizeof local - 1, text.len - (sizeof local - 1)), false);
    }
    if (cg_str_starts(text, peer)) {
        return read_address(in, cg_str(text.ptr + sizeof peer - 1, text.len - (sizeof peer - 1)), true);
    }
    if (cg_str_starts(text, offset)) {
        return read_offset(in, cg_str(text.ptr + sizeof offset - 1, text.len - (sizeof offset - 1)));
    }
    return is_aside(text) ? CALLGAUGE_OK : cg_listing_fail(in->build, text.ptr, "a line that pfiles does not print");
}

/* --- all lines */

static callgauge_status end_row(pfiles *in)
{
    if (!in->open) {
        return CALLGAUGE_OK;
    }
    in->open = false;
    cg_listed *row = &in->row;
    if (row->kind == CALLGAUGE_FILE_SOCKET && row->path.len == 0) {
        row->path = in->local_path.len > 0 ? in->local_path : in->peer_path;
    }
    if (row->kind == CALLGAUGE_FILE_DEVICE) {
        row->kind = cg_listing_kind_of_device(row->path);
    }
    return cg_listing_add(in->build, row, &in->place);
}

static callgauge_status begin_row(pfiles *in, int64_t fd, callgauge_file_kind kind, callgauge_str attributes)
{
    callgauge_str word;
    while (cg_listing_word(&attributes, &word)) {
        if (!is_attribute(word)) {
            return cg_listing_fail(in->build, word.ptr, "no attribute of a descriptor, such as `ino:5`");
        }
    }
    in->open = true;
    in->row = cg_listing_blank(fd);
    in->row.kind = kind;
    in->place = in->build->line;
    in->local_path = in->peer_path = cg_str(NULL, 0);
    return CALLGAUGE_OK;
}

static callgauge_status read_line(pfiles *in, callgauge_str text)
{
    int64_t number;
    callgauge_file_kind kind;
    callgauge_str rest;
    if (text.len == 0) {
        return CALLGAUGE_OK;
    }
    if (is_row(text, &number, &kind, &rest)) {
        callgauge_status status = end_row(in);
        return status == CALLGAUGE_OK ? begin_row(in, number, kind, rest) : status;
    }
    if (is_process(text, in->build->line.ended, &number)) {
        callgauge_status status = end_row(in);
        return status == CALLGAUGE_OK ? cg_listing_process_begins(in->build, number, false) : status;
    }
    if (cg_listing_is_talk(text, "pfiles")) {
        return CALLGAUGE_OK;
    }
    if (in->open) {
        return read_detail(in, text);
    }
    bool known = cg_str_starts(text, "Current rlimit: ") || cg_str_is(text, "[system process]");
    return known ? CALLGAUGE_OK : cg_listing_fail(in->build, text.ptr, "a line that pfiles does not print");
}

static callgauge_status read(cg_listing_build *build)
{
    pfiles in = { .build = build };
    callgauge_status status = CALLGAUGE_OK;
    while (status == CALLGAUGE_OK && cg_listing_next(build)) {
        status = read_line(&in, cg_str_trim(build->line.text));
    }
    return status == CALLGAUGE_OK ? end_row(&in) : status;
}

static bool bid(callgauge_str line)
{
    int64_t fd;
    callgauge_file_kind kind;
    callgauge_str rest, text = cg_str_trim(line);
    return is_row(text, &fd, &kind, &rest) || cg_str_starts(text, "Current rlimit: ") ||
           cg_str_is(text, "[system process]");
}

const cg_listing_form cg_listing_pfiles = { "pfiles", bid, read };
