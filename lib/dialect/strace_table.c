/* SPDX-License-Identifier: Apache-2.0 */
/* strace's -c tables: a heading in any order of columns (-U), a ruler whose dashes give the columns'
 * places, rows, a second ruler, `total`. Blank errors are 0; a column that is not there is unknown.
 * Tables of other ABIs follow the first one behind a line of their own. */
#include "base/decimal.h"
#include "base/str.h"
#include "dialect/strace.h"

enum column {
    PERCENT,
    SECONDS,
    AVERAGE,
    CALLS,
    ERRORS,
    NAME,
    SHORTEST,
    LONGEST,
    WALL,
    WALL_MIN,
    WALL_MAX,
    WALL_AVERAGE
};

static const struct heading {
    const char *text;
    enum column what;
} headings[] = {
    { "% time", PERCENT },  { "seconds", SECONDS },   { "usecs/call", AVERAGE }, { "calls", CALLS },
    { "errors", ERRORS },   { "syscall", NAME },      { "shortest", SHORTEST },  { "longest", LONGEST },
    { "wall-total", WALL }, { "wall-min", WALL_MIN }, { "wall-max", WALL_MAX },  { "wall-avg", WALL_AVERAGE },
};
enum { HEADINGS = sizeof headings / sizeof *headings };

static bool read_heading(const char **at, const char *end, enum column *what)
{
    for (size_t i = 0; i < HEADINGS; i++) {
        size_t n = strlen(headings[i].text);
        if ((size_t)(end - *at) >= n && memcmp(*at, headings[i].text, n) == 0 &&
            ((size_t)(end - *at) == n || cg_is_blank((*at)[n]))) {
            *what = headings[i].what;
            *at += n;
            return true;
        }
    }
    return false;
}

/* All columns of a heading in their order; 0: it is none. */
static size_t read_headings(callgauge_str text, enum column *columns)
{
    const char *at = text.ptr, *end = at + text.len;
    size_t count = 0;
    bool name = false;
    for (;;) {
        while (at < end && cg_is_blank(*at)) {
            at++;
        }
        if (at >= end) {
            return name ? count : 0;
        }
        if (count >= CG_STRACE_COLUMNS || !read_heading(&at, end, &columns[count])) {
            return 0;
        }
        name = name || columns[count] == NAME;
        count++;
    }
}

static bool is_ruler(callgauge_str text)
{
    size_t dashes = 0;
    for (size_t i = 0; i < text.len; i++) {
        if (text.ptr[i] != '-' && !cg_is_blank(text.ptr[i])) {
            return false;
        }
        dashes += text.ptr[i] == '-';
    }
    return dashes >= 4;
}

bool cg_strace_is_heading(callgauge_str text)
{
    enum column columns[CG_STRACE_COLUMNS];
    size_t count = read_headings(text, columns);
    for (size_t i = 0; i < count; i++) {
        if (columns[i] != SECONDS && columns[i] != CALLS && columns[i] != ERRORS && columns[i] != NAME) {
            return true;
        }
    }
    return false;
}

/* The places of the columns; false: as many runs of dashes as headings are not there. */
static bool measure(cg_strace_table *table, callgauge_str ruler)
{
    size_t count = 0;
    for (size_t i = 0; i < ruler.len;) {
        while (i < ruler.len && ruler.ptr[i] != '-') {
            i++;
        }
        size_t from = i;
        while (i < ruler.len && ruler.ptr[i] == '-') {
            i++;
        }
        if (i > from) {
            if (count >= table->count) {
                return false;
            }
            table->columns[count].from = (uint32_t)from;
            table->columns[count++].to = (uint32_t)i;
        }
    }
    return count == table->count;
}

/* The cells of a row by place. False: a cell runs over its column, as in tables before 5.6 with long numbers. */
static bool cells_by_place(const cg_strace_table *table, callgauge_str text, callgauge_str *cells)
{
    for (size_t i = 0; i < table->count; i++) {
        size_t from = i == 0 ? 0 : table->columns[i - 1].to;
        size_t to = i + 1 == table->count ? text.len : table->columns[i].to;
        from = from < text.len ? from : text.len;
        to = to < text.len ? to : text.len;
        if (to < text.len && i + 1 < table->count && !cg_is_blank(text.ptr[to])) {
            return false;
        }
        cells[i] = cg_str_trim(cg_str(text.ptr + from, to - from));
        if (memchr(cells[i].ptr, ' ', cells[i].len) != NULL) {
            return false;
        }
    }
    return true;
}

/* The cells of a row by count: one less than columns means that errors is blank. */
static bool cells_by_count(const cg_strace_table *table, callgauge_str text, callgauge_str *cells)
{
    callgauge_str words[CG_STRACE_COLUMNS];
    size_t count = 0;
    const char *at = text.ptr, *end = at + text.len;
    for (;;) {
        while (at < end && cg_is_blank(*at)) {
            at++;
        }
        if (at >= end) {
            break;
        }
        const char *from = at;
        while (at < end && !cg_is_blank(*at)) {
            at++;
        }
        if (count >= table->count) {
            return false;
        }
        words[count++] = cg_str_range(from, at);
    }
    bool blank = count + 1 == table->count;
    if (!blank && count != table->count) {
        return false;
    }
    size_t next = 0;
    for (size_t i = 0; i < table->count; i++) {
        bool empty = blank && table->columns[i].what == ERRORS;
        cells[i] = empty ? cg_str(text.ptr, 0) : next < count ? words[next++] : cg_str(text.ptr, 0);
    }
    return next == count;
}

static bool read_cell_seconds(callgauge_str cell, int64_t *ns)
{
    const char *at = cell.ptr, *end = at + cell.len;
    return cg_read_seconds(&at, end, ns, NULL) && at == end;
}

static bool read_cell_count(callgauge_str cell, uint64_t *count)
{
    const char *at = cell.ptr, *end = at + cell.len;
    return cg_read_u64(&at, end, count) && *count <= INT64_MAX && at == end;
}

static bool is_number_like(callgauge_str cell)
{
    for (size_t i = 0; i < cell.len; i++) {
        if (!cg_is_digit(cell.ptr[i]) && memchr(".-naif", cell.ptr[i], 6) == NULL) {
            return false;
        }
    }
    return true;
}

static bool read_time_cell(callgauge_str cell, bool wall, uint32_t cpu_bit, uint32_t wall_bit, callgauge_count_row *row)
{
    int64_t ns;
    if (!read_cell_seconds(cell, &ns)) {
        return false;
    }
    row->has |= wall ? wall_bit : cpu_bit;
    int64_t *places[] = { &row->cpu_ns,     &row->wall_ns,     &row->cpu_min_ns,
                          &row->cpu_max_ns, &row->wall_min_ns, &row->wall_max_ns };
    static const uint32_t bits[] = { CALLGAUGE_ROW_CPU,     CALLGAUGE_ROW_WALL,     CALLGAUGE_ROW_CPU_MIN,
                                     CALLGAUGE_ROW_CPU_MAX, CALLGAUGE_ROW_WALL_MIN, CALLGAUGE_ROW_WALL_MAX };
    for (size_t i = 0; i < sizeof bits / sizeof *bits; i++) {
        if (bits[i] == (wall ? wall_bit : cpu_bit)) {
            *places[i] = ns;
        }
    }
    return true;
}

/* One cell into the row. `wall`: the table's plain times are wall clock. */
static bool read_cell(enum column what, callgauge_str cell, bool wall, callgauge_count_row *row)
{
    switch (what) {
    case SECONDS: return read_time_cell(cell, wall, CALLGAUGE_ROW_CPU, CALLGAUGE_ROW_WALL, row);
    case SHORTEST: return read_time_cell(cell, wall, CALLGAUGE_ROW_CPU_MIN, CALLGAUGE_ROW_WALL_MIN, row);
    case LONGEST: return read_time_cell(cell, wall, CALLGAUGE_ROW_CPU_MAX, CALLGAUGE_ROW_WALL_MAX, row);
    case WALL: return read_time_cell(cell, true, 0, CALLGAUGE_ROW_WALL, row);
    case WALL_MIN: return read_time_cell(cell, true, 0, CALLGAUGE_ROW_WALL_MIN, row);
    case WALL_MAX: return read_time_cell(cell, true, 0, CALLGAUGE_ROW_WALL_MAX, row);
    case CALLS: row->has |= CALLGAUGE_ROW_CALLS; return read_cell_count(cell, &row->calls);
    case ERRORS: row->has |= CALLGAUGE_ROW_ERRORS; return cell.len == 0 || read_cell_count(cell, &row->errors);
    case PERCENT:
    case AVERAGE:
    case WALL_AVERAGE: return is_number_like(cell);
    case NAME: break;
    }
    return true;
}

static bool is_name(callgauge_str cell)
{
    for (size_t i = 0; i < cell.len; i++) {
        if (!cg_is_word(cell.ptr[i]) && cell.ptr[i] != '#') {
            return false;
        }
    }
    return cell.len > 0 && !cg_is_digit(cell.ptr[0]);
}

/* All cells of a row; false: it is none. */
static bool read_row(const cg_strace_table *table, const callgauge_str *cells, bool wall, callgauge_count_row *row,
                     callgauge_str *name)
{
    for (size_t i = 0; i < table->count; i++) {
        enum column what = (enum column)table->columns[i].what;
        if (what == NAME) {
            *name = cells[i];
            if (!is_name(cells[i])) {
                return false;
            }
        } else if (!read_cell(what, cells[i], wall, row)) {
            return false;
        }
    }
    return true;
}

static bool has_column(const cg_strace_table *table, enum column what)
{
    for (size_t i = 0; i < table->count; i++) {
        if (table->columns[i].what == what) {
            return true;
        }
    }
    return false;
}

/* What a table cannot tell is said once. */
static void assume(cg_parse *parse, const cg_strace_table *table)
{
    bool times = has_column(table, SECONDS) || has_column(table, SHORTEST) || has_column(table, LONGEST);
    if (times && parse->options->time_kind == CALLGAUGE_TIME_NONE && !has_column(table, WALL)) {
        cg_parse_assume(parse, "time of the table", "cpu", "--time-kind");
    }
    if (!has_column(table, CALLS)) {
        cg_parse_assume(parse, "calls", "unknown: the table has no such column", "strace -U");
    }
    if (!has_column(table, ERRORS)) {
        cg_parse_assume(parse, "errors", "unknown: the table has no such column", "strace -U");
    }
}

static cg_verdict begin_table(cg_parse *parse, const enum column *columns, size_t count)
{
    cg_strace_table *table = &((cg_strace *)parse->state)->table;
    table->count = count;
    for (size_t i = 0; i < count; i++) {
        table->columns[i] = (cg_strace_column){ .what = (uint8_t)columns[i] };
    }
    table->stage = CG_TABLE_HEADED;
    parse->tables++;
    return CG_LINE_TABLE;
}

static cg_verdict ruler_line(cg_parse *parse, cg_strace_table *table, callgauge_str text)
{
    if (table->stage == CG_TABLE_HEADED) {
        if (!measure(table, text)) {
            table->stage = CG_TABLE_NONE;
            parse->reason = "the ruler of the table does not fit its heading";
            return CG_LINE_UNREAD;
        }
        assume(parse, table);
        parse->capture->has_table = true;
        table->stage = CG_TABLE_ROWS;
    } else {
        table->stage = CG_TABLE_TOTAL;
    }
    return CG_LINE_TABLE;
}

/* Whether all words of a line but one could be numbers: a row, whatever is wrong with it. */
static bool is_row_like(const cg_strace_table *table, callgauge_str text, bool cut)
{
    enum { LEAST = 3 };
    size_t least = cut ? 1 : table->count < LEAST ? table->count : LEAST;
    size_t numbers = 0, others = 0;
    for (size_t i = 0; i < text.len;) {
        size_t from = i;
        while (i < text.len && !cg_is_blank(text.ptr[i])) {
            i++;
        }
        bool number = is_number_like(cg_str(text.ptr + from, i - from));
        numbers += i > from && number;
        others += i > from && !number;
        i += i == from;
    }
    return numbers > 0 && others <= 1 && numbers + others >= least;
}

static cg_verdict row_line(cg_parse *parse, cg_strace_table *table, callgauge_str text, const cg_line *line,
                           callgauge_event *event)
{
    callgauge_str cells[CG_STRACE_COLUMNS], name = { NULL, 0 };
    bool wall = parse->options->time_kind == CALLGAUGE_TIME_WALL;
    parse->row = (callgauge_count_row){ .table = parse->tables - 1 };
    bool read = cells_by_place(table, text, cells) && read_row(table, cells, wall, &parse->row, &name);
    if (!read) {
        parse->row = (callgauge_count_row){ .table = parse->tables - 1 };
        read = cells_by_count(table, text, cells) && read_row(table, cells, wall, &parse->row, &name);
    }
    if (!read) {
        parse->reason = "a row of a table with a number that cannot be read, or that is cut";
        return is_row_like(table, text, line->cut) ? CG_LINE_UNREAD : CG_LINE_HARD;
    }
    bool total = table->stage == CG_TABLE_TOTAL && cg_str_is(name, "total");
    cg_event_begin(event, total ? CALLGAUGE_EVENT_TOTALS : CALLGAUGE_EVENT_COUNT_ROW, line, text);
    event->row = &parse->row;
    if (total) {
        table->stage = CG_TABLE_NONE;
        return CG_LINE_ROW;
    }
    if (line->cut && (table->columns[table->count - 1].what != NAME || cg_class_lookup(name) == NULL)) {
        parse->reason = "a row of a table that is cut";
        return CG_LINE_UNREAD;
    }
    if (line->cut) {
        cg_parse_assume(parse, "last row of the table", "whole: neither a line end nor totals follow it", "-");
    }
    event->call = cg_parse_call(parse, name);
    return event->call == NULL ? CG_LINE_NOMEM : CG_LINE_ROW;
}

static bool is_mode_heading(callgauge_str text)
{
    return cg_str_starts(text, "System call usage summary for ") && cg_str_ends(text, " mode:");
}

cg_verdict cg_strace_table_read(cg_parse *parse, callgauge_str text, const cg_line *line, callgauge_event *event)
{
    cg_strace_table *table = &((cg_strace *)parse->state)->table;
    if (memchr(text.ptr, '(', text.len) != NULL) {
        return CG_LINE_HARD; /* no line of a table has one: a quick way out for calls */
    }
    if (is_mode_heading(text)) {
        return CG_LINE_TABLE;
    }
    enum column columns[CG_STRACE_COLUMNS];
    size_t count = read_headings(text, columns);
    if (count > 0) {
        return begin_table(parse, columns, count);
    }
    if (table->stage == CG_TABLE_NONE || cg_str_trim(text).len == 0) {
        return CG_LINE_HARD;
    }
    if (is_ruler(text)) {
        return ruler_line(parse, table, text);
    }
    if (table->stage == CG_TABLE_HEADED) {
        table->stage = CG_TABLE_NONE;
        return CG_LINE_HARD;
    }
    return row_line(parse, table, text, line, event);
}
