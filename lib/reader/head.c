/* SPDX-License-Identifier: Apache-2.0 */
/* The head of a capture: each dialect bids on its first lines with its own line parser, as they are and
 * with the damage undone that the lines suggest. The best sum wins; equal sums are an error that names both. */
#include "reader/head.h"

#include "base/error.h"
#include "base/mem.h"
#include "base/str.h"
#include "reader/foreign.h"

enum {
    MAX_LINES = 400, /* looked at */
    MAX_DIALECTS = 8,
    DECISIVE = 60,      /* a sum that far ahead ends the bidding */
    FOREIGN_POINTS = 10 /* a line that only another tool prints weighs as much as a sure one */
};

typedef struct head_lines {
    callgauge_str items[MAX_LINES];
    size_t count; /* of items: lines that are not blank */
} head_lines;

typedef struct bids {
    int sums[MAX_DIALECTS];
    int foreign;
    size_t silent; /* lines on which nobody bids */
    size_t heard;
    const char *tool;
} bids;

bool cg_parse_begin(cg_parse *parse, const cg_dialect *dialect, const callgauge_reader_options *options,
                    callgauge_capture *capture, cg_assume_list *assumed)
{
    const callgauge_limits *limits = &options->limits;
    *parse = (cg_parse){ .dialect = dialect, .options = options, .capture = capture, .assumed = assumed };
    cg_names_init(&parse->calls, true, limits->names + 1);
    cg_names_init(&parse->errors, false, limits->names + 1);
    cg_names_init(&parse->names, false, limits->names + 1);
    cg_open_init(&parse->open, limits->open_calls, limits->open_bytes);
    cg_buf_init(&parse->text, 2 * limits->line_bytes);
    parse->state = cg_mem_zeroed(1, dialect->state_size);
    return parse->state != NULL;
}

void cg_parse_release(cg_parse *parse)
{
    cg_names_release(&parse->calls);
    cg_names_release(&parse->errors);
    cg_names_release(&parse->names);
    cg_open_release(&parse->open);
    cg_buf_release(&parse->text);
    cg_mem_free(parse->lost_args);
    parse->lost_args = NULL;
    cg_mem_free(parse->state);
    parse->state = NULL;
}

static void split_lines(callgauge_str head, head_lines *lines)
{
    lines->count = 0;
    const char *at = head.ptr, *end = head.ptr + head.len;
    while (at < end && lines->count < MAX_LINES) {
        const char *newline = memchr(at, '\n', (size_t)(end - at));
        callgauge_str line = cg_str_range(at, newline == NULL ? end : newline);
        if (cg_str_trim(line).len > 0) {
            lines->items[lines->count++] = line;
        }
        at = newline == NULL ? end : newline + 1;
    }
}

/* The line without the blanks and CR at its end. */
static callgauge_str without_end(callgauge_str line)
{
    while (line.len > 0 && (cg_is_blank(line.ptr[line.len - 1]) || line.ptr[line.len - 1] == '\r')) {
        line.len--;
    }
    return line;
}

/* A scratch parse for every dialect, so that bids see what came before them. */
typedef struct bidders {
    cg_parse parses[MAX_DIALECTS];
    callgauge_capture captures[MAX_DIALECTS];
    cg_assume_list assumed[MAX_DIALECTS];
    size_t count;
    cg_buf scratch;
} bidders;

static bool bidders_init(bidders *all, const callgauge_reader_options *options)
{
    all->count = 0;
    cg_buf_init(&all->scratch, 2 * options->limits.line_bytes + 4096);
    for (const cg_dialect *d; all->count < MAX_DIALECTS && (d = cg_dialect_at(all->count)) != NULL;) {
        size_t i = all->count++;
        all->captures[i] = (callgauge_capture){ 0 };
        all->assumed[i] = (cg_assume_list){ 0 };
        if (!cg_parse_begin(&all->parses[i], d, options, &all->captures[i], &all->assumed[i])) {
            return false;
        }
    }
    return true;
}

static void bidders_release(bidders *all)
{
    for (size_t i = 0; i < all->count; i++) {
        cg_parse_release(&all->parses[i]);
    }
    cg_buf_release(&all->scratch);
}

/* The best bid on one line; adds all of them to `sums` (may be NULL). */
static int bid_on(bidders *all, callgauge_str text, int *sums)
{
    int best = 0;
    for (size_t i = 0; i < all->count; i++) {
        int points = all->parses[i].dialect->bid(&all->parses[i], text);
        best = points > best ? points : best;
        if (sums != NULL) {
            sums[i] += points;
        }
    }
    return best;
}

static bool is_decided(const bids *sums, size_t count)
{
    int best = 0, second = 0;
    for (size_t i = 0; i < count; i++) {
        if (sums->sums[i] > best) {
            second = best;
            best = sums->sums[i];
        } else if (sums->sums[i] > second) {
            second = sums->sums[i];
        }
    }
    return best >= DECISIVE && second * 5 < best && sums->foreign * 5 < best && sums->silent * 4 < sums->heard;
}

/* Sums the bids on the lines with `damage` undone, on all of them or until they decide. False: no memory. */
static bool bid_all(bidders *all, const head_lines *lines, const cg_damage *damage, bool whole, bids *out)
{
    *out = (bids){ 0 };
    for (size_t i = 0; i < lines->count; i++) {
        cg_line line = { .ptr = lines->items[i].ptr, .len = lines->items[i].len, .many = true, .offset = 1 };
        callgauge_str text;
        if (i == 0) {
            line.offset = 0;
        }
        if (!cg_repair_line(damage, &line, NULL, &all->scratch, &text)) {
            return false;
        }
        const char *tool = cg_foreign_tool(text);
        if (tool != NULL) {
            out->foreign += FOREIGN_POINTS;
            out->tool = out->tool == NULL ? tool : out->tool;
        }
        bool silent = bid_on(all, text, out->sums) == 0;
        out->silent += silent;
        out->heard += !silent;
        if (!whole && is_decided(out, all->count)) {
            break;
        }
    }
    return true;
}

static int total_of(const bids *sums, size_t count)
{
    int total = 0;
    for (size_t i = 0; i < count; i++) {
        total = sums->sums[i] > total ? sums->sums[i] : total;
    }
    return total;
}

static bool is_mark(char c)
{
    return c == '>' || c == '|' || c == ':';
}

/* Whether a prefix may end at `at`: behind blanks, or behind a mark and the one blank that belongs to it. */
static bool may_end_prefix(callgauge_str line, size_t at)
{
    char before = line.ptr[at - 1];
    return cg_is_blank(before) || (is_mark(before) && line.ptr[at] != ' ');
}

/* The shape of what stands before the first place in the line from which somebody bids more than on all of it; false:
 * no such place. */
static bool find_prefix(bidders *all, callgauge_str line, cg_prefix *out)
{
    enum { LONGEST = 100 };
    int points = bid_on(all, line, NULL);
    for (size_t i = 1; i < line.len && i < LONGEST; i++) {
        if (may_end_prefix(line, i) && bid_on(all, cg_str(line.ptr + i, line.len - i), NULL) > points) {
            return cg_prefix_of(cg_str(line.ptr, i), out);
        }
    }
    return false;
}

static size_t count_matches(const cg_prefix *prefix, const head_lines *lines)
{
    size_t matches = 0;
    for (size_t i = 0; i < lines->count; i++) {
        matches += cg_prefix_match(prefix, lines->items[i]) > 0;
    }
    return matches;
}

/* The prefix that most lines have which bids do not tell. */
static void guess_prefix(bidders *all, const head_lines *lines, cg_prefix *best)
{
    enum { TRIES = 12 };
    size_t most = 0, tries = 0;
    best->len = 0;
    for (size_t i = 0; i < lines->count && tries < TRIES; i++) {
        cg_prefix found;
        if (cg_foreign_tool(lines->items[i]) != NULL || !find_prefix(all, without_end(lines->items[i]), &found)) {
            continue;
        }
        tries++;
        size_t matches = count_matches(&found, lines);
        if (matches > most && matches * 2 > lines->count) {
            most = matches;
            *best = found;
        }
    }
}

static size_t leading_blanks(callgauge_str line)
{
    size_t n = 0;
    while (n < line.len && cg_is_blank(line.ptr[n])) {
        n++;
    }
    return n;
}

/* The blanks that most lines begin with: an indented text. */
static void common_blanks(const head_lines *lines, cg_prefix *out)
{
    callgauge_str shortest = { NULL, 0 };
    for (size_t i = 0; i < lines->count; i++) {
        callgauge_str blanks = cg_str(lines->items[i].ptr, leading_blanks(lines->items[i]));
        if (blanks.len > 0 && (shortest.len == 0 || blanks.len < shortest.len)) {
            shortest = blanks;
        }
    }
    if (!cg_prefix_of(shortest, out) || count_matches(out, lines) * 2 <= lines->count) {
        out->len = 0;
    }
}

static bool has_entities(const head_lines *lines)
{
    static const char *const marks[] = {
        "&lt;", "&gt;", "&quot;", "&#34;", "<br />", "<br/>", "<br>", "</p>", "</pre>"
    };
    for (size_t i = 0; i < lines->count; i++) {
        for (size_t k = 0; k < sizeof marks / sizeof *marks; k++) {
            if (cg_str_find(lines->items[i], marks[k]) < lines->items[i].len) {
                return true;
            }
        }
    }
    return false;
}

/* Whether a line has a double quote as it is: then entities are of its strings. */
static bool has_quotes(const head_lines *lines)
{
    for (size_t i = 0; i < lines->count; i++) {
        if (memchr(lines->items[i].ptr, '"', lines->items[i].len) != NULL) {
            return true;
        }
    }
    return false;
}

/* Bids with further damage undone, and keeps it when that pays well, or (`harmless`) when it costs nothing. */
static bool try_damage(bidders *all, const head_lines *lines, const cg_damage *more, bool harmless, cg_damage *kept,
                       bids *sums)
{
    bids tried;
    if (!bid_all(all, lines, more, true, &tried)) {
        return false;
    }
    int total = total_of(&tried, all->count), before = total_of(sums, all->count);
    bool better = (tried.silent * 2 < sums->silent && total >= before) || total * 2 > before * 3;
    if ((better || (harmless && tried.silent <= sums->silent)) && tried.heard >= sums->heard) {
        *kept = *more;
        *sums = tried;
    }
    return true;
}

static bool try_prefix(bidders *all, const head_lines *lines, const cg_prefix *prefix, cg_damage *damage, bids *sums)
{
    cg_damage more = *damage;
    more.prefix = *prefix;
    return prefix->len == 0 || try_damage(all, lines, &more, false, damage, sums);
}

/* Whether the bids leave room for a doubt: many lines that nobody reads, or that anybody could have printed. */
static bool is_weak(const bids *sums, size_t lines, size_t count)
{
    enum { LIKELY = 2 };
    return sums->silent * 2 > lines || (size_t)total_of(sums, count) <= LIKELY * sums->heard;
}

static bool find_damage(bidders *all, const head_lines *lines, cg_damage *damage, bids *sums)
{
    *damage = (cg_damage){ 0 };
    if (!bid_all(all, lines, damage, false, sums)) {
        return false;
    }
    bool entities = has_entities(lines);
    if (!entities && !is_weak(sums, lines->count, all->count)) {
        return true;
    }
    if (!bid_all(all, lines, damage, true, sums)) {
        return false;
    }
    cg_damage html = { .html = true };
    if (entities && !try_damage(all, lines, &html, !has_quotes(lines), damage, sums)) {
        return false;
    }
    cg_prefix prefix;
    if (is_weak(sums, lines->count, all->count)) {
        common_blanks(lines, &prefix);
        if (!try_prefix(all, lines, &prefix, damage, sums)) {
            return false;
        }
    }
    if (is_weak(sums, lines->count, all->count)) {
        guess_prefix(all, lines, &prefix);
        return try_prefix(all, lines, &prefix, damage, sums);
    }
    return true;
}

static callgauge_status choose(const bids *sums, size_t count, cg_place place, cg_head_choice *out,
                               callgauge_error *err)
{
    size_t best = 0;
    for (size_t i = 1; i < count; i++) {
        best = sums->sums[i] > sums->sums[best] ? i : best;
    }
    if (sums->foreign > sums->sums[best]) {
        return cg_fail(err, CALLGAUGE_E_UNSUPPORTED, place, "this is output of %s, which cannot be read as a capture",
                       sums->tool);
    }
    if (sums->sums[best] == 0) {
        return CALLGAUGE_OK;
    }
    for (size_t i = 0; i < count; i++) {
        if (i != best && sums->sums[i] == sums->sums[best]) {
            return cg_fail(err, CALLGAUGE_E_FORMAT, place,
                           "its first lines could be %s as well as %s: say which with --dialect",
                           cg_dialect_at(best)->name, cg_dialect_at(i)->name);
        }
    }
    out->dialect = cg_dialect_at(best);
    return CALLGAUGE_OK;
}

callgauge_status cg_head_decide(callgauge_str head, const callgauge_reader_options *options, const cg_dialect *dialect,
                                const char *name, uint64_t first_line, cg_head_choice *out, callgauge_error *err)
{
    cg_place place = { .name = name, .line = first_line };
    head_lines *lines = cg_mem_alloc(sizeof *lines);
    bidders *all = cg_mem_zeroed(1, sizeof *all);
    callgauge_status st = CALLGAUGE_E_NOMEM;
    cg_head_choice choice = { 0 };
    bids sums;
    if (lines != NULL && all != NULL && bidders_init(all, options)) {
        split_lines(head, lines);
        if (find_damage(all, lines, &choice.damage, &sums)) {
            st = dialect != NULL ? CALLGAUGE_OK : choose(&sums, all->count, place, &choice, err);
        }
    }
    if (all != NULL) {
        bidders_release(all);
    }
    cg_mem_free(all);
    cg_mem_free(lines);
    if (st == CALLGAUGE_E_NOMEM) {
        return cg_fail_nomem(err);
    }
    if (st == CALLGAUGE_OK) {
        choice.dialect = dialect != NULL ? dialect : choice.dialect;
        *out = choice;
    }
    return st;
}
