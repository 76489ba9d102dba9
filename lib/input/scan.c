/* SPDX-License-Identifier: Apache-2.0 */
/* Bitmaps over text: SSE2 or AVX2 where the processor has them, 8 bytes at a time elsewhere. */
#include "input/scan.h"

#include <string.h>

#if defined(__x86_64__)
#include <immintrin.h>

static inline uint64_t mask16(__m128i bits)
{
    return (uint32_t)_mm_movemask_epi8(bits);
}

static void scan_sse2(const char *text, size_t count, uint64_t *nl, uint64_t *marks, uint8_t *odd)
{
    const __m128i newline = _mm_set1_epi8('\n'), equals = _mm_set1_epi8('='), hash = _mm_set1_epi8('#');
    const __m128i r = _mm_set1_epi8('r'), above_blank = _mm_set1_epi8(0x21), one = _mm_set1_epi8(1);
    for (size_t w = 0; w < count; w++) {
        uint64_t lines = 0, found = 0;
        __m128i any = _mm_setzero_si128();
        for (int i = 0; i < 4; i++) {
            const char *at = text + w * 64 + i * 16;
            __m128i here = _mm_loadu_si128((const __m128i *)(const void *)at);
            __m128i before = _mm_loadu_si128((const __m128i *)(const void *)(at - 1));
            __m128i result = _mm_and_si128(_mm_cmpeq_epi8(here, equals), _mm_cmpgt_epi8(above_blank, before));
            __m128i error = _mm_and_si128(_mm_cmpeq_epi8(here, hash), _mm_cmpeq_epi8(before, r));
            any = _mm_or_si128(any, _mm_or_si128(here, _mm_sub_epi8(here, one)));
            lines |= mask16(_mm_cmpeq_epi8(here, newline)) << (16 * i);
            found |= mask16(_mm_or_si128(result, error)) << (16 * i);
        }
        nl[w] = lines;
        marks[w] = found;
        odd[w] = mask16(any) != 0;
    }
}

__attribute__((target("avx2"))) static void scan_avx2(const char *text, size_t count, uint64_t *nl, uint64_t *marks,
                                                      uint8_t *odd)
{
    const __m256i newline = _mm256_set1_epi8('\n'), equals = _mm256_set1_epi8('='), hash = _mm256_set1_epi8('#');
    const __m256i r = _mm256_set1_epi8('r'), above_blank = _mm256_set1_epi8(0x21), one = _mm256_set1_epi8(1);
    for (size_t w = 0; w < count; w++) {
        uint64_t lines = 0, found = 0;
        __m256i any = _mm256_setzero_si256();
        for (int i = 0; i < 2; i++) {
            const char *at = text + w * 64 + i * 32;
            __m256i here = _mm256_loadu_si256((const __m256i *)(const void *)at);
            __m256i before = _mm256_loadu_si256((const __m256i *)(const void *)(at - 1));
            __m256i result = _mm256_and_si256(_mm256_cmpeq_epi8(here, equals), _mm256_cmpgt_epi8(above_blank, before));
            __m256i error = _mm256_and_si256(_mm256_cmpeq_epi8(here, hash), _mm256_cmpeq_epi8(before, r));
            any = _mm256_or_si256(any, _mm256_or_si256(here, _mm256_sub_epi8(here, one)));
            lines |= (uint64_t)(uint32_t)_mm256_movemask_epi8(_mm256_cmpeq_epi8(here, newline)) << (32 * i);
            found |= (uint64_t)(uint32_t)_mm256_movemask_epi8(_mm256_or_si256(result, error)) << (32 * i);
        }
        nl[w] = lines;
        marks[w] = found;
        odd[w] = _mm256_movemask_epi8(any) != 0;
    }
}

void cg_scan(const char *text, size_t count, uint64_t *nl, uint64_t *marks, uint8_t *odd)
{
    if (__builtin_cpu_supports("avx2")) {
        scan_avx2(text, count, nl, marks, odd);
    } else {
        scan_sse2(text, count, nl, marks, odd);
    }
}

#else

void cg_scan(const char *text, size_t count, uint64_t *nl, uint64_t *marks, uint8_t *odd)
{
    for (size_t w = 0; w < count; w++) {
        uint64_t lines = 0, found = 0, any = 0;
        for (int i = 0; i < 64; i++) {
            const char *at = text + w * 64 + i;
            signed char before = (signed char)at[-1];
            lines |= (uint64_t)(*at == '\n') << i;
            found |= (uint64_t)((*at == '=' && before < 0x21) || (*at == '#' && before == 'r')) << i;
            any |= *at == '\0' || (unsigned char)*at > 0x7f;
        }
        nl[w] = lines;
        marks[w] = found;
        odd[w] = any != 0;
    }
}

#endif
