/* SPDX-License-Identifier: Apache-2.0 */
/* Bitmaps over text: AVX-512, AVX2 or SSE2 where the processor has them, a byte at a time elsewhere. */
#include "input/scan.h"

#include <string.h>

#if defined(__x86_64__)
#include <immintrin.h>

#define HOT static inline __attribute__((always_inline))

HOT uint64_t mask16(__m128i bits)
{
    return (uint32_t)_mm_movemask_epi8(bits);
}

HOT __m128i marks16(const char *at, __m128i here, bool errors)
{
    __m128i before = _mm_loadu_si128((const __m128i *)(const void *)(at - 1));
    __m128i equals = _mm_cmpeq_epi8(here, _mm_set1_epi8('=')), blank = _mm_cmpeq_epi8(before, _mm_set1_epi8(' '));
    if (!errors) {
        return _mm_and_si128(equals, blank);
    }
    __m128i tab = _mm_cmpeq_epi8(before, _mm_set1_epi8('\t')), r = _mm_cmpeq_epi8(before, _mm_set1_epi8('r'));
    __m128i error = _mm_and_si128(_mm_cmpeq_epi8(here, _mm_set1_epi8('#')), r);
    return _mm_or_si128(_mm_and_si128(equals, _mm_or_si128(blank, tab)), error);
}

HOT bool scan_sse2(const char *text, size_t count, bool errors, uint64_t *nl, uint64_t *marks)
{
    __m128i any = _mm_setzero_si128(), least = _mm_set1_epi8(-1);
    for (size_t w = 0; w < count; w++) {
        uint64_t lines = 0, found = 0;
        for (int i = 0; i < 4; i++) {
            const char *at = text + w * 64 + i * 16;
            __m128i here = _mm_loadu_si128((const __m128i *)(const void *)at);
            any = _mm_or_si128(any, here);
            least = _mm_min_epu8(least, here);
            lines |= mask16(_mm_cmpeq_epi8(here, _mm_set1_epi8('\n'))) << (16 * i);
            found |= mask16(marks16(at, here, errors)) << (16 * i);
        }
        nl[w] = lines;
        marks[w] = found;
    }
    return (mask16(any) | mask16(_mm_cmpeq_epi8(least, _mm_setzero_si128()))) != 0;
}

#define AVX2 __attribute__((target("avx2")))

AVX2 HOT uint64_t mask32(__m256i bits)
{
    return (uint32_t)_mm256_movemask_epi8(bits);
}

AVX2 HOT __m256i marks32(const char *at, __m256i here, bool errors)
{
    __m256i before = _mm256_loadu_si256((const __m256i *)(const void *)(at - 1));
    __m256i equals = _mm256_cmpeq_epi8(here, _mm256_set1_epi8('=')),
            blank = _mm256_cmpeq_epi8(before, _mm256_set1_epi8(' '));
    if (!errors) {
        return _mm256_and_si256(equals, blank);
    }
    __m256i tab = _mm256_cmpeq_epi8(before, _mm256_set1_epi8('\t')),
            r = _mm256_cmpeq_epi8(before, _mm256_set1_epi8('r'));
    __m256i error = _mm256_and_si256(_mm256_cmpeq_epi8(here, _mm256_set1_epi8('#')), r);
    return _mm256_or_si256(_mm256_and_si256(equals, _mm256_or_si256(blank, tab)), error);
}

AVX2 HOT bool scan_avx2(const char *text, size_t count, bool errors, uint64_t *nl, uint64_t *marks)
{
    const __m256i newline = _mm256_set1_epi8('\n');
    __m256i any = _mm256_setzero_si256(), least = _mm256_set1_epi8(-1);
    for (size_t w = 0; w < count; w++) {
        const char *at = text + w * 64;
        __m256i low = _mm256_loadu_si256((const __m256i *)(const void *)at);
        __m256i high = _mm256_loadu_si256((const __m256i *)(const void *)(at + 32));
        any = _mm256_or_si256(any, _mm256_or_si256(low, high));
        least = _mm256_min_epu8(least, _mm256_min_epu8(low, high));
        marks[w] = mask32(marks32(at, low, errors)) | mask32(marks32(at + 32, high, errors)) << 32;
        nl[w] = mask32(_mm256_cmpeq_epi8(low, newline)) | mask32(_mm256_cmpeq_epi8(high, newline)) << 32;
    }
    return (mask32(any) | mask32(_mm256_cmpeq_epi8(least, _mm256_setzero_si256()))) != 0;
}

#define AVX512 __attribute__((target("avx512bw")))

AVX512 HOT bool scan_avx512(const char *text, size_t count, bool errors, uint64_t *nl, uint64_t *marks)
{
    uint64_t odd = 0;
    for (size_t w = 0; w < count; w++) {
        const char *at = text + w * 64;
        __m512i here = _mm512_loadu_si512(at), before = _mm512_loadu_si512(at - 1);
        uint64_t blank = _mm512_cmpeq_epi8_mask(before, _mm512_set1_epi8(' '));
        uint64_t found = 0;
        if (errors) {
            blank |= _mm512_cmpeq_epi8_mask(before, _mm512_set1_epi8('\t'));
            found = _mm512_cmpeq_epi8_mask(here, _mm512_set1_epi8('#')) &
                    _mm512_cmpeq_epi8_mask(before, _mm512_set1_epi8('r'));
        }
        found |= _mm512_cmpeq_epi8_mask(here, _mm512_set1_epi8('=')) & blank;
        nl[w] = _mm512_cmpeq_epi8_mask(here, _mm512_set1_epi8('\n'));
        marks[w] = found;
        odd |= _mm512_movepi8_mask(here) | _mm512_testn_epi8_mask(here, here);
    }
    return odd != 0;
}

/* Each loop twice, so that what is asked for is settled before it begins. */
AVX512 static bool scan_by_avx512(const char *text, size_t count, bool errors, uint64_t *nl, uint64_t *marks)
{
    return errors ? scan_avx512(text, count, true, nl, marks) : scan_avx512(text, count, false, nl, marks);
}

AVX2 static bool scan_by_avx2(const char *text, size_t count, bool errors, uint64_t *nl, uint64_t *marks)
{
    return errors ? scan_avx2(text, count, true, nl, marks) : scan_avx2(text, count, false, nl, marks);
}

static bool scan(const char *text, size_t count, bool errors, uint64_t *nl, uint64_t *marks)
{
    if (__builtin_cpu_supports("avx512bw")) {
        return scan_by_avx512(text, count, errors, nl, marks);
    }
    if (__builtin_cpu_supports("avx2")) {
        return scan_by_avx2(text, count, errors, nl, marks);
    }
    return errors ? scan_sse2(text, count, true, nl, marks) : scan_sse2(text, count, false, nl, marks);
}

#else

static bool scan(const char *text, size_t count, bool errors, uint64_t *nl, uint64_t *marks)
{
    bool odd = false;
    for (size_t w = 0; w < count; w++) {
        uint64_t lines = 0, found = 0;
        for (int i = 0; i < 64; i++) {
            const char *at = text + w * 64 + i;
            unsigned char here = (unsigned char)*at, before = (unsigned char)at[-1];
            bool result = here == '=' && (before == ' ' || (errors && before == '\t'));
            lines |= (uint64_t)(here == '\n') << i;
            found |= (uint64_t)(result || (errors && here == '#' && before == 'r')) << i;
            odd = odd || here == '\0' || here > 0x7f;
        }
        nl[w] = lines;
        marks[w] = found;
    }
    return odd;
}

#endif

static bool is_odd_word(const char *at)
{
    for (int i = 0; i < 64; i++) {
        if (at[i] == '\0' || (unsigned char)at[i] > 0x7f) {
            return true;
        }
    }
    return false;
}

void cg_scan(const char *text, size_t count, bool errors, uint64_t *nl, uint64_t *marks)
{
    if (!scan(text, count, errors, nl, marks)) {
        return;
    }
    for (size_t w = 0; w < count; w++) {
        if (is_odd_word(text + w * 64)) {
            marks[w] = ~(uint64_t)0;
        }
    }
}
