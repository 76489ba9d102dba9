/* SPDX-License-Identifier: Apache-2.0 */
/* From the text behind a call's ')' to its result: a value, `Err#N NAME`, a note that it sleeps or returns
 * in a child, or nothing at all.
 * Invariant: a form that another tracer prints (`= -1 ENOENT (...)`, `= 1 (0x1)`, `argc: 1`) is never read
 * to its end; who calls looks at what stands behind. */
#include "dialect/truss.h"

#include "base/decimal.h"

static const struct {
    int16_t number;
    const char *name;
} error_names[] = {
    { 1, "EPERM" },
    { 2, "ENOENT" },
    { 3, "ESRCH" },
    { 4, "EINTR" },
    { 5, "EIO" },
    { 6, "ENXIO" },
    { 7, "E2BIG" },
    { 8, "ENOEXEC" },
    { 9, "EBADF" },
    { 10, "ECHILD" },
    { 11, "EAGAIN" },
    { 12, "ENOMEM" },
    { 13, "EACCES" },
    { 14, "EFAULT" },
    { 15, "ENOTBLK" },
    { 16, "EBUSY" },
    { 17, "EEXIST" },
    { 18, "EXDEV" },
    { 19, "ENODEV" },
    { 20, "ENOTDIR" },
    { 21, "EISDIR" },
    { 22, "EINVAL" },
    { 23, "ENFILE" },
    { 24, "EMFILE" },
    { 25, "ENOTTY" },
    { 26, "ETXTBSY" },
    { 27, "EFBIG" },
    { 28, "ENOSPC" },
    { 29, "ESPIPE" },
    { 30, "EROFS" },
    { 31, "EMLINK" },
    { 32, "EPIPE" },
    { 33, "EDOM" },
    { 34, "ERANGE" },
    { 35, "ENOMSG" },
    { 36, "EIDRM" },
    { 37, "ECHRNG" },
    { 38, "EL2NSYNC" },
    { 39, "EL3HLT" },
    { 40, "EL3RST" },
    { 41, "ELNRNG" },
    { 42, "EUNATCH" },
    { 43, "ENOCSI" },
    { 44, "EL2HLT" },
    { 45, "EDEADLK" },
    { 46, "ENOLCK" },
    { 47, "ECANCELED" },
    { 48, "ENOTSUP" },
    { 49, "EDQUOT" },
    { 50, "EBADE" },
    { 51, "EBADR" },
    { 52, "EXFULL" },
    { 53, "ENOANO" },
    { 54, "EBADRQC" },
    { 55, "EBADSLT" },
    { 56, "EDEADLOCK" },
    { 57, "EBFONT" },
    { 58, "EOWNERDEAD" },
    { 59, "ENOTRECOVERABLE" },
    { 60, "ENOSTR" },
    { 61, "ENODATA" },
    { 62, "ETIME" },
    { 63, "ENOSR" },
    { 64, "ENONET" },
    { 65, "ENOPKG" },
    { 66, "EREMOTE" },
    { 67, "ENOLINK" },
    { 68, "EADV" },
    { 69, "ESRMNT" },
    { 70, "ECOMM" },
    { 71, "EPROTO" },
    { 72, "ELOCKUNMAPPED" },
    { 73, "ENOTACTIVE" },
    { 74, "EMULTIHOP" },
    { 77, "EBADMSG" },
    { 78, "ENAMETOOLONG" },
    { 79, "EOVERFLOW" },
    { 80, "ENOTUNIQ" },
    { 81, "EBADFD" },
    { 82, "EREMCHG" },
    { 83, "ELIBACC" },
    { 84, "ELIBBAD" },
    { 85, "ELIBSCN" },
    { 86, "ELIBMAX" },
    { 87, "ELIBEXEC" },
    { 88, "EILSEQ" },
    { 89, "ENOSYS" },
    { 90, "ELOOP" },
    { 91, "ERESTART" },
    { 92, "ESTRPIPE" },
    { 93, "ENOTEMPTY" },
    { 94, "EUSERS" },
    { 95, "ENOTSOCK" },
    { 96, "EDESTADDRREQ" },
    { 97, "EMSGSIZE" },
    { 98, "EPROTOTYPE" },
    { 99, "ENOPROTOOPT" },
    { 120, "EPROTONOSUPPORT" },
    { 121, "ESOCKTNOSUPPORT" },
    { 122, "EOPNOTSUPP" },
    { 123, "EPFNOSUPPORT" },
    { 124, "EAFNOSUPPORT" },
    { 125, "EADDRINUSE" },
    { 126, "EADDRNOTAVAIL" },
    { 127, "ENETDOWN" },
    { 128, "ENETUNREACH" },
    { 129, "ENETRESET" },
    { 130, "ECONNABORTED" },
    { 131, "ECONNRESET" },
    { 132, "ENOBUFS" },
    { 133, "EISCONN" },
    { 134, "ENOTCONN" },
    { 143, "ESHUTDOWN" },
    { 144, "ETOOMANYREFS" },
    { 145, "ETIMEDOUT" },
    { 146, "ECONNREFUSED" },
    { 147, "EHOSTDOWN" },
    { 148, "EHOSTUNREACH" },
    { 149, "EALREADY" },
    { 150, "EINPROGRESS" },
    { 151, "ESTALE" },
};

callgauge_str cg_truss_error_name(int64_t number)
{
    for (size_t i = 0; i < sizeof error_names / sizeof *error_names; i++) {
        if (error_names[i].number == number) {
            return cg_str_z(error_names[i].name);
        }
    }
    return cg_str("", 0);
}

static bool skip(const char **at, const char *end, const char *text)
{
    if (!cg_str_starts(cg_str_range(*at, end), text)) {
        return false;
    }
    *at += strlen(text);
    return true;
}

static const char *upper_word(const char *at, const char *end)
{
    while (at < end && (cg_is_upper(*at) || cg_is_digit(*at) || *at == '_' || *at == '+' || *at == '-')) {
        at++;
    }
    return at;
}

/* 0x and upper-case digits: a name that is glued to them begins in lower case. */
static bool read_hex(const char **at, const char *end, int64_t *value)
{
    enum { MOST = 16 };
    const char *p = *at + 2;
    if (end - *at < 3 || (*at)[0] != '0' || (*at)[1] != 'x') {
        return false;
    }
    const char *digits = p;
    uint64_t bits = 0;
    for (; p < end && (cg_is_digit(*p) || (*p >= 'A' && *p <= 'F')) && p - digits < MOST; p++) {
        bits = bits << 4 | (uint64_t)(cg_is_digit(*p) ? *p - '0' : *p - 'A' + 10);
    }
    if (p == digits) {
        return false;
    }
    *value = (int64_t)bits;
    *at = p;
    return true;
}

static bool read_decimal(const char **at, const char *end, int64_t *value)
{
    uint64_t bits;
    if (cg_read_i64(at, end, value)) {
        return true;
    }
    if (!cg_read_u64(at, end, &bits)) {
        return false;
    }
    *value = (int64_t)bits;
    return true;
}

/* Decimal, hexadecimal, or octal: umask's 022. */
static bool read_number(const char **at, const char *end, int64_t *value)
{
    const char *p = *at;
    uint64_t bits;
    if (read_hex(at, end, value)) {
        return true;
    }
    if (end - p >= 2 && p[0] == '0' && cg_is_digit(p[1]) && cg_read_octal(&p, end, &bits) &&
        (p == end || !cg_is_digit(*p))) {
        *value = (int64_t)bits;
        *at = p;
        return true;
    }
    return read_decimal(at, end, value);
}

/* ` [6427]` */
static const char *second_value(const char *at, const char *end, cg_truss_result *result)
{
    const char *p = cg_truss_blanks(at, end);
    if (p == at || p == end || *p++ != '[' || !read_number(&p, end, &result->value2) || p == end || *p != ']') {
        return at;
    }
    result->has |= CALLGAUGE_HAS_VALUE2;
    return p + 1;
}

static bool read_value(const char *at, const char *end, cg_truss_result *result)
{
    const char *from = cg_truss_blanks(at + 1, end), *p = from;
    if (from == at + 1) {
        return false;
    }
    if (read_number(&p, end, &result->value)) {
        result->has |= CALLGAUGE_HAS_VALUE;
    } else if (cg_str_starts(cg_str_range(p, end), "SIG")) {
        p = upper_word(p, end);
    } else {
        return false;
    }
    result->ending = CG_TRUSS_VALUE;
    result->text = cg_str_range(from, p);
    result->end = second_value(p, end, result);
    return true;
}

/* ` [file_dac_read]`: the privilege that was missing. */
static const char *privilege(const char *at, const char *end, cg_truss_result *result)
{
    const char *from = cg_truss_blanks(at, end), *p = from;
    if (from == at || p == end || *p++ != '[') {
        return at;
    }
    while (p < end && (cg_is_word(*p) || *p == ',')) {
        p++;
    }
    if (p == end || *p != ']' || p == from + 1) {
        return at;
    }
    result->note = cg_str_range(from, p + 1);
    return p + 1;
}

static bool read_error(const char *at, const char *end, cg_truss_result *result)
{
    const char *p = at;
    if (!skip(&p, end, "Err#") || !cg_read_i64(&p, end, &result->error_number) || result->error_number < 0) {
        return false;
    }
    const char *name = cg_truss_blanks(p, end);
    if (name > p && name < end && *name == 'E') {
        p = upper_word(name, end);
        result->error = cg_str_range(name, p);
    }
    result->ending = CG_TRUSS_ERROR;
    result->has |= CALLGAUGE_HAS_ERRNO;
    result->text = cg_str_range(at, p);
    result->end = privilege(p, end, result);
    return true;
}

/* `(sleeping...)` and its like; `(returning as child ...)` and the value behind it. */
static bool read_remark(const char *at, const char *end, cg_truss_result *result)
{
    const char *p = at;
    if (skip(&p, end, "(sleeping...)") || skip(&p, end, "(waiting for child to exit()/exec()...)")) {
        result->ending = CG_TRUSS_ASLEEP;
        result->text = cg_str_range(at, p);
        result->end = p;
        return true;
    }
    if (!skip(&p, end, "(returning as child ...)") && !skip(&p, end, "(returning as new lwp ...)")) {
        return false;
    }
    result->note = cg_str_range(at, p);
    p = cg_truss_blanks(p, end);
    if (p == end || *p != '=' || !read_value(p, end, result)) {
        return false;
    }
    result->ending = CG_TRUSS_CHILD;
    return true;
}

static bool read_argc(const char *at, const char *end, cg_truss_result *result)
{
    const char *p = at;
    if (!skip(&p, end, "argc = ") || !cg_read_i64(&p, end, &result->value)) {
        return false;
    }
    result->ending = CG_TRUSS_ARGC;
    result->text = cg_str_range(at, p);
    result->end = p;
    return true;
}

bool cg_truss_result_read(const char *at, const char *end, cg_truss_result *result)
{
    const char *p = cg_truss_blanks(at, end);
    *result = (cg_truss_result){ .ending = CG_TRUSS_NOTHING, .start = p, .end = p };
    if (p == end) {
        return true;
    }
    if (p == at) {
        return false;
    }
    switch (*p) {
    case '=': return read_value(p, end, result);
    case 'E': return read_error(p, end, result);
    case 'a': return read_argc(p, end, result);
    case '(': return read_remark(p, end, result);
    default: return false;
    }
}
