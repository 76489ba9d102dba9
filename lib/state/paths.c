/* SPDX-License-Identifier: Apache-2.0 */
/* Path arguments to files: relative ones joined to the directory of the process or of a descriptor, `.`, `..` and `//`
 * taken out by their text alone (links are not followed: what is linked cannot be known).
 * Invariant: a path that is relative to an unknown directory is never the same file as one relative to another. */
#include "state/inside.h"

enum { SCOPE_CUT = 1, SCOPE_LOST = 2 }; /* the first of others is above */

/* The highest bit of each byte of a word that is `c`. */
static uint64_t bytes_equal(uint64_t word, char c)
{
    const uint64_t low = 0x7F7F7F7F7F7F7F7Fu;
    uint64_t x = word ^ 0x0101010101010101u * (unsigned char)c;
    return ~(((x & low) + low) | x | low);
}

/* Whether the part of a path that begins at `p` is empty, `.` or `..`. */
static bool is_odd_part(const char *p, const char *end)
{
    size_t dots = 0;
    while (dots < 2 && p + dots < end && p[dots] == '.') {
        dots++;
    }
    return p + dots == end || p[dots] == '/';
}

/* Whether a path has no `//`, `.` and `..`, and no slash at its end; eight bytes at a time. */
static bool is_clean(callgauge_str path)
{
    const char *p = path.ptr, *end = p + path.len;
    if (path.len == 0 || (path.len > 1 && end[-1] == '/')) {
        return false;
    }
    uint64_t behind = *p == '/' ? 0 : 0x80; /* the first byte is where a part begins */
    for (size_t left = path.len; left > 0; p += 8) {
        char last[8] = { 0 };
        if (left < 8) {
            memcpy(last, p, left);
        }
        uint64_t word = cg_load8(left < 8 ? last : p), slashes = bytes_equal(word, '/');
        uint64_t odd = (slashes << 8 | behind) & (slashes | bytes_equal(word, '.'));
        for (; odd != 0; odd &= odd - 1) {
            if (is_odd_part(p + __builtin_ctzll(odd) / 8, end)) {
                return false;
            }
        }
        behind = slashes >> 56;
        left -= left < 8 ? left : 8;
    }
    return true;
}

/* Where the part of `out` begins that `..` may take away; it takes none that is itself `..`. */
static size_t parent_of(callgauge_str out)
{
    size_t at = out.len;
    while (at > 0 && out.ptr[at - 1] != '/') {
        at--;
    }
    callgauge_str last = cg_str(out.ptr + at, out.len - at);
    if (cg_str_is(last, "..")) {
        return out.len;
    }
    return at > 1 ? at - 1 : at;
}

/* Adds the parts of `path` behind what state->joined holds. */
static bool add_parts(cg_state *state, callgauge_str path)
{
    cg_buf *out = &state->joined;
    const char *p = path.ptr, *end = p + path.len;
    while (p < end) {
        const char *slash = memchr(p, '/', (size_t)(end - p));
        callgauge_str part = cg_str_range(p, slash == NULL ? end : slash);
        p = slash == NULL ? end : slash + 1;
        if (part.len == 0 || cg_str_is(part, ".")) {
            continue;
        }
        bool absolute = out->len > 0 && out->data[0] == '/';
        if (cg_str_is(part, "..") && out->len > 0) {
            size_t before = out->len;
            out->len = parent_of(cg_buf_str(out));
            if (out->len != before || (absolute && before == 1)) {
                continue;
            }
        }
        bool ends = out->len == 0 || out->data[out->len - 1] == '/';
        if ((!ends && !cg_buf_add_char(out, '/')) || !cg_buf_add_str(out, part)) {
            state->nomem = true;
            return false;
        }
    }
    return true;
}

bool cg_path_clean(cg_state *state, callgauge_str *path)
{
    if (is_clean(*path)) {
        return true;
    }
    state->joined.len = 0;
    if (path->len > 0 && path->ptr[0] == '/' && !cg_buf_add_char(&state->joined, '/')) {
        state->nomem = true;
        return false;
    }
    if (!add_parts(state, *path)) {
        return false;
    }
    *path = cg_buf_str(&state->joined);
    return true;
}

/* `dir` is not empty. */
static bool join(cg_state *state, callgauge_str dir, callgauge_str path, callgauge_str *out)
{
    state->joined.len = 0;
    if (!cg_buf_reserve(&state->joined, dir.len + path.len + 1)) {
        state->nomem = true;
        return false;
    }
    char *to = state->joined.data;
    memcpy(to, dir.ptr, dir.len);
    state->joined.len = dir.len;
    if (is_clean(path)) {
        size_t len = dir.len;
        bool adds = dir.ptr[len - 1] != '/' && path.ptr[0] != '/';
        to[len] = '/';
        len += adds;
        memcpy(to + len, path.ptr, path.len);
        state->joined.len = len + path.len;
    } else if (!add_parts(state, path)) {
        return false;
    }
    *out = cg_buf_str(&state->joined);
    return true;
}

static bool is_directory_path(const cg_entry *entry)
{
    callgauge_file_kind kind = entry->file.kind;
    return entry->file.path.len > 0 && (kind == CALLGAUGE_FILE_DIR || kind == CALLGAUGE_FILE_FILE);
}

/* How long a base and a path are, joined; another length for each length of the base. */
static inline size_t joined_len(callgauge_str base, callgauge_str path)
{
    return base.len + (base.len > 1 ? 1 : 0) + path.len;
}

/* Whether the text of a file is that of a base and a path, joined. */
static bool is_joined(callgauge_str whole, callgauge_str base, callgauge_str path)
{
    size_t slash = base.len > 1 ? 1 : 0;
    return whole.len == joined_len(base, path) && (base.len == 0 || memcmp(whole.ptr, base.ptr, base.len) == 0) &&
           memcmp(whole.ptr + base.len + slash, path.ptr, path.len) == 0;
}

/* As find_in(), of a path that has not been met of late. */
__attribute__((noinline)) static cg_entry *find_anew(cg_state *state, callgauge_str base, uint64_t scope,
                                                     callgauge_str path, uint32_t hash)
{
    callgauge_str clean = path;
    bool ok = base.len == 0 ? cg_path_clean(state, &clean) : join(state, base, path, &clean);
    if (ok && clean.len == 0) {
        clean = cg_str(".", 1);
    }
    callgauge_file_kind kind = ok && scope == 0 ? cg_kind_of_path(clean) : CALLGAUGE_FILE_FILE;
    cg_entry *entry = ok ? cg_file_at(state, clean, scope, kind) : NULL;
    if (entry != NULL && is_joined(entry->file.path, base, path)) {
        state->files.memos[hash % CG_PATH_MEMOS] = (cg_path_memo){ hash, (uint32_t)path.len, entry, base.ptr, scope };
    }
    return entry;
}

/* The file of `path` in `base` (len 0: nowhere). */
static inline cg_entry *find_in(cg_state *state, callgauge_str base, uint64_t scope, callgauge_str path)
{
    uint32_t hash = (uint32_t)cg_hash_words(path, scope ^ (uint64_t)base.len << 32);
    const cg_path_memo *memo = &state->files.memos[hash % CG_PATH_MEMOS];
    if (memo->hash == hash && memo->entry != NULL && memo->base == base.ptr && memo->scope == scope &&
        memo->path_len == path.len) {
        callgauge_str whole = memo->entry->file.path;
        if (whole.len == joined_len(base, path) && memcmp(whole.ptr + whole.len - path.len, path.ptr, path.len) == 0) {
            return memo->entry;
        }
    }
    return find_anew(state, base, scope, path, hash);
}

cg_entry *cg_path_resolve(cg_state *state, cg_life *life, const cg_desc *dir, bool lost, callgauge_str path, bool cut)
{
    callgauge_str base = { NULL, 0 };
    uint64_t scope;
    if (path.len > 0 && path.ptr[0] == '/') {
        base = life->root;
        scope = 0;
    } else if (cut || lost) {
        scope = cut ? SCOPE_CUT : SCOPE_LOST;
    } else if (dir == NULL) {
        base = life->cwd;
        scope = life->cwd_scope;
    } else if (dir->is.entry != NULL && is_directory_path(dir->is.entry)) {
        base = dir->is.entry->file.path;
        scope = dir->is.entry->scope;
    } else {
        scope = (uint64_t)1 << 63 | dir->number;
    }
    return find_in(state, base, scope, path);
}
