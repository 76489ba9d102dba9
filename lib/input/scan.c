/* SPDX-License-Identifier: Apache-2.0 */
/* Places in text: with AVX-512, AVX2 or SSE2 where the processor has them, a byte at a time elsewhere. A word of 64
 * bytes becomes a bitmap, and that a list of places.
 * The lines of strace have no TABs: so one comparison finds their ends, NULs and bytes above 0x7f alike, and a TAB or
 * another control character passes for a byte that is not for fast paths. */
#include "input/scan.h"

#if defined(__x86_64__)
#include <immintrin.h>

#define HOT static inline __attribute__((always_inline))

/* Writes the places of the set bits. */
HOT uint32_t *put_all(uint64_t hits, uint32_t base, uint32_t *out)
{
    for (; hits != 0; hits &= hits - 1) {
        *out++ = base + (uint32_t)__builtin_ctzll(hits);
    }
    return out;
}

HOT __m128i hits16(const char *at, bool errors)
{
    __m128i here = _mm_loadu_si128((const __m128i *)(const void *)at);
    __m128i next = _mm_loadu_si128((const __m128i *)(const void *)(at + 1));
    __m128i equals = _mm_cmpeq_epi8(here, _mm_set1_epi8('='));
    if (!errors) {
        __m128i blank = _mm_cmpeq_epi8(next, _mm_set1_epi8(' '));
        return _mm_or_si128(_mm_cmplt_epi8(here, _mm_set1_epi8('\n' + 1)), _mm_and_si128(equals, blank));
    }
    __m128i blank = _mm_cmplt_epi8(next, _mm_set1_epi8(' ' + 1)), error = _mm_cmpeq_epi8(here, _mm_set1_epi8('#'));
    __m128i end = _mm_cmpeq_epi8(here, _mm_set1_epi8('\n')), odd = _mm_cmplt_epi8(here, _mm_set1_epi8(1));
    return _mm_or_si128(_mm_or_si128(end, odd), _mm_or_si128(error, _mm_and_si128(equals, blank)));
}

HOT size_t scan_sse2(const char *text, size_t count, bool errors, uint32_t base, uint32_t *out)
{
    uint32_t *next = out;
    for (size_t w = 0; w < count; w++, text += 64, base += 64) {
        uint64_t hits = 0;
        for (int i = 0; i < 4; i++) {
            hits |= (uint64_t)(uint32_t)_mm_movemask_epi8(hits16(text + 16 * i, errors)) << (16 * i);
        }
        next = put_all(hits, base, next);
    }
    return (size_t)(next - out);
}

#define AVX2 __attribute__((target("avx2,bmi,popcnt")))

/* Most words have two hits or fewer: those are written without asking how many there are. */
AVX2 HOT uint32_t *put_two(uint64_t hits, uint32_t base, uint32_t *out)
{
    uint32_t *behind = out + _mm_popcnt_u64(hits);
    uint64_t left = _blsr_u64(hits);
    out[0] = base + (uint32_t)_tzcnt_u64(hits);
    out[1] = base + (uint32_t)_tzcnt_u64(left);
    if (behind > out + 2) {
        put_all(_blsr_u64(left), base, out + 2);
    }
    return behind;
}

/* `least`: a byte below it is a hit. Where the compiler knew its value, it would take two steps for one. */
AVX2 HOT uint64_t hits32(const char *at, bool errors, __m256i least)
{
    __m256i here = _mm256_loadu_si256((const __m256i *)(const void *)at);
    __m256i next = _mm256_loadu_si256((const __m256i *)(const void *)(at + 1));
    __m256i equals = _mm256_cmpeq_epi8(here, _mm256_set1_epi8('=')), hits = _mm256_cmpgt_epi8(least, here), blank;
    if (errors) {
        blank = _mm256_cmpgt_epi8(_mm256_add_epi8(least, _mm256_set1_epi8(' ')), next);
        hits = _mm256_or_si256(hits, _mm256_cmpeq_epi8(here, _mm256_set1_epi8('#')));
        hits = _mm256_or_si256(hits, _mm256_cmpeq_epi8(here, _mm256_set1_epi8('\n')));
    } else {
        blank = _mm256_cmpeq_epi8(next, _mm256_set1_epi8(' '));
    }
    return (uint32_t)_mm256_movemask_epi8(_mm256_or_si256(hits, _mm256_and_si256(equals, blank)));
}

AVX2 HOT size_t scan_avx2(const char *text, size_t count, bool errors, char below, uint32_t base, uint32_t *out)
{
    const __m256i least = _mm256_set1_epi8(below);
    uint32_t *next = out;
    for (const char *end = text + 64 * count; text < end; text += 64, base += 64) {
        next = put_two(hits32(text, errors, least) | hits32(text + 32, errors, least) << 32, base, next);
    }
    return (size_t)(next - out);
}

#define AVX512 __attribute__((target("avx512bw,avx2,bmi,popcnt")))

AVX512 HOT uint64_t hits64(const char *at, bool errors)
{
    __m512i here = _mm512_loadu_si512(at), next = _mm512_loadu_si512(at + 1);
    uint64_t equals = _mm512_cmpeq_epi8_mask(here, _mm512_set1_epi8('='));
    if (!errors) {
        uint64_t blank = _mm512_cmpeq_epi8_mask(next, _mm512_set1_epi8(' '));
        return _mm512_cmplt_epi8_mask(here, _mm512_set1_epi8('\n' + 1)) | (equals & blank);
    }
    uint64_t blank = _mm512_cmplt_epi8_mask(next, _mm512_set1_epi8(' ' + 1));
    return _mm512_cmplt_epi8_mask(here, _mm512_set1_epi8(1)) | _mm512_cmpeq_epi8_mask(here, _mm512_set1_epi8('\n')) |
           _mm512_cmpeq_epi8_mask(here, _mm512_set1_epi8('#')) | (equals & blank);
}

AVX512 HOT size_t scan_avx512(const char *text, size_t count, bool errors, uint32_t base, uint32_t *out)
{
    uint32_t *next = out;
    for (const char *end = text + 64 * count; text < end; text += 64, base += 64) {
        next = put_two(hits64(text, errors), base, next);
    }
    return (size_t)(next - out);
}

/* Each loop twice, so that what is asked for is settled before it begins. */
AVX512 static size_t scan_by_avx512(const char *text, size_t count, bool errors, uint32_t base, uint32_t *out)
{
    return errors ? scan_avx512(text, count, true, base, out) : scan_avx512(text, count, false, base, out);
}

AVX2 static size_t scan_by_avx2(const char *text, size_t count, bool errors, char below, uint32_t base, uint32_t *out)
{
    return errors ? scan_avx2(text, count, true, below, base, out) : scan_avx2(text, count, false, below, base, out);
}

size_t cg_scan(const char *text, size_t count, bool errors, uint32_t base, uint32_t *out)
{
    if (__builtin_cpu_supports("avx512bw")) {
        return scan_by_avx512(text, count, errors, base, out);
    }
    if (__builtin_cpu_supports("avx2") && __builtin_cpu_supports("bmi")) {
        return scan_by_avx2(text, count, errors, errors ? 1 : '\n' + 1, base, out);
    }
    return errors ? scan_sse2(text, count, true, base, out) : scan_sse2(text, count, false, base, out);
}

#else

static bool is_hit(const char *at, bool errors)
{
    unsigned char here = (unsigned char)*at, next = (unsigned char)at[1];
    if (*at == '=') {
        return next == ' ' || (errors && (next < ' ' || next > 0x7f));
    }
    return here > 0x7f || *at == '\n' || (errors ? *at == '#' || here == 0 : here < '\n');
}

size_t cg_scan(const char *text, size_t count, bool errors, uint32_t base, uint32_t *out)
{
    uint32_t *next = out;
    for (uint32_t i = 0; i < 64 * count; i++) {
        *next = base + i;
        next += is_hit(text + i, errors);
    }
    return (size_t)(next - out);
}

#endif
