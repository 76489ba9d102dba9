/* SPDX-License-Identifier: Apache-2.0 */
/* Digits eight at a time in one machine word, whose lowest byte is the first character; bytes sixteen at a time. */
#ifndef CG_BASE_SWAR_H
#define CG_BASE_SWAR_H

#include <stdbool.h>
#include <stddef.h>
#include <stdint.h>
#include <string.h>

#if defined(__SSE2__)
#include <emmintrin.h>
#endif

/* Bytes behind and before every line that may be read (never used) by wide loads. */
enum { CG_PAD = 64 };

static inline __attribute__((always_inline)) uint64_t cg_load8(const char *ptr)
{
    uint64_t word;
    memcpy(&word, ptr, 8);
#if __BYTE_ORDER__ == __ORDER_BIG_ENDIAN__
    word = __builtin_bswap64(word);
#endif
    return word;
}

static inline __attribute__((always_inline)) bool cg_all_digits(uint64_t word)
{
    return ((word & 0xF0F0F0F0F0F0F0F0u) | ((word + 0x0606060606060606u) & 0xF0F0F0F0F0F0F0F0u) >> 4) ==
           0x3333333333333333u;
}

/* The value of each of eight digits; false: one is none. */
static inline __attribute__((always_inline)) bool cg_digits_of(uint64_t word, uint64_t *digits)
{
    *digits = word ^ 0x3030303030303030u;
    return (((*digits + 0x7676767676767676u) | *digits) & 0x8080808080808080u) == 0;
}

/* The number that eight digits spell; only their low four bits are looked at. */
static inline __attribute__((always_inline)) uint32_t cg_digits_value(uint64_t word)
{
    word = (word & 0x0F0F0F0F0F0F0F0Fu) * 2561 >> 8;
    word = (word & 0x00FF00FF00FF00FFu) * 6553601 >> 16;
    return (uint32_t)((word & 0x0000FFFF0000FFFFu) * 42949672960001u >> 32);
}

/* The numbers that two times eight digits spell, as above: the one of `high` in the upper half. */
static inline __attribute__((always_inline)) uint64_t cg_digits_values(uint64_t low, uint64_t high)
{
#if defined(__SSE2__)
    const __m128i ten = _mm_set1_epi16(10), hundred = _mm_set1_epi32(1 << 16 | 100);
    const __m128i myriad = _mm_set1_epi32(1 << 16 | 10000);
    __m128i text = _mm_unpacklo_epi64(_mm_cvtsi64_si128((long long)low), _mm_cvtsi64_si128((long long)high));
    text = _mm_and_si128(text, _mm_set1_epi8(0x0F));
    __m128i first = _mm_and_si128(text, _mm_set1_epi16(0xFF)), second = _mm_srli_epi16(text, 8);
    __m128i twos = _mm_add_epi16(_mm_mullo_epi16(first, ten), second);
    __m128i fours = _mm_madd_epi16(twos, hundred);
    __m128i eights = _mm_madd_epi16(_mm_packs_epi32(fours, fours), myriad);
    return (uint64_t)_mm_cvtsi128_si64(eights);
#else
    return (uint64_t)cg_digits_value(high) << 32 | cg_digits_value(low);
#endif
}

/* Says that `is` is mostly so, where what is rare would otherwise take the registers of what is not. */
static inline __attribute__((always_inline)) bool cg_often(bool is)
{
    return __builtin_expect(is, true);
}

/* How many digits the word begins with, 0 to 8. */
static inline __attribute__((always_inline)) unsigned cg_digit_count(uint64_t word)
{
    uint64_t low = word ^ 0x3030303030303030u;
    uint64_t other = ((low + 0x7676767676767676u) | low) & 0x8080808080808080u;
    return other == 0 ? 8 : (unsigned)__builtin_ctzll(other) / 8;
}

/* The `count` (1 to 8) bytes before `end`, behind zeros. */
static inline __attribute__((always_inline)) uint64_t cg_last_digits(const char *end, unsigned count)
{
    uint64_t keep = ~(uint64_t)0 << (64 - 8 * count);
    return (cg_load8(end - 8) & keep) | (0x3030303030303030u & ~keep);
}

/* A decimal of one to eight digits up to `end`, with no 0 in front. False: it is none; *value is spoiled. */
static inline __attribute__((always_inline)) bool cg_short_decimal(const char *at, const char *end, int64_t *value)
{
    size_t len = (size_t)(end - at);
    uint64_t digits;
    if (len == 1) {
        *value = *at - '0';
        return *at >= '0' && *at <= '9';
    }
    if (len - 1 >= 8 || !cg_digits_of(cg_last_digits(end, (unsigned)len), &digits)) {
        return false;
    }
    *value = cg_digits_value(digits);
    return *at != '0';
}

/* Which of the 16 bytes from `ptr` on are digits: bit 0 is the first. */
static inline __attribute__((always_inline)) unsigned cg_digit_mask(const char *ptr)
{
#if defined(__SSE2__)
    __m128i text = _mm_loadu_si128((const __m128i *)(const void *)ptr);
    __m128i from_zero = _mm_sub_epi8(text, _mm_set1_epi8('0'));
    return (unsigned)_mm_movemask_epi8(_mm_cmpeq_epi8(_mm_min_epu8(from_zero, _mm_set1_epi8(9)), from_zero));
#else
    unsigned mask = 0;
    for (unsigned i = 0; i < 16; i++) {
        mask |= (unsigned)(ptr[i] >= '0' && ptr[i] <= '9') << i;
    }
    return mask;
#endif
}

/* Which of the 16 bytes from `ptr` on are `c`. */
static inline __attribute__((always_inline)) unsigned cg_byte_mask(const char *ptr, char c)
{
#if defined(__SSE2__)
    __m128i text = _mm_loadu_si128((const __m128i *)(const void *)ptr);
    return (unsigned)_mm_movemask_epi8(_mm_cmpeq_epi8(text, _mm_set1_epi8(c)));
#else
    unsigned mask = 0;
    for (unsigned i = 0; i < 16; i++) {
        mask |= (unsigned)(ptr[i] == c) << i;
    }
    return mask;
#endif
}

/* Whether each of the `size` (a multiple of 16) bytes from `ptr` on lies between its own two bounds. */
static inline __attribute__((always_inline)) bool cg_is_between(const char *ptr, const unsigned char *low,
                                                                const unsigned char *high, size_t size)
{
#if defined(__SSE2__)
    __m128i same = _mm_set1_epi8(-1);
    for (size_t i = 0; i < size; i += 16) {
        __m128i text = _mm_loadu_si128((const __m128i *)(const void *)(ptr + i));
        __m128i held = _mm_max_epu8(text, _mm_loadu_si128((const __m128i *)(const void *)(low + i)));
        held = _mm_min_epu8(held, _mm_loadu_si128((const __m128i *)(const void *)(high + i)));
        same = _mm_and_si128(same, _mm_cmpeq_epi8(held, text));
    }
    return _mm_movemask_epi8(same) == 0xFFFF;
#else
    bool is = true;
    for (size_t i = 0; i < size; i++) {
        is = is && (unsigned char)ptr[i] >= low[i] && (unsigned char)ptr[i] <= high[i];
    }
    return is;
#endif
}

/* Whether two texts of 16 bytes or more are the same. */
static inline __attribute__((always_inline)) bool cg_is_same(const char *a, const char *b, size_t len)
{
#if defined(__SSE2__)
    const char *p = a + len - 16, *q = b + len - 16;
    __m128i same = _mm_cmpeq_epi8(_mm_loadu_si128((const __m128i *)(const void *)p),
                                  _mm_loadu_si128((const __m128i *)(const void *)q));
    for (size_t i = 0; i + 16 < len; i += 16) {
        __m128i here = _mm_loadu_si128((const __m128i *)(const void *)(a + i));
        same = _mm_and_si128(same, _mm_cmpeq_epi8(here, _mm_loadu_si128((const __m128i *)(const void *)(b + i))));
    }
    return _mm_movemask_epi8(same) == 0xFFFF;
#else
    return memcmp(a, b, len) == 0;
#endif
}

/* ".UUUUUU" behind one more character: six digits at ptr[2], with ptr[1] == '.'. */
static inline __attribute__((always_inline)) bool cg_six_digits(const char *ptr, uint32_t *value)
{
    uint64_t word = cg_load8(ptr);
    uint64_t digits = (word & ~(uint64_t)0xFFFF) | 0x3030;
    *value = cg_digits_value(digits);
    return (word >> 8 & 0xFF) == '.' && cg_all_digits(digits);
}

#endif
