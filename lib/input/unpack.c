/* SPDX-License-Identifier: Apache-2.0 */
/* The thread that unpacks and the ring between it and the reader. A block holds data, or the name of
 * the member that starts there.
 * Invariant: blocks [first, first + count) are full and belong to the reader, the others to the
 * thread; `first`, `count`, `stop` and `done` change under the lock only, and once `done` is set the
 * thread touches nothing any more. */
#include "input/unpack.h"

#include <pthread.h>
#include <string.h>

#include "base/error.h"
#include "base/mem.h"
#include "base/thread.h"

enum { BLOCKS = 4, BLOCK_ROOM = 256 * 1024 };

struct block {
    char *data;
    size_t len;
    bool starts_member; /* `data` is its name, empty: it has none */
    uint64_t consumed;  /* by `inner` when the block was filled */
};

struct unpack {
    cg_stream inner;
    pthread_t thread;
    pthread_mutex_t lock;
    pthread_cond_t filled, emptied;
    struct block blocks[BLOCKS];
    char *room;
    size_t first, count;
    bool stop, done;
    callgauge_status status; /* why the thread ended */
    callgauge_error fault;
    /* The reader's own. */
    size_t taken; /* of the first block */
    char *member;
    uint64_t consumed;
};

/* Gives the thread an empty block; NULL: the reader wants no more. */
static struct block *claim(struct unpack *unpack)
{
    pthread_mutex_lock(&unpack->lock);
    while (unpack->count == BLOCKS && !unpack->stop) {
        pthread_cond_wait(&unpack->emptied, &unpack->lock);
    }
    struct block *block = unpack->stop ? NULL : &unpack->blocks[(unpack->first + unpack->count) % BLOCKS];
    pthread_mutex_unlock(&unpack->lock);
    return block;
}

static void publish(struct unpack *unpack, struct block *block, size_t len, bool starts_member)
{
    block->len = len;
    block->starts_member = starts_member;
    block->consumed = unpack->inner.consumed(unpack->inner.self);
    pthread_mutex_lock(&unpack->lock);
    unpack->count++;
    pthread_cond_signal(&unpack->filled);
    pthread_mutex_unlock(&unpack->lock);
}

static callgauge_status put_member(struct unpack *unpack)
{
    struct block *block = claim(unpack);
    if (block == NULL) {
        return CALLGAUGE_E_STOPPED;
    }
    const char *name = unpack->inner.member(unpack->inner.self);
    size_t len = name == NULL ? 0 : strlen(name);
    len = len < BLOCK_ROOM ? len : BLOCK_ROOM;
    if (len > 0) {
        memcpy(block->data, name, len);
    }
    publish(unpack, block, len, true);
    return CALLGAUGE_OK;
}

static callgauge_status put_data(struct unpack *unpack)
{
    size_t got;
    do {
        struct block *block = claim(unpack);
        if (block == NULL) {
            return CALLGAUGE_E_STOPPED;
        }
        callgauge_status st = unpack->inner.read(unpack->inner.self, block->data, BLOCK_ROOM, &got, &unpack->fault);
        if (st != CALLGAUGE_OK) {
            return st;
        }
        if (got > 0) {
            publish(unpack, block, got, false);
        }
    } while (got > 0);
    return CALLGAUGE_OK;
}

static void *run(void *self)
{
    struct unpack *unpack = self;
    callgauge_status st;
    do {
        st = unpack->inner.next_member(unpack->inner.self, &unpack->fault);
        if (st == CALLGAUGE_OK) {
            st = put_member(unpack);
        }
        if (st == CALLGAUGE_OK) {
            st = put_data(unpack);
        }
    } while (st == CALLGAUGE_OK);
    pthread_mutex_lock(&unpack->lock);
    unpack->status = st;
    unpack->done = true;
    pthread_cond_signal(&unpack->filled);
    pthread_mutex_unlock(&unpack->lock);
    return NULL;
}

/* Waits for a full block; NULL: the thread has ended and everything is taken. */
static struct block *first_block(struct unpack *unpack)
{
    pthread_mutex_lock(&unpack->lock);
    while (unpack->count == 0 && !unpack->done) {
        pthread_cond_wait(&unpack->filled, &unpack->lock);
    }
    struct block *block = unpack->count > 0 ? &unpack->blocks[unpack->first] : NULL;
    pthread_mutex_unlock(&unpack->lock);
    return block;
}

static void give_back(struct unpack *unpack, const struct block *block)
{
    unpack->consumed = block->consumed;
    unpack->taken = 0;
    pthread_mutex_lock(&unpack->lock);
    unpack->first = (unpack->first + 1) % BLOCKS;
    unpack->count--;
    pthread_cond_signal(&unpack->emptied);
    pthread_mutex_unlock(&unpack->lock);
}

static callgauge_status ended(const struct unpack *unpack, callgauge_error *err)
{
    if (unpack->status == CALLGAUGE_END) {
        return CALLGAUGE_END;
    }
    return cg_fail(err, unpack->status, (cg_place){ .name = unpack->fault.source }, "%s", unpack->fault.message);
}

static callgauge_status keep_name(struct unpack *unpack, const struct block *block, callgauge_error *err)
{
    cg_mem_free(unpack->member);
    unpack->member = NULL;
    if (block->len == 0) {
        return CALLGAUGE_OK;
    }
    unpack->member = cg_mem_alloc(block->len + 1);
    if (unpack->member == NULL) {
        return cg_fail_nomem(err);
    }
    memcpy(unpack->member, block->data, block->len);
    unpack->member[block->len] = '\0';
    return CALLGAUGE_OK;
}

static callgauge_status unpack_next_member(void *self, callgauge_error *err)
{
    struct unpack *unpack = self;
    struct block *block;
    while ((block = first_block(unpack)) != NULL && !block->starts_member) {
        give_back(unpack, block);
    }
    if (block == NULL) {
        return ended(unpack, err);
    }
    callgauge_status st = keep_name(unpack, block, err);
    if (st == CALLGAUGE_OK) {
        give_back(unpack, block);
    }
    return st;
}

static callgauge_status unpack_read(void *self, char *to, size_t room, size_t *got, callgauge_error *err)
{
    struct unpack *unpack = self;
    struct block *block = first_block(unpack);
    if (block == NULL && ended(unpack, err) != CALLGAUGE_END) {
        return unpack->status;
    }
    if (block == NULL || block->starts_member) {
        *got = 0;
        return CALLGAUGE_OK;
    }
    size_t left = block->len - unpack->taken;
    size_t n = left < room ? left : room;
    memcpy(to, block->data + unpack->taken, n);
    unpack->taken += n;
    if (n == left) {
        give_back(unpack, block);
    }
    *got = n;
    return CALLGAUGE_OK;
}

static const char *unpack_member(const void *self)
{
    const struct unpack *unpack = self;
    return unpack->member;
}

static uint64_t unpack_consumed(const void *self)
{
    const struct unpack *unpack = self;
    return unpack->consumed;
}

static void release_ring(struct unpack *unpack)
{
    pthread_cond_destroy(&unpack->emptied);
    pthread_cond_destroy(&unpack->filled);
    pthread_mutex_destroy(&unpack->lock);
    cg_mem_free(unpack->member);
    cg_mem_free(unpack->room);
    cg_mem_free(unpack);
}

static void unpack_free(void *self)
{
    struct unpack *unpack = self;
    pthread_mutex_lock(&unpack->lock);
    unpack->stop = true;
    pthread_cond_signal(&unpack->emptied);
    pthread_mutex_unlock(&unpack->lock);
    pthread_join(unpack->thread, NULL);
    unpack->inner.free(unpack->inner.self);
    release_ring(unpack);
}

static struct unpack *new_ring(cg_stream inner)
{
    struct unpack *unpack = cg_mem_zeroed(1, sizeof *unpack);
    char *room = cg_mem_alloc((size_t)BLOCKS * BLOCK_ROOM);
    if (unpack == NULL || room == NULL) {
        cg_mem_free(room);
        cg_mem_free(unpack);
        return NULL;
    }
    unpack->inner = inner;
    unpack->room = room;
    unpack->fault = (callgauge_error)CALLGAUGE_ERROR_INIT;
    for (size_t i = 0; i < BLOCKS; i++) {
        unpack->blocks[i].data = room + i * BLOCK_ROOM;
    }
    pthread_mutex_init(&unpack->lock, NULL);
    pthread_cond_init(&unpack->filled, NULL);
    pthread_cond_init(&unpack->emptied, NULL);
    return unpack;
}

callgauge_status cg_unpack_start(cg_stream inner, cg_stream *out, callgauge_error *err)
{
    struct unpack *unpack = new_ring(inner);
    if (unpack == NULL) {
        return cg_fail_nomem(err);
    }
    if (!cg_thread_start(&unpack->thread, run, unpack)) {
        release_ring(unpack);
        *out = inner;
        return CALLGAUGE_OK;
    }
    *out = (cg_stream){ unpack, unpack_next_member, unpack_read, unpack_member, unpack_consumed, unpack_free };
    return CALLGAUGE_OK;
}
