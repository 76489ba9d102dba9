/* SPDX-License-Identifier: Apache-2.0 */
/* Counts of one file, from single calls to its row. */
#include "stage/file_tally.h"

#include <string.h>

#include "base/decimal.h"
#include "base/mem.h"

enum { FILE_READ = 1, FILE_WRITTEN = 2 };

static void release_details(cg_file_details *details)
{
    cg_mem_free(details->read.pids.list);
    cg_mem_free(details->written.pids.list);
    cg_mem_free(details->pids.list);
    cg_mem_free(details->ranges);
    cg_mem_free(details->opens);
    cg_mem_free(details->errors);
}

void cg_file_tally_begin(cg_file_tally *tally, const cg_file *file)
{
    *tally = (cg_file_tally){ .file = file, .pid = CG_UNKNOWN, .fd = -1 };
}

void cg_file_tally_release(cg_file_tally *tally)
{
    if (tally->details != NULL) {
        release_details(tally->details);
        tally->details = NULL;
    }
}

static cg_file_details *details_of(cg_file_tally *tally, cg_file_room *room)
{
    if (tally->details == NULL) {
        tally->details = cg_arena_alloc(&room->arena, sizeof *tally->details);
    }
    return tally->details;
}

/* Makes room for more things of `size` bytes in a list that is full; the first one lies at `own` until then. False: no
 * memory. */
static bool widen(void **list, uint32_t *room, size_t size, const void *own)
{
    uint32_t wider = *room == 0 ? 4 : *room * 2;
    void *fresh = cg_mem_resize(*list, wider * size);
    if (fresh == NULL) {
        return false;
    }
    if (*list == NULL && own != NULL) {
        memcpy(fresh, own, size);
    }
    *list = fresh;
    *room = wider;
    return true;
}

static const int64_t *pids_of(const cg_pids *pids)
{
    return pids->list == NULL ? &pids->own : pids->list;
}

/* The first place in the list whose pid is not smaller: mostly behind all, as new processes have larger pids. */
static uint32_t place_of(const cg_pids *pids, int64_t pid)
{
    const int64_t *list = pids_of(pids);
    uint32_t low = 0, high = pids->count;
    low = high > 0 && list[high - 1] < pid ? high : 0;
    while (low < high) {
        uint32_t middle = low + (high - low) / 2;
        if (list[middle] < pid) {
            low = middle + 1;
        } else {
            high = middle;
        }
    }
    return low;
}

static bool insert_pid(cg_pids *pids, int64_t pid)
{
    if (pids->count == 0) {
        pids->count = 1;
        pids->own = pid;
        return true;
    }
    void *list = pids->list;
    if ((pids->list == NULL || pids->count == pids->room) && !widen(&list, &pids->room, sizeof pid, &pids->own)) {
        return false;
    }
    pids->list = list;
    if (pids->last < pids->count) {
        memmove(pids->list + pids->last + 1, pids->list + pids->last, (pids->count - pids->last) * sizeof pid);
    }
    pids->list[pids->last] = pid;
    pids->count++;
    return true;
}

__attribute__((noinline)) static bool add_other_pid(cg_pids *pids, cg_file_room *room, int64_t pid)
{
    pids->last = place_of(pids, pid);
    if (pids->last < pids->count && pids_of(pids)[pids->last] == pid) {
        return true;
    }
    if (pids->count >= room->pid_limit) {
        room->dropped_pids += pids->passed_over != pid;
        pids->passed_over = pid;
        return true;
    }
    return insert_pid(pids, pid);
}

static inline bool add_pid(cg_pids *pids, cg_file_room *room, int64_t pid)
{
    bool is_last = pids->last < pids->count && pids_of(pids)[pids->last] == pid;
    return is_last || pid == CG_UNKNOWN || add_other_pid(pids, room, pid);
}

bool cg_file_tally_other_pid(cg_file_tally *tally, cg_file_room *room, int64_t pid)
{
    if (pid == CG_UNKNOWN) {
        return true;
    }
    if (tally->pid == CG_UNKNOWN) {
        tally->pid = pid;
        return true;
    }
    cg_file_details *details = details_of(tally, room);
    return details != NULL && (details->pids.count > 0 || add_pid(&details->pids, room, tally->pid)) &&
           add_pid(&details->pids, room, pid);
}

bool cg_file_tally_other_time(cg_file_tally *tally, cg_file_room *room, callgauge_time_kind kind, int64_t ns,
                              bool waits)
{
    ns = ns < 0 ? 0 : ns;
    if (tally->timed == 0 || tally->kind == kind) {
        tally->kind = (uint8_t)kind;
        tally->ns = cg_add_ns(tally->ns, ns);
        tally->timed++;
    }
    if (tally->kind == kind && !waits) {
        return true;
    }
    cg_file_details *details = details_of(tally, room);
    if (details == NULL) {
        return false;
    }
    if (tally->kind != kind) {
        details->other_ns = cg_add_ns(details->other_ns, ns);
        details->other_calls++;
    }
    if (waits) {
        details->waiting_ns = cg_add_ns(details->waiting_ns, ns);
    }
    return true;
}

bool cg_file_tally_failed_open(cg_file_tally *tally, cg_file_room *room, uint32_t error, uint64_t count)
{
    if (tally->failed == 0 && error < UINT16_MAX) {
        tally->error = (uint16_t)(error + 1);
    }
    if (tally->error == error + 1) {
        tally->failed = cg_count_add(tally->failed, count);
        return true;
    }
    cg_file_details *details = details_of(tally, room);
    if (details == NULL) {
        return false;
    }
    uint32_t at = 0;
    while (at < details->error_count && details->errors[at].error != error) {
        at++;
    }
    if (at == details->error_count) {
        void *list = details->errors;
        if (at == details->error_room && !widen(&list, &details->error_room, sizeof *details->errors, NULL)) {
            return false;
        }
        details->errors = list;
        details->errors[details->error_count++] = (cg_file_error){ .error = error };
    }
    details->errors[at].count = cg_count_add(details->errors[at].count, count);
    return true;
}

/* Forgets the smallest range, where there are as many as are kept. What it held counts as never read: too little is
 * said to be read again, never too much. False: the new range is the smallest. */
static bool forget_smallest(cg_file_details *details, cg_range fresh)
{
    size_t at = 0;
    for (size_t i = 1; i < details->range_count; i++) {
        const cg_range *ranges = details->ranges;
        at = ranges[i].end - ranges[i].from < ranges[at].end - ranges[at].from ? i : at;
    }
    if (fresh.end - fresh.from <= details->ranges[at].end - details->ranges[at].from) {
        return false;
    }
    details->range_count--;
    memmove(details->ranges + at, details->ranges + at + 1, (details->range_count - at) * sizeof *details->ranges);
    return true;
}

static cg_range *ranges_of(cg_file_details *details)
{
    return details->ranges == NULL ? &details->own_range : details->ranges;
}

static size_t range_place(cg_file_details *details, int64_t from)
{
    const cg_range *ranges = ranges_of(details);
    size_t low = 0, high = details->range_count;
    while (low < high) {
        size_t middle = (low + high) / 2;
        if (ranges[middle].end < from) {
            low = middle + 1;
        } else {
            high = middle;
        }
    }
    return low;
}

static bool insert_range(cg_file_details *details, cg_range fresh)
{
    if (details->range_count == CG_FILE_RANGES && !forget_smallest(details, fresh)) {
        return true;
    }
    if (details->range_count == 0) {
        *ranges_of(details) = fresh;
        details->range_count = 1;
        return true;
    }
    void *list = details->ranges;
    uint32_t room = details->range_room;
    bool full = details->ranges == NULL || details->range_count == room;
    if (full && !widen(&list, &room, sizeof fresh, &details->own_range)) {
        return false;
    }
    details->ranges = list;
    details->range_room = (uint8_t)room;
    size_t at = range_place(details, fresh.from);
    memmove(details->ranges + at + 1, details->ranges + at, (details->range_count - at) * sizeof *details->ranges);
    details->ranges[at] = fresh;
    details->range_count++;
    return true;
}

/* Counts what of the range had been read before, and joins it with the ranges that it meets. */
static bool read_range(cg_file_details *details, cg_range fresh)
{
    cg_range *ranges = ranges_of(details), joined = fresh;
    size_t at = range_place(details, fresh.from), end = at;
    for (; end < details->range_count && ranges[end].from <= fresh.end; end++) {
        cg_range met = ranges[end];
        int64_t from = met.from > fresh.from ? met.from : fresh.from;
        int64_t to = met.end < fresh.end ? met.end : fresh.end;
        details->reread_bytes = cg_add_ns(details->reread_bytes, to > from ? to - from : 0);
        joined.from = met.from < joined.from ? met.from : joined.from;
        joined.end = met.end > joined.end ? met.end : joined.end;
    }
    if (end == at) {
        return insert_range(details, fresh);
    }
    ranges[at] = joined;
    memmove(ranges + at + 1, ranges + end, (details->range_count - end) * sizeof joined);
    details->range_count = (uint8_t)(details->range_count - (end - at - 1));
    return true;
}

/* Where the open file stands in the list, as one that has moved something; NULL: no memory. */
static uint64_t *open_place(cg_file_details *details, uint64_t open)
{
    uint64_t *opens = details->opens == NULL ? &details->own_open : details->opens;
    for (size_t i = details->open_count; i > 0; i--) {
        if (opens[i - 1] >> 2 == open) {
            return &opens[i - 1];
        }
    }
    if (details->open_count == CG_FILE_OPENS) {
        uint64_t *oldest = &opens[details->next_open];
        details->next_open = (uint8_t)((details->next_open + 1) % CG_FILE_OPENS);
        *oldest = open << 2;
        return oldest;
    }
    bool full = details->open_count > 0 && (details->opens == NULL || details->open_count == details->open_room);
    void *list = details->opens;
    uint32_t room = details->open_room;
    if (full && !widen(&list, &room, sizeof open, &details->own_open)) {
        return NULL;
    }
    details->opens = list;
    details->open_room = (uint8_t)room;
    opens = details->opens == NULL ? &details->own_open : details->opens;
    opens[details->open_count] = open << 2;
    return &opens[details->open_count++];
}

/* Whether an order can be told: streams have none. */
static bool has_order(const cg_file *file, const cg_use *use)
{
    return file->kind == CALLGAUGE_FILE_FILE || file->kind == CALLGAUGE_FILE_DEVICE ||
           (file->kind == CALLGAUGE_FILE_UNKNOWN && use->offset != CG_UNKNOWN);
}

static bool count_order(cg_file_details *details, const cg_use *use, uint64_t way)
{
    uint64_t *seen = open_place(details, use->open);
    if (seen == NULL) {
        return false;
    }
    details->transfers += !use->follows || (*seen & way) != 0;
    details->jumps += !use->follows;
    *seen |= way;
    return true;
}

static void count_bytes(cg_file_moves *moves, int64_t bytes)
{
    moves->calls++;
    moves->empty += bytes == 0;
    if (bytes > 0) {
        moves->bytes = cg_add_ns(moves->bytes, bytes);
        moves->least = moves->least == 0 || bytes < moves->least ? bytes : moves->least;
        moves->most = bytes > moves->most ? bytes : moves->most;
    }
}

static bool move(const cg_file_tally *tally, const cg_use *use, int64_t bytes, uint64_t way)
{
    cg_file_details *details = tally->details;
    count_bytes(way == FILE_READ ? &details->read : &details->written, bytes);
    return bytes == 0 || use->open == 0 || !has_order(tally->file, use) || count_order(details, use, way);
}

bool cg_file_tally_read(cg_file_tally *tally, cg_file_room *room, const cg_use *use, int64_t bytes, int64_t pid)
{
    cg_file_details *details = details_of(tally, room);
    if (details == NULL || !move(tally, use, bytes, FILE_READ) || !add_pid(&details->read.pids, room, pid)) {
        return false;
    }
    if (use->offset == CG_UNKNOWN || use->offset < 0) {
        return true;
    }
    details->has_offset = true;
    return bytes == 0 || read_range(details, (cg_range){ use->offset, cg_add_ns(use->offset, bytes) });
}

bool cg_file_tally_write(cg_file_tally *tally, cg_file_room *room, const cg_use *use, int64_t bytes, int64_t pid)
{
    cg_file_details *details = details_of(tally, room);
    return details != NULL && move(tally, use, bytes, FILE_WRITTEN) && add_pid(&details->written.pids, room, pid);
}

bool cg_file_tally_map(cg_file_tally *tally, cg_file_room *room)
{
    cg_file_details *details = details_of(tally, room);
    if (details != NULL) {
        details->maps++;
    }
    return details != NULL;
}

void cg_file_tally_emptied(cg_file_tally *tally)
{
    if (tally->details != NULL) {
        tally->details->range_count = 0;
    }
}

static bool fold_pids(cg_pids *pids, cg_file_room *room, const cg_pids *from)
{
    for (uint32_t i = 0; i < from->count; i++) {
        if (!add_pid(pids, room, pids_of(from)[i])) {
            return false;
        }
    }
    return true;
}

static bool fold_moves(cg_file_moves *moves, cg_file_room *room, const cg_file_moves *from)
{
    moves->calls = cg_count_add(moves->calls, from->calls);
    moves->empty = cg_count_add(moves->empty, from->empty);
    moves->bytes = cg_add_ns(moves->bytes, from->bytes);
    if (moves->least == 0 || (from->least != 0 && from->least < moves->least)) {
        moves->least = from->least;
    }
    moves->most = from->most > moves->most ? from->most : moves->most;
    return fold_pids(&moves->pids, room, &from->pids);
}

static void fold_other_time(cg_file_details *details, const cg_file_tally *from, uint8_t kind)
{
    if (from->timed > 0 && from->kind != kind) {
        details->other_ns = cg_add_ns(details->other_ns, from->ns);
        details->other_calls = cg_count_add(details->other_calls, from->timed);
    }
}

static bool fold_details(cg_file_tally *tally, cg_file_room *room, const cg_file_details *from, bool same_kind)
{
    cg_file_details *details = details_of(tally, room);
    if (details == NULL || !fold_moves(&details->read, room, &from->read) ||
        !fold_moves(&details->written, room, &from->written)) {
        return false;
    }
    details->reread_bytes = cg_add_ns(details->reread_bytes, from->reread_bytes);
    details->waiting_ns = cg_add_ns(details->waiting_ns, from->waiting_ns);
    details->transfers = cg_count_add(details->transfers, from->transfers);
    details->jumps = cg_count_add(details->jumps, from->jumps);
    details->maps = cg_count_add(details->maps, from->maps);
    details->has_offset |= from->has_offset;
    if (same_kind) {
        details->other_ns = cg_add_ns(details->other_ns, from->other_ns);
        details->other_calls = cg_count_add(details->other_calls, from->other_calls);
    } else {
        tally->ns = cg_add_ns(tally->ns, from->other_ns);
        tally->timed = cg_count_add(tally->timed, from->other_calls);
    }
    for (uint32_t i = 0; i < from->error_count; i++) {
        if (!cg_file_tally_failed_open(tally, room, from->errors[i].error, from->errors[i].count)) {
            return false;
        }
    }
    for (uint32_t i = 0; i < from->pids.count; i++) {
        if (!cg_file_tally_pid(tally, room, pids_of(&from->pids)[i])) {
            return false;
        }
    }
    return true;
}

static bool fold_time(cg_file_tally *tally, cg_file_room *room, const cg_file_tally *from)
{
    if (tally->timed == 0) {
        tally->kind = from->kind;
    }
    if (from->timed == 0 || from->kind == tally->kind) {
        tally->ns = cg_add_ns(tally->ns, from->ns);
        tally->timed = cg_count_add(tally->timed, from->timed);
        return true;
    }
    cg_file_details *details = details_of(tally, room);
    if (details != NULL) {
        fold_other_time(details, from, tally->kind);
    }
    return details != NULL;
}

bool cg_file_tally_fold(cg_file_tally *tally, cg_file_room *room, cg_file_tally *from)
{
    bool has_fd = tally->fd < 0 && from->fd >= 0 && (tally->pid == CG_UNKNOWN || tally->pid == from->pid);
    if (!fold_time(tally, room, from) || !cg_file_tally_pid(tally, room, from->pid) ||
        (from->failed > 0 && !cg_file_tally_failed_open(tally, room, from->error - 1u, from->failed)) ||
        (from->details != NULL &&
         !fold_details(tally, room, from->details, from->timed == 0 || from->kind == tally->kind))) {
        return false;
    }
    tally->fd = has_fd ? from->fd : tally->fd;
    tally->first = tally->calls == 0 || from->first < tally->first ? from->first : tally->first;
    tally->last = from->last > tally->last ? from->last : tally->last;
    tally->calls = cg_count_add(tally->calls, from->calls);
    tally->errors = cg_count_add(tally->errors, from->errors);
    tally->opens = cg_count_add(tally->opens, from->opens);
    tally->open_at_end |= from->open_at_end;
    from->calls = 0;
    return true;
}

static int64_t renamed_pid(const cg_renamed_pid *renamed, size_t count, int64_t pid)
{
    size_t low = 0, high = count;
    while (low < high) {
        size_t middle = low + (high - low) / 2;
        if (renamed[middle].from < pid) {
            low = middle + 1;
        } else {
            high = middle;
        }
    }
    return low < count && renamed[low].from == pid ? renamed[low].to : pid;
}

/* A list never grows by this. */
static void rename_pids(cg_pids *pids, const cg_renamed_pid *renamed, size_t count)
{
    int64_t *list = pids->list == NULL ? &pids->own : pids->list;
    uint32_t kept = 0;
    for (uint32_t i = 0; i < pids->count; i++) {
        int64_t pid = renamed_pid(renamed, count, list[i]);
        uint32_t at = kept;
        while (at > 0 && list[at - 1] > pid) {
            at--;
        }
        if (at > 0 && list[at - 1] == pid) {
            continue;
        }
        memmove(list + at + 1, list + at, (kept - at) * sizeof pid);
        list[at] = pid;
        kept++;
    }
    pids->count = kept;
    pids->last = 0;
}

void cg_file_tally_rename_pids(cg_file_tally *tally, const cg_renamed_pid *renamed, size_t count)
{
    tally->pid = renamed_pid(renamed, count, tally->pid);
    if (tally->details != NULL) {
        rename_pids(&tally->details->pids, renamed, count);
        rename_pids(&tally->details->read.pids, renamed, count);
        rename_pids(&tally->details->written.pids, renamed, count);
    }
}

static bool finish_pids(const cg_pids *pids, cg_arena *arena, const int64_t **out, size_t *count)
{
    int64_t *list = pids->count == 0 ? NULL : cg_arena_alloc(arena, pids->count * sizeof *list);
    if (pids->count > 0 && list == NULL) {
        return false;
    }
    if (list != NULL) {
        memcpy(list, pids_of(pids), pids->count * sizeof *list);
    }
    *out = list;
    *count = pids->count;
    return true;
}

static bool finish_errors(const cg_file_tally *tally, const callgauge_str *names, cg_arena *arena,
                          callgauge_file_row *row)
{
    size_t more = tally->details == NULL ? 0 : tally->details->error_count, count = 0;
    if (tally->failed == 0 && more == 0) {
        return true;
    }
    callgauge_name_row *rows = cg_arena_alloc(arena, (more + 1) * sizeof *rows);
    if (rows == NULL) {
        return false;
    }
    if (tally->failed > 0) {
        rows[count++] = (callgauge_name_row){ .name = names[tally->error - 1], .count = tally->failed };
    }
    for (size_t i = 0; i < more; i++) {
        const cg_file_error *error = &tally->details->errors[i];
        rows[count++] = (callgauge_name_row){ .name = names[error->error], .count = error->count };
    }
    row->failed_open_count = cg_name_rows_settle(rows, count);
    row->failed_opens_by_error = rows;
    return true;
}

static void finish_time(callgauge_file_row *row, callgauge_time_kind kind, int64_t ns, uint64_t calls)
{
    if (calls > 0 && kind == CALLGAUGE_TIME_CPU) {
        row->cpu_ns = ns;
        row->cpu_calls = calls;
    }
    if (calls > 0 && kind == CALLGAUGE_TIME_WALL) {
        row->wall_ns = ns;
        row->wall_calls = calls;
    }
}

static bool finish_details(const cg_file_tally *tally, cg_arena *arena, callgauge_file_row *row)
{
    const cg_file_details *details = tally->details;
    const cg_file_moves *read = &details->read, *written = &details->written;
    bool cpu_first = tally->kind == CALLGAUGE_TIME_CPU;
    finish_time(row, cpu_first ? CALLGAUGE_TIME_WALL : CALLGAUGE_TIME_CPU, details->other_ns, details->other_calls);
    row->reads = read->calls;
    row->eof_reads = read->empty;
    row->writes = written->calls;
    row->empty_writes = written->empty;
    row->bytes_read = read->bytes;
    row->bytes_written = written->bytes;
    row->min_read = read->least == 0 ? CALLGAUGE_UNKNOWN : read->least;
    row->max_read = read->least == 0 ? CALLGAUGE_UNKNOWN : read->most;
    row->min_write = written->least == 0 ? CALLGAUGE_UNKNOWN : written->least;
    row->max_write = written->least == 0 ? CALLGAUGE_UNKNOWN : written->most;
    row->reread_bytes = details->has_offset ? details->reread_bytes : CALLGAUGE_UNKNOWN;
    row->transfers = details->transfers;
    row->jumps = details->jumps;
    row->maps = details->maps;
    return finish_pids(&read->pids, arena, &row->readers, &row->reader_count) &&
           finish_pids(&written->pids, arena, &row->writers, &row->writer_count) &&
           finish_pids(&details->pids, arena, &row->processes, &row->process_count);
}

bool cg_file_tally_finish(const cg_file_tally *tally, const callgauge_str *names, cg_arena *arena,
                          callgauge_file_row *row)
{
    row->calls = tally->calls;
    row->errors = tally->errors;
    row->opens = tally->opens;
    row->min_read = row->max_read = row->min_write = row->max_write = CALLGAUGE_UNKNOWN;
    row->reread_bytes = row->cpu_ns = row->wall_ns = row->waiting_ns = CALLGAUGE_UNKNOWN;
    row->first.line = tally->first;
    row->last.line = tally->last;
    finish_time(row, (callgauge_time_kind)tally->kind, tally->ns, tally->timed);
    if (!finish_errors(tally, names, arena, row) || (tally->details != NULL && !finish_details(tally, arena, row))) {
        return false;
    }
    if (row->wall_ns != CALLGAUGE_UNKNOWN) {
        row->waiting_ns = tally->details == NULL ? 0 : tally->details->waiting_ns;
    }
    if (row->process_count > 0 || tally->pid == CG_UNKNOWN) {
        return true;
    }
    const cg_pids only = { .own = tally->pid, .count = 1 };
    return finish_pids(&only, arena, &row->processes, &row->process_count);
}
