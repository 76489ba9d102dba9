/* SPDX-License-Identifier: Apache-2.0 */
/* From the files of a report to lines: those that the filters let pass, in order.
 * Invariant: only lines that are shown are made, so that a million files cost a few words each. */
#include "write/lines.h"

#include <stdlib.h>

#include "base/mem.h"
#include "base/str.h"
#include "report/report.h"
#include "write/derived.h"
#include "write/label.h"

/* A file and what it is ordered by; files are in the order of their names before. */
typedef struct ranked {
    const callgauge_file_row *row;
    int64_t order[2];
} ranked;

static bool contains(callgauge_str text, const char *part)
{
    return cg_str_find(text, part) < text.len;
}

static bool passes(const callgauge_file_row *row, const callgauge_write_options *options)
{
    if (options->kinds != 0 && (options->kinds >> (unsigned)row->kind & 1) == 0) {
        return false;
    }
    const char *part = options->path;
    return part == NULL || part[0] == 0 || contains(row->path, part) || contains(row->renamed_to, part) ||
           contains(row->peer, part) || contains(row->local, part);
}

static bool is_busy(const callgauge_file_row *row)
{
    return row->reads + row->writes + row->errors + row->maps > 0;
}

/* All but the name. Nothing read or written is no number, also where no bytes are known. */
static void take_file(const callgauge_file_row *row, cg_line *line)
{
    cg_line_clear(line);
    line->row = row;
    cg_line_set_counts(line, row->calls, row->errors, 0);
    cg_line_set_times(line, row->cpu_ns, row->cpu_calls, row->wall_ns, row->wall_calls);
    line->values[CG_VALUE_OPENS] = cg_count_held(row->opens);
    line->values[CG_VALUE_READS] = cg_count_held(row->reads);
    line->values[CG_VALUE_WRITES] = cg_count_held(row->writes);
    line->values[CG_VALUE_READ] = row->reads == 0 ? 0 : row->bytes_read;
    line->values[CG_VALUE_WRITTEN] = row->writes == 0 ? 0 : row->bytes_written;
    line->values[CG_VALUE_MEAN_READ] = row->reads == 0 ? 0 : cg_mean_read(row);
    line->values[CG_VALUE_MEAN_WRITE] = row->writes == 0 ? 0 : cg_mean_write(row);
    line->values[CG_VALUE_REREAD] = row->reads == 0 ? 0 : row->reread_bytes;
    line->values[CG_VALUE_WAITING] = row->waiting_ns;
    line->values[CG_VALUE_ORDER] = callgauge_file_order(row);
}

/* The files that pass, and their sums. */
static size_t gather(const callgauge_report *report, const callgauge_write_options *options, bool busy, ranked *to,
                     cg_line *sum)
{
    size_t used = 0;
    uint64_t moving_reads = 0, moving_writes = 0;
    cg_line_clear(sum);
    for (size_t i = 0; i < callgauge_report_file_count(report); i++) {
        const callgauge_file_row *row = callgauge_report_file(report, i);
        if (passes(row, options) && (!busy || is_busy(row))) {
            cg_line line;
            take_file(row, &line);
            cg_line_add(sum, &line);
            moving_reads = cg_count_add(moving_reads,
                                        row->reads - (row->eof_reads < row->reads ? row->eof_reads : row->reads));
            moving_writes = cg_count_add(
                moving_writes, row->writes - (row->empty_writes < row->writes ? row->empty_writes : row->writes));
            to[used++].row = row;
        }
    }
    sum->name = cg_str_z("total");
    sum->values[CG_VALUE_MEAN_READ] = cg_mean(sum->values[CG_VALUE_READ], moving_reads);
    sum->values[CG_VALUE_MEAN_WRITE] = cg_mean(sum->values[CG_VALUE_WRITTEN], moving_writes);
    return used;
}

static int ranked_cmp(const void *a, const void *b)
{
    const ranked *x = a, *y = b;
    for (size_t i = 0; i < 2; i++) {
        if (x->order[i] != y->order[i]) {
            return x->order[i] > y->order[i] ? -1 : 1;
        }
    }
    return (x->row > y->row) - (x->row < y->row);
}

static void rank(ranked *rows, size_t count, callgauge_sort sort, const cg_line *sum)
{
    cg_value value = cg_order_of(sort, CALLGAUGE_ROWS_FILES, sum);
    if (value == CG_VALUES) {
        return;
    }
    for (size_t i = 0; i < count; i++) {
        cg_line line;
        take_file(rows[i].row, &line);
        int64_t bytes = cg_known_add(line.values[CG_VALUE_READ], line.values[CG_VALUE_WRITTEN]);
        rows[i].order[0] = sort == CALLGAUGE_SORT_BYTES ? bytes : line.values[value];
        rows[i].order[1] = line.values[CG_VALUE_CALLS];
    }
    qsort(rows, count, sizeof *rows, ranked_cmp);
}

static bool make_lines(const callgauge_report *report, const ranked *rows, size_t count, cg_rows *lines)
{
    lines->lines = cg_mem_zeroed(count + 1, sizeof *lines->lines);
    for (size_t i = 0; lines->lines != NULL && i < count; i++) {
        cg_line *line = &lines->lines[i];
        cg_label label;
        take_file(rows[i].row, line);
        if (!cg_label_of_file(report, rows[i].row, &lines->arena, &label)) {
            return false;
        }
        line->name = label.name;
        line->note = label.note;
        line->short_note = label.short_note;
        line->is_path = label.is_path;
    }
    return lines->lines != NULL;
}

bool cg_lines_of_files(const callgauge_report *report, const callgauge_write_options *options, bool busy,
                       cg_rows *lines)
{
    ranked *rows = cg_mem_zeroed(callgauge_report_file_count(report) + 1, sizeof *rows);
    if (rows == NULL) {
        return false;
    }
    lines->count = gather(report, options, busy, rows, &lines->sum);
    rank(rows, lines->count, options->sort, &lines->sum);
    size_t shown = options->limit == 0 || options->limit > lines->count ? lines->count : options->limit;
    bool ok = make_lines(report, rows, shown, lines);
    cg_mem_free(rows);
    return ok;
}
