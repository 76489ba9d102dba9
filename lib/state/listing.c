/* SPDX-License-Identifier: Apache-2.0 */
/* From the text of a listing to sorted rows: each form bids on the first lines, the best one reads them all. A
 * descriptor that is listed twice must be the same both times, and a process is listed in one piece: what was open at
 * different moments is not put together. */
#include "state/listing.h"

#include <stdlib.h>

#include "base/decimal.h"
#include "base/error.h"
#include "base/mem.h"
#include "base/str.h"
#include "state/listing_form.h"

enum { BID_LINES = 200 };

static const cg_listing_form *const forms[] = { &cg_listing_pfiles, &cg_listing_ls, &cg_listing_lsof };
enum { FORMS = sizeof forms / sizeof *forms };

/* --- lines and words */

bool cg_listing_next(cg_listing_build *build)
{
    if (build->left.len == 0) {
        return false;
    }
    const char *from = build->left.ptr, *end = from + build->left.len;
    const char *feed = memchr(from, '\n', build->left.len);
    const char *stop = feed == NULL ? end : feed;
    build->line.number++;
    build->line.offset = (uint64_t)(from - build->from);
    build->line.ended = feed != NULL;
    build->left = feed == NULL ? cg_str(end, 0) : cg_str_range(feed + 1, end);
    build->line.text = cg_str_range(from, stop > from && stop[-1] == '\r' ? stop - 1 : stop);
    return true;
}

callgauge_status cg_listing_fail(cg_listing_build *build, const char *at, const char *why)
{
    uint64_t before = (uint64_t)(at - build->line.text.ptr);
    cg_place place = { build->name, build->line.number, before + 1, build->line.offset + before };
    return cg_fail(build->err, CALLGAUGE_E_FORMAT, place, "%s", why);
}

bool cg_listing_word(callgauge_str *text, callgauge_str *word)
{
    callgauge_str rest = cg_str_trim(*text);
    size_t len = 0;
    while (len < rest.len && !cg_is_blank(rest.ptr[len])) {
        len++;
    }
    if (len == 0) {
        return false;
    }
    *word = cg_str(rest.ptr, len);
    *text = cg_str(rest.ptr + len, rest.len - len);
    return true;
}

bool cg_listing_is_empty(callgauge_str line)
{
    return cg_str_trim(line).len == 0;
}

/* A word behind the name of a program on a command line: an option or what it is to look at. */
static bool is_operand(callgauge_str word)
{
    size_t digits = 0;
    while (digits < word.len && (cg_is_digit(word.ptr[digits]) || word.ptr[digits] == ',')) {
        digits++;
    }
    return digits == word.len || word.ptr[0] == '-' || cg_str_find(word, "/proc/") < word.len;
}

static bool is_prompt(callgauge_str before)
{
    before = cg_str_trim(before);
    return before.len == 0 || memchr("$#%>", before.ptr[before.len - 1], 4) != NULL;
}

bool cg_listing_is_talk(callgauge_str line, const char *program)
{
    callgauge_str rest = cg_str_trim(line), word = { NULL, 0 };
    size_t len = strlen(program);
    if (cg_str_starts(rest, program) && rest.len > len && rest.ptr[len] == ':') {
        return true;
    }
    const char *from = rest.ptr;
    while (cg_listing_word(&rest, &word) && !cg_str_is(word, program)) {
    }
    if (!cg_str_is(word, program) || !is_prompt(cg_str_range(from, word.ptr))) {
        return false;
    }
    while (cg_listing_word(&rest, &word)) {
        if (!is_operand(word)) {
            return false;
        }
    }
    return true;
}

/* --- fields */

bool cg_listing_number(const char **at, const char *end, int64_t *out)
{
    const char *p = *at;
    uint64_t value;
    if (!cg_read_u64(&p, end, &value) || value > INT32_MAX) {
        return false;
    }
    *out = (int64_t)value;
    *at = p;
    return true;
}

int32_t cg_listing_port(callgauge_str text)
{
    const char *at = text.ptr, *end = at + text.len;
    uint64_t port;
    return cg_read_u64(&at, end, &port) && at == end && port <= 65535 ? (int32_t)port : -1;
}

callgauge_str cg_listing_address(callgauge_str text)
{
    static const char mapped[] = "::ffff:";
    size_t len = sizeof mapped - 1;
    bool dotted = text.len > len && cg_str_starts(text, mapped) && memchr(text.ptr, '.', text.len) != NULL;
    return dotted ? cg_str(text.ptr + len, text.len - len) : text;
}

callgauge_file_kind cg_listing_kind_of_device(callgauge_str path)
{
    /* the second three are what links of the first ones lead to on Solaris */
    static const char *const ttys[] = { "/dev/pts/",           "/dev/tty",
                                        "/dev/console",        "/devices/pseudo/pts@",
                                        "/devices/pseudo/sy@", "/devices/pseudo/cn@" };
    for (size_t i = 0; i < sizeof ttys / sizeof *ttys; i++) {
        if (cg_str_starts(path, ttys[i])) {
            return CALLGAUGE_FILE_TTY;
        }
    }
    return CALLGAUGE_FILE_DEVICE;
}

callgauge_file_kind cg_listing_kind_of_path(callgauge_str path)
{
    static const char *const files[] = { "/dev/shm/", "/dev/mqueue/", "/dev/hugepages/" };
    for (size_t i = 0; i < sizeof files / sizeof *files; i++) {
        if (cg_str_starts(path, files[i])) {
            return CALLGAUGE_FILE_FILE;
        }
    }
    return cg_str_starts(path, "/dev/") ? cg_listing_kind_of_device(path) : CALLGAUGE_FILE_FILE;
}

bool cg_listing_cut_deleted(callgauge_str *path)
{
    static const char deleted[] = " (deleted)";
    if (!cg_str_ends(*path, deleted)) {
        return false;
    }
    path->len -= sizeof deleted - 1;
    return true;
}

cg_listed cg_listing_blank(int64_t fd)
{
    return (cg_listed){ .fd = fd, .local_port = -1, .peer_port = -1, .offset = INT64_MIN };
}

/* --- collecting */

/* Room for one more in an array. False: no memory. */
static bool grow(void **array, size_t count, size_t *room, size_t size)
{
    if (count < *room) {
        return true;
    }
    size_t more = *room == 0 ? 16 : *room * 2;
    void *grown = more > SIZE_MAX / size ? NULL : cg_mem_resize(*array, more * size);
    if (grown == NULL) {
        return false;
    }
    *array = grown;
    *room = more;
    return true;
}

callgauge_status cg_listing_process_begins(cg_listing_build *build, int64_t pid, bool again)
{
    size_t count = build->process_count;
    if (again && count > 0 && build->processes[count - 1].pid == pid) {
        return CALLGAUGE_OK;
    }
    void *array = build->processes;
    if (!grow(&array, count, &build->process_room, sizeof *build->processes)) {
        return cg_fail_nomem(build->err);
    }
    build->processes = array;
    build->processes[count] = (cg_listing_process){ pid, build->line.number, build->line.offset };
    build->process_count++;
    return CALLGAUGE_OK;
}

static bool keep(cg_arena *arena, callgauge_str *text)
{
    if (text->len == 0) {
        *text = cg_str(NULL, 0);
        return true;
    }
    return cg_arena_str(arena, *text, text);
}

callgauge_status cg_listing_add(cg_listing_build *build, const cg_listed *row, const cg_listing_line *place)
{
    if (build->process_count == 0) {
        callgauge_status status = cg_listing_process_begins(build, INT64_MIN, false);
        if (status != CALLGAUGE_OK) {
            return status;
        }
    }
    cg_listing_row made = { *row, place->number, place->offset };
    made.listed.pid = build->processes[build->process_count - 1].pid;
    void *array = build->rows;
    bool ok = keep(&build->arena, &made.listed.path) && keep(&build->arena, &made.listed.local) &&
              keep(&build->arena, &made.listed.peer) &&
              grow(&array, build->row_count, &build->row_room, sizeof *build->rows);
    if (!ok) {
        return cg_fail_nomem(build->err);
    }
    build->rows = array;
    build->rows[build->row_count++] = made;
    return CALLGAUGE_OK;
}

/* --- sorting */

static int order(int64_t a, int64_t b)
{
    return (a > b) - (a < b);
}

static int by_place(const cg_listed *a, const cg_listed *b)
{
    int c = order(a->pid, b->pid);
    return c != 0 ? c : order(a->fd, b->fd);
}

static int row_cmp(const void *a, const void *b)
{
    const cg_listing_row *x = a, *y = b;
    int c = by_place(&x->listed, &y->listed);
    return c != 0 ? c : (x->line > y->line) - (x->line < y->line);
}

static int process_cmp(const void *a, const void *b)
{
    const cg_listing_process *x = a, *y = b;
    int c = order(x->pid, y->pid);
    return c != 0 ? c : (x->line > y->line) - (x->line < y->line);
}

/* Where a descriptor stands in its file may have changed between two looks at it. */
static bool is_same(const cg_listed *a, const cg_listed *b)
{
    return a->kind == b->kind && cg_str_eq(a->path, b->path) && cg_str_eq(a->local, b->local) &&
           cg_str_eq(a->peer, b->peer) && a->local_port == b->local_port && a->peer_port == b->peer_port &&
           a->deleted == b->deleted;
}

static callgauge_status check_processes(const cg_listing_build *build)
{
    const cg_listing_process *processes = build->processes;
    for (size_t i = 1; i < build->process_count; i++) {
        if (processes[i].pid == processes[i - 1].pid) {
            cg_place place = { build->name, processes[i].line, 1, processes[i].offset };
            unsigned long long first = processes[i - 1].line;
            if (processes[i].pid == INT64_MIN) {
                return cg_fail(build->err, CALLGAUGE_E_FORMAT, place,
                               "a second listing that does not name its process: the first is in line %llu", first);
            }
            return cg_fail(build->err, CALLGAUGE_E_FORMAT, place,
                           "process %lld is listed a second time: the first is in line %llu",
                           (long long)processes[i].pid, first);
        }
    }
    return CALLGAUGE_OK;
}

/* Equal rows of one descriptor become one. */
static callgauge_status check_rows(cg_listing_build *build)
{
    cg_listing_row *rows = build->rows;
    size_t kept = 0;
    for (size_t i = 0; i < build->row_count; i++) {
        if (kept == 0 || by_place(&rows[kept - 1].listed, &rows[i].listed) != 0) {
            rows[kept++] = rows[i];
        } else if (!is_same(&rows[kept - 1].listed, &rows[i].listed)) {
            cg_place place = { build->name, rows[i].line, 1, rows[i].offset };
            return cg_fail(build->err, CALLGAUGE_E_FORMAT, place,
                           "descriptor %lld is listed a second time and is something else in line %llu",
                           (long long)rows[i].listed.fd, (unsigned long long)rows[kept - 1].line);
        }
    }
    build->row_count = kept;
    return CALLGAUGE_OK;
}

static callgauge_status finish(cg_listing_build *build, cg_listing *out)
{
    cg_listing made = { .count = build->row_count, .pid_count = build->process_count };
    made.rows = cg_mem_zeroed(made.count + 1, sizeof *made.rows);
    made.pids = cg_mem_zeroed(made.pid_count + 1, sizeof *made.pids);
    if (made.rows == NULL || made.pids == NULL) {
        cg_listing_release(&made);
        return cg_fail_nomem(build->err);
    }
    for (size_t i = 0; i < made.count; i++) {
        made.rows[i] = build->rows[i].listed;
    }
    for (size_t i = 0; i < made.pid_count; i++) {
        made.pids[i] = build->processes[i].pid;
    }
    made.room = made.count + 1;
    made.pid_room = made.pid_count + 1;
    made.arena = build->arena;
    build->arena = (cg_arena){ 0 };
    *out = made;
    return CALLGAUGE_OK;
}

/* --- reading */

static const cg_listing_form *choose(callgauge_str text)
{
    size_t bids[FORMS] = { 0 }, best = 0;
    cg_listing_build lines = { .left = text, .from = text.ptr };
    while (lines.line.number < BID_LINES && cg_listing_next(&lines)) {
        for (size_t i = 0; i < FORMS; i++) {
            bids[i] += forms[i]->bid(lines.line.text);
        }
    }
    for (size_t i = 1; i < FORMS; i++) {
        best = bids[i] > bids[best] ? i : best;
    }
    return bids[best] > 0 ? forms[best] : NULL;
}

/* The place of the first byte that is neither blank nor the end of a line. */
static cg_place first_place(const cg_listing_build *build)
{
    cg_listing_build lines = { .left = build->left, .from = build->from };
    while (cg_listing_next(&lines)) {
        if (!cg_listing_is_empty(lines.line.text)) {
            return (cg_place){ build->name, lines.line.number, 1, lines.line.offset };
        }
    }
    return (cg_place){ build->name, 0, 0, 0 };
}

static callgauge_status refuse(const cg_listing_build *build)
{
    cg_place place = first_place(build);
    if (place.line == 0) {
        return cg_fail(build->err, CALLGAUGE_E_FORMAT, place, "an empty listing of descriptors");
    }
    return cg_fail(build->err, CALLGAUGE_E_FORMAT, place,
                   "no listing of descriptors: its first lines are of none of %s, %s, %s", forms[0]->name,
                   forms[1]->name, forms[2]->name);
}

static callgauge_status refuse_nul(const cg_listing_build *build, const char *nul)
{
    cg_listing_build lines = { .left = build->left, .from = build->from, .name = build->name, .err = build->err };
    while (cg_listing_next(&lines) && nul > lines.line.text.ptr + lines.line.text.len) {
    }
    return cg_listing_fail(&lines, nul, "a listing of descriptors is text: here is a NUL byte");
}

static callgauge_status read_all(cg_listing_build *build)
{
    const char *nul = build->left.len == 0 ? NULL : memchr(build->left.ptr, '\0', build->left.len);
    if (nul != NULL) {
        return refuse_nul(build, nul);
    }
    const cg_listing_form *form = choose(build->left);
    callgauge_status status = form == NULL ? refuse(build) : form->read(build);
    if (status != CALLGAUGE_OK) {
        return status;
    }
    if (build->process_count == 0) {
        return cg_fail(build->err, CALLGAUGE_E_FORMAT, first_place(build), "the listing holds no process");
    }
    if (build->row_count > 0) {
        qsort(build->rows, build->row_count, sizeof *build->rows, row_cmp);
    }
    qsort(build->processes, build->process_count, sizeof *build->processes, process_cmp);
    status = check_processes(build);
    return status == CALLGAUGE_OK ? check_rows(build) : status;
}

callgauge_status cg_listing_read(const char *name, callgauge_str text, cg_listing *out, callgauge_error *err)
{
    static const char mark[] = "\xef\xbb\xbf";
    cg_listing_build build = { .name = name, .err = err, .left = text, .from = text.ptr };
    if (cg_str_starts(text, mark)) {
        build.left = cg_str(text.ptr + sizeof mark - 1, text.len - (sizeof mark - 1));
    }
    callgauge_status status = read_all(&build);
    if (status == CALLGAUGE_OK) {
        status = finish(&build, out);
    }
    cg_mem_free(build.rows);
    cg_mem_free(build.processes);
    cg_arena_release(&build.arena);
    return status;
}

/* --- using */

void cg_listing_release(cg_listing *listing)
{
    cg_arena_release(&listing->arena);
    cg_mem_free(listing->rows);
    cg_mem_free(listing->pids);
    *listing = (cg_listing){ 0 };
}

static int listed_cmp(const void *key, const void *row)
{
    return by_place(key, row);
}

const cg_listed *cg_listing_find(const cg_listing *listing, int64_t pid, int64_t fd)
{
    const cg_listed key = { .pid = pid, .fd = fd };
    return listing->count == 0 ? NULL : bsearch(&key, listing->rows, listing->count, sizeof key, listed_cmp);
}

static int pid_cmp(const void *a, const void *b)
{
    return order(*(const int64_t *)a, *(const int64_t *)b);
}

bool cg_listing_has_pid(const cg_listing *listing, int64_t pid)
{
    return listing->pid_count > 0 && bsearch(&pid, listing->pids, listing->pid_count, sizeof pid, pid_cmp) != NULL;
}
