/* SPDX-License-Identifier: Apache-2.0 */
/* The greedy algorithm of E. Myers, An O(ND) Difference Algorithm and Its Variations, 1986: for each number of
 * differences the furthest place on each diagonal, kept for the way back. Then hunks. */
#include "compare/diff.h"

#include "base/intern.h"
#include "base/mem.h"
#include "base/str.h"

enum { AROUND = 3, MOST_TEXTS = 1 << 24 };

/* The lists as numbers, equal for equal lines, and what became of each line. */
typedef struct side {
    int64_t *ids;
    bool *changed;
    size_t count;
} side;

typedef struct work {
    side a, b;
    size_t same;       /* at the front */
    int32_t *furthest; /* places on diagonals of 0, 1, 2, ... differences: CG_DIFF_MOST rows, one behind the other */
} work;

static bool fill(side *s, cg_text_lines lines, cg_intern *texts)
{
    s->count = lines.count;
    s->ids = cg_mem_zeroed(lines.count + 1, sizeof *s->ids);
    s->changed = cg_mem_zeroed(lines.count + 1, sizeof *s->changed);
    bool good = s->ids != NULL && s->changed != NULL;
    for (size_t i = 0; good && i < lines.count; i++) {
        s->ids[i] = cg_intern_add(texts, lines.items[i]);
        good = s->ids[i] >= 0;
    }
    return good;
}

static void release(work *w)
{
    cg_mem_free(w->a.ids);
    cg_mem_free(w->a.changed);
    cg_mem_free(w->b.ids);
    cg_mem_free(w->b.changed);
    cg_mem_free(w->furthest);
}

/* --- the shortest way */

/* Where row d begins: it has d + 1 diagonals, -d, -d + 2, ..., d. */
static size_t row_at(size_t d)
{
    return d * (d + 1) / 2;
}

/* The place that diagonal k of row d begins from: a step from a neighbour in the row before. `down`: a line of b. */
static int32_t step(const int32_t *before, int64_t d, int64_t k, bool *down)
{
    if (d == 0) {
        *down = false;
        return 0;
    }
    int64_t i = (k + d) / 2; /* of diagonal k; in the row before, k - 1 is i - 1 and k + 1 is i */
    *down = k == -d || (k != d && before[i - 1] < before[i]);
    return *down ? before[i] : before[i - 1] + 1;
}

/* Marks what was removed and added on the way to diagonal k of row d. */
static void mark(work *w, int64_t d, int64_t k)
{
    for (; d > 0; d--) {
        bool down;
        int64_t x = step(w->furthest + row_at((size_t)d - 1), d, k, &down);
        int64_t y = x - k;
        if (down) {
            w->b.changed[w->same + (size_t)y - 1] = true;
        } else {
            w->a.changed[w->same + (size_t)x - 1] = true;
        }
        k += down ? 1 : -1;
    }
}

/* Finds the shortest way through n lines of a and m of b. False: it has too many differences. */
static bool find_way(work *w, int64_t n, int64_t m)
{
    const int64_t *a = w->a.ids + w->same, *b = w->b.ids + w->same;
    for (int64_t d = 0; d < CG_DIFF_MOST && d <= n + m; d++) {
        int32_t *row = w->furthest + row_at((size_t)d);
        const int32_t *before = d == 0 ? NULL : w->furthest + row_at((size_t)d - 1);
        for (int64_t k = -d; k <= d; k += 2) {
            bool down;
            int64_t x = step(before, d, k, &down), y = x - k;
            while (x < n && y >= 0 && y < m && a[x] == b[y]) {
                x++;
                y++;
            }
            row[(k + d) / 2] = (int32_t)x;
            if (x == n && y == m) {
                mark(w, d, k);
                return true;
            }
        }
    }
    return false;
}

static bool compare(work *w)
{
    size_t n = w->a.count, m = w->b.count;
    while (w->same < n && w->same < m && w->a.ids[w->same] == w->b.ids[w->same]) {
        w->same++;
    }
    while (n > w->same && m > w->same && w->a.ids[n - 1] == w->b.ids[m - 1]) {
        n--;
        m--;
    }
    n -= w->same;
    m -= w->same;
    if (n + m == 0) {
        return true;
    }
    w->furthest = cg_mem_alloc(row_at(CG_DIFF_MOST) * sizeof *w->furthest);
    if (w->furthest == NULL) {
        return false;
    }
    if (!find_way(w, (int64_t)n, (int64_t)m)) {
        memset(w->a.changed + w->same, true, n);
        memset(w->b.changed + w->same, true, m);
    }
    return true;
}

/* --- hunks */

/* Lines [from, end) of both sides. */
typedef struct hunk {
    size_t a_from, a_end, b_from, b_end;
} hunk;

/* Moves both places behind the next group of changes; false: there is none. */
static bool next_change(const work *w, size_t *a, size_t *b)
{
    while (*a < w->a.count && *b < w->b.count && !w->a.changed[*a] && !w->b.changed[*b]) {
        ++*a;
        ++*b;
    }
    return *a < w->a.count || *b < w->b.count;
}

static void skip_change(const work *w, size_t *a, size_t *b)
{
    while (*a < w->a.count && w->a.changed[*a]) {
        ++*a;
    }
    while (*b < w->b.count && w->b.changed[*b]) {
        ++*b;
    }
}

/* The hunk that begins with the change at `a` and `b`; changes that are near belong to it. */
static hunk hunk_at(const work *w, size_t a, size_t b)
{
    size_t lead = a < AROUND ? a : AROUND;
    hunk h = { a - lead, a, b - lead, b };
    for (;;) {
        skip_change(w, &a, &b);
        h.a_end = a;
        h.b_end = b;
        if (!next_change(w, &a, &b) || a - h.a_end > 2 * AROUND) {
            break;
        }
    }
    size_t left = w->a.count - h.a_end;
    size_t tail = left < AROUND ? left : AROUND;
    h.a_end += tail;
    h.b_end += tail;
    return h;
}

static bool put_line(cg_buf *to, char mark, callgauge_str line)
{
    return cg_buf_add_char(to, mark) && cg_buf_add_str(to, line) && cg_buf_add_char(to, '\n');
}

/* "3,4", "3" of one line, "2,0" behind line 2. */
static bool put_range(cg_buf *to, char sign, size_t from, size_t end)
{
    size_t count = end - from;
    bool good = cg_buf_printf(to, "%c%zu", sign, count == 0 ? from : from + 1);
    return good && (count == 1 || cg_buf_printf(to, ",%zu", count));
}

static bool put_hunk(cg_buf *to, const work *w, const hunk *h, cg_text_lines before, cg_text_lines after)
{
    size_t a = h->a_from, b = h->b_from;
    bool good = cg_buf_add_z(to, "@@ ") && put_range(to, '-', a, h->a_end) && cg_buf_add_char(to, ' ') &&
                put_range(to, '+', b, h->b_end) && cg_buf_add_z(to, " @@\n");
    while (good && (a < h->a_end || b < h->b_end)) {
        if (a < h->a_end && w->a.changed[a]) {
            good = put_line(to, '-', before.items[a++]);
        } else if (b < h->b_end && w->b.changed[b]) {
            good = put_line(to, '+', after.items[b++]);
        } else {
            good = put_line(to, ' ', before.items[a++]);
            b++;
        }
    }
    return good;
}

static void count_changes(const work *w, cg_diff *out)
{
    for (size_t i = 0; i < w->a.count; i++) {
        out->removed += w->a.changed[i];
    }
    for (size_t i = 0; i < w->b.count; i++) {
        out->added += w->b.changed[i];
    }
}

static bool put_all(cg_buf *to, const work *w, cg_text_lines before, cg_text_lines after, cg_diff *out)
{
    size_t a = 0, b = 0;
    *out = (cg_diff){ .first = w->same };
    count_changes(w, out);
    if (out->removed + out->added == 0) {
        return true;
    }
    bool good = cg_buf_add_z(to, "--- expected\n+++ seen\n");
    while (good && next_change(w, &a, &b)) {
        hunk h = hunk_at(w, a, b);
        good = put_hunk(to, w, &h, before, after);
        a = h.a_end;
        b = h.b_end;
    }
    return good;
}

bool cg_diff_lines(cg_buf *to, cg_text_lines before, cg_text_lines after, cg_diff *out)
{
    work w = { .same = 0 };
    cg_intern texts;
    cg_intern_init(&texts, MOST_TEXTS);
    bool good = fill(&w.a, before, &texts) && fill(&w.b, after, &texts) && compare(&w) &&
                put_all(to, &w, before, after, out);
    cg_intern_release(&texts);
    release(&w);
    return good;
}
