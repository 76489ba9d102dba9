/* SPDX-License-Identifier: Apache-2.0 */
/* Any bytes as a listing of descriptors: what is taken is sorted, without doubles, and found again; what is refused
 * says where. The same text with carriage returns at its line ends gives the same. */
#include <stdlib.h>
#include <string.h>

#include "base/str.h"
#include "state/listing.h"

int LLVMFuzzerTestOneInput(const uint8_t *data, size_t size);

static void require(bool held)
{
    if (!held) {
        abort();
    }
}

static void check_rows(const cg_listing *listing)
{
    require(listing->pid_count > 0);
    for (size_t i = 1; i < listing->pid_count; i++) {
        require(listing->pids[i - 1] < listing->pids[i]);
    }
    for (size_t i = 0; i < listing->count; i++) {
        const cg_listed *row = &listing->rows[i], *before = i == 0 ? NULL : row - 1;
        require(before == NULL || before->pid < row->pid || (before->pid == row->pid && before->fd < row->fd));
        require(cg_listing_has_pid(listing, row->pid) && cg_listing_find(listing, row->pid, row->fd) == row);
        require(row->fd >= 0 && row->local_port >= -1 && row->local_port <= 65535);
        require(row->peer_port >= -1 && row->peer_port <= 65535);
        require(memchr(row->path.len > 0 ? row->path.ptr : "", '\0', row->path.len) == NULL);
    }
}

static void check_error(const callgauge_error *err, size_t size)
{
    require(err->status == CALLGAUGE_E_FORMAT && err->message[0] != '\0');
    require(err->offset <= size && (err->line > 0) == (err->column > 0));
}

static char *with_returns(const char *text, size_t size, size_t *len)
{
    char *out = malloc(2 * size + 1);
    require(out != NULL);
    *len = 0;
    for (size_t i = 0; i < size; i++) {
        if (text[i] == '\n' && (i == 0 || text[i - 1] != '\r')) {
            out[(*len)++] = '\r';
        }
        out[(*len)++] = text[i];
    }
    return out;
}

static void require_equal(const cg_listing *a, const cg_listing *b)
{
    require(a->count == b->count && a->pid_count == b->pid_count);
    for (size_t i = 0; i < a->count; i++) {
        const cg_listed *x = &a->rows[i], *y = &b->rows[i];
        require(x->pid == y->pid && x->fd == y->fd && x->kind == y->kind && x->offset == y->offset);
        require(cg_str_eq(x->path, y->path) && cg_str_eq(x->local, y->local) && cg_str_eq(x->peer, y->peer));
        require(x->local_port == y->local_port && x->peer_port == y->peer_port && x->deleted == y->deleted);
    }
}

int LLVMFuzzerTestOneInput(const uint8_t *data, size_t size)
{
    callgauge_error err = CALLGAUGE_ERROR_INIT, err2 = CALLGAUGE_ERROR_INIT;
    cg_listing plain = { 0 }, returned = { 0 };
    size_t len;
    const char *text = (const char *)data;
    char *other = with_returns(text, size, &len);
    callgauge_status status = cg_listing_read("fuzz", cg_str(text, size), &plain, &err);
    callgauge_status status2 = cg_listing_read("fuzz", cg_str(other, len), &returned, &err2);
    free(other);
    require(status == status2 && err.line == err2.line && strcmp(err.message, err2.message) == 0);
    if (status == CALLGAUGE_OK) {
        check_rows(&plain);
        require_equal(&plain, &returned);
    } else {
        check_error(&err, size);
    }
    cg_listing_release(&plain);
    cg_listing_release(&returned);
    return 0;
}
