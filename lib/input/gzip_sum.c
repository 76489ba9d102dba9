/* SPDX-License-Identifier: Apache-2.0 */
/* From a gzip file's bytes and what they unpack to, to whether both agree (RFC 1952). Where members
 * follow one another, the end of one is found by the header of the next: the eight bytes before it are
 * the sum and the size. A header is ten bytes of which four and a half are known, so one that is none
 * is met in some hundred GB.
 * Invariant: `crc` and `size` are those of the unpacked bytes since the last member that was right;
 * ends [first, count) were read in the file and not reached by the unpacked bytes. */
#include "input/gzip_sum.h"

#include <string.h>

#include "base/mem.h"

/* Ends that wait: at most one for each byte of the block that libarchive unpacks at a time. More are
 * met only behind a member that was wrong. */
enum { MOST_ENDS = 1 << 17 };

struct end {
    uint32_t crc, size;
};

struct cg_gzip_sum {
    /* The last 18 bytes of the file, the oldest one lowest: an end, a header's first four bytes, its rest. */
    uint64_t before;
    uint32_t head;
    uint64_t rest;
    uint32_t crc, size;
    struct end *ends;
    size_t first, count, room;
    bool wrong;
    uint32_t table[8][256];
};

cg_gzip_sum *cg_gzip_sum_new(void)
{
    cg_gzip_sum *sum = cg_mem_zeroed(1, sizeof *sum);
    if (sum == NULL) {
        return NULL;
    }
    for (uint32_t i = 0; i < 256; i++) {
        uint32_t crc = i;
        for (int bit = 0; bit < 8; bit++) {
            crc = crc >> 1 ^ (crc & 1 ? 0xEDB88320u : 0);
        }
        sum->table[0][i] = crc;
    }
    for (size_t k = 1; k < 8; k++) {
        for (size_t i = 0; i < 256; i++) {
            uint32_t crc = sum->table[k - 1][i];
            sum->table[k][i] = crc >> 8 ^ sum->table[0][crc & 255];
        }
    }
    return sum;
}

static uint32_t word_at(const unsigned char *p)
{
    return (uint32_t)p[0] | (uint32_t)p[1] << 8 | (uint32_t)p[2] << 16 | (uint32_t)p[3] << 24;
}

/* CRC-32, eight bytes at a time. */
static uint32_t crc_add(const cg_gzip_sum *sum, uint32_t crc, const char *data, size_t len)
{
    const unsigned char *p = (const unsigned char *)data;
    const uint32_t(*table)[256] = sum->table;
    crc = ~crc;
    for (; len >= 8; p += 8, len -= 8) {
        uint32_t low = crc ^ word_at(p);
        uint32_t high = word_at(p + 4);
        crc = table[7][low & 255] ^ table[6][low >> 8 & 255] ^ table[5][low >> 16 & 255] ^ table[4][low >> 24] ^
              table[3][high & 255] ^ table[2][high >> 8 & 255] ^ table[1][high >> 16 & 255] ^ table[0][high >> 24];
    }
    for (; len > 0; p++, len--) {
        crc = crc >> 8 ^ table[0][(crc ^ *p) & 255];
    }
    return ~crc;
}

/* Whether a member's header was the last that passed: deflate, known flags, strength and system. */
static bool at_header(const cg_gzip_sum *sum)
{
    unsigned strength = (unsigned)(sum->rest >> 32) & 255;
    unsigned system = (unsigned)(sum->rest >> 40) & 255;
    return (sum->head & 0xE0FFFFFFu) == 0x00088B1Fu && (strength == 0 || strength == 2 || strength == 4) &&
           (system <= 13 || system == 255);
}

static bool add_end(cg_gzip_sum *sum, struct end end)
{
    if (sum->wrong || (end.size == 0 && end.crc == 0)) {
        return true; /* an empty member, or none before the first header */
    }
    if (sum->first == sum->count) {
        sum->first = sum->count = 0;
    }
    if (sum->count == MOST_ENDS) {
        sum->wrong = true;
        return true;
    }
    if (sum->count == sum->room) {
        size_t room = sum->room == 0 ? 16 : sum->room * 2;
        struct end *ends = cg_mem_resize(sum->ends, room * sizeof *ends);
        if (ends == NULL) {
            return false;
        }
        sum->ends = ends;
        sum->room = room;
    }
    sum->ends[sum->count++] = end;
    return true;
}

bool cg_gzip_sum_packed(cg_gzip_sum *sum, const char *data, size_t len)
{
    for (size_t i = 0; i < len; i++) {
        sum->before = sum->before >> 8 | (uint64_t)(sum->head & 255) << 56;
        sum->head = sum->head >> 8 | (uint32_t)(sum->rest & 255) << 24;
        sum->rest = sum->rest >> 8 | (uint64_t)(unsigned char)data[i] << 40;
        if (at_header(sum) && !add_end(sum, (struct end){ (uint32_t)sum->before, (uint32_t)(sum->before >> 32) })) {
            return false;
        }
    }
    return true;
}

static bool reached(const cg_gzip_sum *sum, struct end end)
{
    return sum->size == end.size && sum->crc == end.crc;
}

/* Begins the next member where the first end that waits is reached. */
static void pass_end(cg_gzip_sum *sum)
{
    if (sum->first < sum->count && reached(sum, sum->ends[sum->first])) {
        sum->first++;
        sum->crc = sum->size = 0;
    }
}

void cg_gzip_sum_unpacked(cg_gzip_sum *sum, const char *data, size_t len)
{
    while (len > 0) {
        pass_end(sum);
        uint32_t left = sum->first < sum->count ? sum->ends[sum->first].size - sum->size : 0; /* sizes wrap at 4 GiB */
        size_t n = left > 0 && left < len ? left : len;
        sum->crc = crc_add(sum, sum->crc, data, n);
        sum->size += (uint32_t)n;
        data += n;
        len -= n;
    }
}

bool cg_gzip_sum_end(cg_gzip_sum *sum)
{
    uint64_t last = (uint64_t)(sum->head >> 16) | sum->rest << 16;
    pass_end(sum); /* only empty members may follow it */
    return !sum->wrong && sum->first == sum->count &&
           reached(sum, (struct end){ (uint32_t)last, (uint32_t)(last >> 32) });
}

void cg_gzip_sum_free(cg_gzip_sum *sum)
{
    if (sum != NULL) {
        cg_mem_free(sum->ends);
        cg_mem_free(sum);
    }
}
