/* SPDX-License-Identifier: Apache-2.0 */
/* What strace -y and -yy print behind descriptors, to names, and what they say of the open files that were followed.
 * They win: a name that is new is taken, one that contradicts is counted and the descriptor becomes another open
 * file. */
#include "base/decimal.h"
#include "state/inside.h"

/* "127.0.0.1:80", "[::1]:80" */
static void read_end(callgauge_str text, callgauge_str *address, int32_t *port)
{
    size_t colon = cg_str_find_last(text, ":");
    if (colon == text.len) {
        return;
    }
    const char *at = text.ptr + colon + 1, *end = text.ptr + text.len;
    uint64_t value;
    callgauge_str host = cg_str(text.ptr, colon);
    if (!cg_read_u64(&at, end, &value) || at != end || value > UINT16_MAX) {
        return;
    }
    if (host.len > 2 && host.ptr[0] == '[' && host.ptr[host.len - 1] == ']') {
        host = cg_str(host.ptr + 1, host.len - 2);
    }
    *address = host;
    *port = value > 0 ? (int32_t)value : -1;
}

static uint64_t read_inode(callgauge_str text)
{
    const char *at = text.ptr;
    uint64_t inode;
    return cg_read_u64(&at, text.ptr + text.len, &inode) ? inode : 0;
}

/* "263959->263960,\"/run/x.sock\"", "127.0.0.1:8080->127.0.0.1:41512", "127.0.0.1:8110", "393210", "ROUTE:9616" */
static void read_socket(cg_state *state, callgauge_str protocol, callgauge_str body, cg_named *out)
{
    out->kind = CALLGAUGE_FILE_SOCKET;
    if (cg_str_starts(protocol, "NETLINK")) {
        return;
    }
    size_t comma = cg_str_find(body, ",");
    if (cg_str_starts(protocol, "UNIX")) {
        callgauge_str rest = cg_str(body.ptr + comma, body.len - comma);
        size_t skip = cg_str_find(rest, "\"");
        bool cut;
        if (skip < rest.len && !cg_string_text(state, cg_str(rest.ptr + skip, rest.len - skip), &out->path, &cut)) {
            out->path = cg_str(NULL, 0);
        }
        out->inode = read_inode(body);
        return;
    }
    size_t arrow = cg_str_find(body, "->");
    callgauge_str left = cg_str(body.ptr, arrow);
    if (cg_str_find(left, ":") == left.len) {
        out->inode = read_inode(left);
        return;
    }
    read_end(left, &out->local, &out->local_port);
    if (arrow < body.len) {
        read_end(cg_str(body.ptr + arrow + 2, body.len - arrow - 2), &out->peer, &out->peer_port);
    }
}

/* "/etc/passwd", "/dev/null<char 1:3>", "/tmp/f (deleted)", "/memfd:x" */
static void read_path(callgauge_str text, bool is_device, cg_named *out)
{
    static const char DELETED[] = " (deleted)";
    if (cg_str_ends(text, DELETED)) {
        text.len -= sizeof DELETED - 1;
    }
    out->path = text;
    out->kind = cg_str_starts(text, "/memfd:") ? CALLGAUGE_FILE_ANON : cg_kind_of_path(text);
    if (is_device && out->kind == CALLGAUGE_FILE_FILE) {
        out->kind = CALLGAUGE_FILE_DEVICE;
    }
}

/* Undoes the escapes of a path: "\74" is '<'. */
static bool unescape(cg_state *state, callgauge_str *text)
{
    bool cut;
    state->joined.len = 0;
    if (!cg_buf_add_char(&state->joined, '"') || !cg_buf_add_str(&state->joined, *text) ||
        !cg_buf_add_char(&state->joined, '"')) {
        state->nomem = true;
        return false;
    }
    return cg_string_text(state, cg_buf_str(&state->joined), text, &cut);
}

bool cg_decoration_read(cg_state *state, callgauge_str text, cg_named *out)
{
    *out = (cg_named){ .kind = CALLGAUGE_FILE_ANON, .local_port = -1, .peer_port = -1 };
    size_t device = text.len > 0 && text.ptr[text.len - 1] == '>' ? cg_str_find_last(text, "<") : text.len;
    bool is_device = device < text.len && text.ptr[0] != '{';
    text.len = is_device ? device : text.len;
    bool escaped = text.len > 0 && (text.ptr[0] == '/' || text.ptr[0] == '\\') &&
                   memchr(text.ptr, '\\', text.len) != NULL;
    if (escaped && !unescape(state, &text)) {
        return false;
    }
    if (text.len > 0 && text.ptr[0] == '/') {
        read_path(text, is_device, out);
        return true;
    }
    size_t colon = cg_str_find(text, ":");
    callgauge_str word = cg_str(text.ptr, colon);
    callgauge_str body = colon + 2 < text.len ? cg_str(text.ptr + colon + 2, text.len - colon - 2)
                                              : cg_str(text.ptr, 0);
    if (cg_str_ends(body, "]")) {
        body.len--;
    }
    out->path = text;
    if (cg_str_is(word, "pipe")) {
        out->kind = CALLGAUGE_FILE_PIPE;
        out->inode = read_inode(body);
    } else if (cg_str_is(word, "socket") || (word.len > 1 && colon < text.len && cg_is_upper(word.ptr[0]))) {
        out->path = cg_str(NULL, 0);
        read_socket(state, word, body, out);
    } else if (cg_str_is(word, "pid")) {
        out->path = cg_str_z("anon_inode:[pidfd]");
    } else if (cg_str_is(word, "signalfd")) {
        out->path = cg_str_z("anon_inode:[signalfd]");
    } else if (cg_str_starts(text, "{eventfd")) {
        out->path = cg_str_z("anon_inode:[eventfd]");
    }
    return colon < text.len || cg_str_starts(text, "{eventfd");
}

/* ---- judging ---- */

static bool is_path_kind(callgauge_file_kind kind)
{
    return kind == CALLGAUGE_FILE_FILE || kind == CALLGAUGE_FILE_DIR || kind == CALLGAUGE_FILE_TTY ||
           kind == CALLGAUGE_FILE_DEVICE;
}

static bool is_any(callgauge_str address)
{
    return address.len == 0 || cg_str_is(address, "0.0.0.0") || cg_str_is(address, "::");
}

static bool ends_differ(callgauge_str a, int32_t a_port, callgauge_str b, int32_t b_port)
{
    return (a_port >= 0 && b_port >= 0 && a_port != b_port) || (!is_any(a) && !is_any(b) && !cg_str_eq(a, b));
}

/* Whether a path is what a rename in the capture has made of another: of the file itself or a directory above it. */
static bool is_renamed(const cg_state *state, const cg_file *file, callgauge_str path)
{
    enum { LONGEST = 4096 };
    size_t from = file->path.len <= LONGEST && path.len <= LONGEST ? file->path.len : 0;
    for (size_t at = from; at > 0; at--) {
        if (at < file->path.len && file->path.ptr[at] != '/') {
            continue;
        }
        const cg_named part = {
            .kind = CALLGAUGE_FILE_FILE, .path = cg_str(file->path.ptr, at), .local_port = -1, .peer_port = -1
        };
        const cg_entry *above = cg_file_find(state, &part);
        callgauge_str to = above == NULL ? cg_str(NULL, 0) : above->file.renamed_to;
        callgauge_str rest = cg_str(file->path.ptr + at, file->path.len - at);
        if (to.len > 0 && path.len == to.len + rest.len && memcmp(path.ptr, to.ptr, to.len) == 0 &&
            memcmp(path.ptr + to.len, rest.ptr, rest.len) == 0) {
            return true;
        }
    }
    return false;
}

/* Whether a decoration can be of the open file; `first`: none was seen of it before. */
static bool fits(const cg_state *state, const cg_desc *desc, const cg_named *named, bool first)
{
    const cg_file *file = &desc->is.entry->file;
    if (file->kind == CALLGAUGE_FILE_UNKNOWN || (first && file->path.len == 0 && is_path_kind(file->kind))) {
        return true;
    }
    if (named->inode != 0 && desc->inode != 0 && named->inode != desc->inode) {
        return false;
    }
    if (is_path_kind(file->kind)) {
        return first || (is_path_kind(named->kind) &&
                         (cg_str_eq(file->path, named->path) || is_renamed(state, file, named->path)));
    }
    if (file->kind != named->kind) {
        return false;
    }
    if (file->kind == CALLGAUGE_FILE_SOCKET) {
        return !ends_differ(file->local, file->local_port, named->local, named->local_port) &&
               !ends_differ(file->peer, file->peer_port, named->peer, named->peer_port);
    }
    return first || file->path.len == 0 || cg_str_eq(file->path, named->path);
}

/* Lets an open file be what a decoration that fits names. */
static void take_name(cg_state *state, cg_desc *desc, const cg_named *named)
{
    cg_entry *entry = desc->is.entry, *as = entry;
    const cg_file *file = &entry->file;
    desc->inode = named->inode != 0 ? named->inode : desc->inode;
    if (file->opened_before) {
        bool nameless = named->path.len == 0 && named->local.len + named->peer.len == 0 && named->local_port < 0;
        if (nameless) {
            entry->file.kind = named->kind;
        } else {
            as = cg_file_name(state, entry, named);
        }
    } else if (named->kind == CALLGAUGE_FILE_SOCKET) {
        as = cg_file_ends(state,
                          file->kind == CALLGAUGE_FILE_SOCKET
                              ? entry
                              : cg_file_any(state, &state->files.socket, CALLGAUGE_FILE_SOCKET),
                          named);
    } else if (named->kind == CALLGAUGE_FILE_PIPE && file->kind == CALLGAUGE_FILE_PIPE) {
        as = file->path.len == 0 ? cg_file_name(state, entry, named) : entry;
    } else if (!cg_str_eq(file->path, named->path) && !is_renamed(state, file, named->path)) {
        as = cg_file_named(state, named);
    }
    if (as != NULL && as != entry) {
        cg_desc_bind(desc, as);
    }
}

void cg_decoration_keep(cg_state *state, cg_desc *desc, callgauge_str text)
{
    const cg_entry *entry = desc->is.entry;
    if (entry != NULL && cg_str_eq(entry->file.path, text)) {
        desc->decor = entry->file.path;
        return;
    }
    int64_t id = text.len == 0 ? CG_INTERN_NONE : cg_intern_add(&state->words, text);
    state->nomem = state->nomem || id == CG_INTERN_NOMEM;
    desc->decor = id < 0 ? cg_str(NULL, 0) : state->words.texts[id];
}

cg_desc *cg_decoration_judge(cg_state *state, cg_life *life, int64_t fd, cg_desc *desc, callgauge_str text)
{
    if (desc == NULL || cg_str_eq(desc->decor, text)) {
        return desc;
    }
    bool first = desc->decor.len == 0;
    cg_slot *slot = life->fds == NULL ? NULL : cg_table_find(life->fds->table, fd);
    cg_named named;
    if (slot == NULL || slot->desc != desc || desc->is.entry == NULL || !cg_decoration_read(state, text, &named)) {
        return desc;
    }
    if (fits(state, desc, &named, first)) {
        take_name(state, desc, &named);
        cg_decoration_keep(state, desc, text);
        return desc;
    }
    state->counts.contradictions++;
    cg_desc *other = cg_desc_new(state, cg_file_named(state, &named));
    if (other == NULL) {
        return desc;
    }
    cg_decoration_keep(state, other, text);
    other->inode = named.inode;
    cg_fd_set(state, life, fd, other, slot->cloexec);
    return other;
}

cg_entry *cg_decoration_born(cg_state *state, cg_entry *made, callgauge_str text, uint64_t *inode)
{
    cg_named named;
    *inode = 0;
    if (made != NULL && is_path_kind(made->file.kind) && !made->file.relative && cg_str_eq(made->file.path, text)) {
        return made;
    }
    if (made == NULL || text.len == 0 || !cg_decoration_read(state, text, &named)) {
        return made;
    }
    *inode = named.inode;
    if (named.kind == CALLGAUGE_FILE_SOCKET) {
        return made->file.kind == CALLGAUGE_FILE_SOCKET ? cg_file_ends(state, made, &named)
                                                        : cg_file_named(state, &named);
    }
    if (named.kind == CALLGAUGE_FILE_PIPE && made->file.kind == CALLGAUGE_FILE_PIPE) {
        return made->file.path.len == 0 ? cg_file_name(state, made, &named) : made;
    }
    return cg_str_eq(made->file.path, named.path) && !made->file.relative ? made : cg_file_named(state, &named);
}
