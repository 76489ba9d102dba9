/* SPDX-License-Identifier: Apache-2.0 */
/* Calls whose result has not been seen: a hash table with open addressing and backward-shift removal. */
#include "event/open_calls.h"

#include <stdlib.h>
#include <string.h>

#include "base/mem.h"

enum {
    FIRST_SLOTS = 64,
    MOST_SEARCHED = 256 /* open calls among which one is looked for by its name */
};

void cg_open_init(cg_open_calls *open, size_t max_calls, size_t max_bytes)
{
    *open = (cg_open_calls){ .max_calls = max_calls, .max_bytes = max_bytes };
}

void cg_open_release(cg_open_calls *open)
{
    for (size_t i = 0; open->slots != NULL && i <= open->mask; i++) {
        cg_mem_free(open->slots[i].args);
    }
    while (open->spare_count > 0) {
        cg_mem_free(open->spares[--open->spare_count]);
    }
    cg_mem_free(open->slots);
    *open = (cg_open_calls){ .max_calls = open->max_calls, .max_bytes = open->max_bytes };
}

/* A copy of arguments; NULL: no memory. */
static char *keep_args(cg_open_calls *open, callgauge_str args)
{
    bool is_short = args.len <= CG_OPEN_SPARE_BYTES;
    char *copy = is_short && open->spare_count > 0 ? open->spares[--open->spare_count]
                                                   : cg_mem_alloc(is_short ? CG_OPEN_SPARE_BYTES : args.len);
    if (copy != NULL) {
        memcpy(copy, args.ptr, args.len);
    }
    return copy;
}

static void forget_args(cg_open_calls *open, char *args, size_t len)
{
    if (args != NULL && len <= CG_OPEN_SPARE_BYTES && open->spare_count < CG_OPEN_SPARES) {
        open->spares[open->spare_count++] = args;
    } else {
        cg_mem_free(args);
    }
}

/* The last three digits of a key's pid as they are printed. */
static uint32_t last_digits(uint64_t key)
{
    uint32_t pid = (uint32_t)(key >> 32), digits = '0' + pid % 10;
    for (int i = 0; i < 2; i++) {
        pid /= 10;
        digits = digits << 8 | (pid == 0 ? 0 : '0' + pid % 10);
    }
    return digits;
}

static uint32_t *of_its_kind(cg_open_calls *open, uint64_t key)
{
    return &open->by_pid[cg_open_pid_kind(last_digits(key))];
}

static cg_open_call *free_slot(cg_open_calls *open, uint64_t key)
{
    size_t at = cg_open_home(open, key);
    while (open->slots[at].call != NULL) {
        at = (at + 1) & open->mask;
    }
    return &open->slots[at];
}

static bool grow(cg_open_calls *open)
{
    size_t count = open->slots == NULL ? FIRST_SLOTS : (open->mask + 1) * 2;
    cg_open_calls bigger = *open;
    bigger.slots = cg_mem_zeroed(count, sizeof *bigger.slots);
    if (bigger.slots == NULL) {
        return false;
    }
    bigger.mask = count - 1;
    for (size_t i = 0; open->slots != NULL && i <= open->mask; i++) {
        if (open->slots[i].call != NULL) {
            *free_slot(&bigger, open->slots[i].key) = open->slots[i];
        }
    }
    cg_mem_free(open->slots);
    *open = bigger;
    return true;
}

bool cg_open_put(cg_open_calls *open, uint64_t key, const callgauge_call_name *call, callgauge_str args,
                 cg_open_call **out)
{
    *out = NULL;
    if (open->count >= open->max_calls) {
        open->dropped_calls++;
        return true;
    }
    if ((open->slots == NULL || open->count * 2 >= open->mask) && !grow(open)) {
        return false;
    }
    char *copy = NULL;
    if (args.len > 0 && args.len <= UINT32_MAX && args.len <= open->max_bytes - open->bytes) {
        copy = keep_args(open, args);
        if (copy == NULL) {
            return false;
        }
        open->bytes += args.len;
    } else {
        open->dropped_bytes += args.len;
    }
    cg_open_call *entry = free_slot(open, key);
    *entry = (cg_open_call){
        .key = key, .call = call, .start_ns = INT64_MIN, .args = copy, .args_len = copy == NULL ? 0 : (uint32_t)args.len
    };
    open->count++;
    ++*of_its_kind(open, key);
    *out = entry;
    return true;
}

static void shift_back(cg_open_calls *open, cg_open_call *entry)
{
    size_t hole = (size_t)(entry - open->slots);
    for (size_t at = (hole + 1) & open->mask; open->slots[at].call != NULL; at = (at + 1) & open->mask) {
        size_t from_home = (at - cg_open_home(open, open->slots[at].key)) & open->mask;
        if (from_home >= ((at - hole) & open->mask)) {
            open->slots[hole] = open->slots[at];
            hole = at;
        }
    }
    open->slots[hole] = (cg_open_call){ 0 };
}

void cg_open_drop(cg_open_calls *open, cg_open_call *entry)
{
    open->bytes -= entry->args_len;
    forget_args(open, entry->args, entry->args_len);
    open->count--;
    --*of_its_kind(open, entry->key);
    if (open->sorted) {
        *entry = (cg_open_call){ 0 };
    } else {
        shift_back(open, entry);
    }
}

static int by_place(const void *a, const void *b)
{
    const cg_open_call *left = a, *right = b;
    if (left->line != right->line) {
        return left->line < right->line ? -1 : 1;
    }
    return left->key < right->key ? -1 : left->key > right->key;
}

/* Makes of the hash table an array of its entries in the order of their lines. */
static void sort(cg_open_calls *open)
{
    size_t count = 0;
    for (size_t i = 0; i <= open->mask; i++) {
        if (open->slots[i].call != NULL) {
            cg_open_call entry = open->slots[i];
            open->slots[i] = (cg_open_call){ 0 };
            open->slots[count++] = entry;
        }
    }
    qsort(open->slots, count, sizeof *open->slots, by_place);
    open->sorted = true;
    open->at = 0;
}

cg_open_call *cg_open_oldest(cg_open_calls *open)
{
    if (open->count == 0) {
        return NULL;
    }
    if (!open->sorted) {
        sort(open);
    }
    while (open->slots[open->at].call == NULL) {
        open->at++;
    }
    return &open->slots[open->at];
}

cg_open_call *cg_open_only(cg_open_calls *open, const callgauge_call_name *call)
{
    cg_open_call *only = NULL;
    if (open->count > MOST_SEARCHED) {
        return NULL;
    }
    for (size_t i = 0; open->count > 0 && i <= open->mask; i++) {
        if (open->slots[i].call == call) {
            if (only != NULL) {
                return NULL;
            }
            only = &open->slots[i];
        }
    }
    return only;
}
