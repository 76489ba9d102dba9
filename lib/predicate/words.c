/* SPDX-License-Identifier: Apache-2.0 */
/* Names of errors of Linux (errno(3) and the kernel's ERESTART...), illumos, the BSDs and AIX; nearness of names by how
 * many letters were added, left out, changed or swapped. */
#include "predicate/words.h"

#include "base/str.h"

static const char *const errors[] = {
    "E2BIG",
    "EACCES",
    "EADDRINUSE",
    "EADDRNOTAVAIL",
    "EADV",
    "EAFNOSUPPORT",
    "EAGAIN",
    "EALREADY",
    "EASYNC",
    "EAUTH",
    "EBADE",
    "EBADF",
    "EBADFD",
    "EBADMSG",
    "EBADR",
    "EBADRPC",
    "EBADRQC",
    "EBADSLT",
    "EBFONT",
    "EBUSY",
    "ECANCELED",
    "ECAPMODE",
    "ECHILD",
    "ECHRNG",
    "ECLONEME",
    "ECOMM",
    "ECONNABORTED",
    "ECONNREFUSED",
    "ECONNRESET",
    "ECORRUPT",
    "EDEADLK",
    "EDEADLOCK",
    "EDESTADDRREQ",
    "EDOM",
    "EDOOFUS",
    "EDOTDOT",
    "EDQUOT",
    "EEXIST",
    "EFAULT",
    "EFBIG",
    "EFORMAT",
    "EFTYPE",
    "EHOSTDOWN",
    "EHOSTUNREACH",
    "EHWPOISON",
    "EIDRM",
    "EILSEQ",
    "EINPROGRESS",
    "EINTEGRITY",
    "EINTR",
    "EINVAL",
    "EIO",
    "EIOCBQUEUED",
    "EISCONN",
    "EISDIR",
    "EISNAM",
    "EKEYEXPIRED",
    "EKEYREJECTED",
    "EKEYREVOKED",
    "EL2HLT",
    "EL2NSYNC",
    "EL3HLT",
    "EL3RST",
    "ELIBACC",
    "ELIBBAD",
    "ELIBEXEC",
    "ELIBMAX",
    "ELIBSCN",
    "ELNRNG",
    "ELOCKUNMAPPED",
    "ELOOP",
    "EMEDIA",
    "EMEDIUMTYPE",
    "EMFILE",
    "EMLINK",
    "EMSGSIZE",
    "EMULTIHOP",
    "ENAMETOOLONG",
    "ENAVAIL",
    "ENEEDAUTH",
    "ENETDOWN",
    "ENETRESET",
    "ENETUNREACH",
    "ENFILE",
    "ENOANO",
    "ENOATTR",
    "ENOBUFS",
    "ENOCONNECT",
    "ENOCSI",
    "ENODATA",
    "ENODEV",
    "ENOENT",
    "ENOEXEC",
    "ENOIOCTLCMD",
    "ENOKEY",
    "ENOLCK",
    "ENOLINK",
    "ENOMEDIUM",
    "ENOMEM",
    "ENOMSG",
    "ENONET",
    "ENOPKG",
    "ENOPROTOOPT",
    "ENOSPC",
    "ENOSR",
    "ENOSTR",
    "ENOSYS",
    "ENOTACTIVE",
    "ENOTBLK",
    "ENOTCAPABLE",
    "ENOTCONN",
    "ENOTDIR",
    "ENOTEMPTY",
    "ENOTNAM",
    "ENOTREADY",
    "ENOTRECOVERABLE",
    "ENOTRUST",
    "ENOTSOCK",
    "ENOTSUP",
    "ENOTSUPP",
    "ENOTTY",
    "ENOTUNIQ",
    "ENXIO",
    "EOPNOTSUPP",
    "EOVERFLOW",
    "EOWNERDEAD",
    "EPERM",
    "EPFNOSUPPORT",
    "EPIPE",
    "EPROCLIM",
    "EPROCUNAVAIL",
    "EPROGMISMATCH",
    "EPROGUNAVAIL",
    "EPROTO",
    "EPROTONOSUPPORT",
    "EPROTOTYPE",
    "ERANGE",
    "EREMCHG",
    "EREMOTE",
    "EREMOTEIO",
    "ERESTART",
    "ERESTARTNOHAND",
    "ERESTARTNOINTR",
    "ERESTARTSYS",
    "ERESTART_RESTARTBLOCK",
    "ERFKILL",
    "EROFS",
    "ERPCMISMATCH",
    "ESAD",
    "ESHUTDOWN",
    "ESOCKTNOSUPPORT",
    "ESOFT",
    "ESPIPE",
    "ESRCH",
    "ESRMNT",
    "ESTALE",
    "ESTRPIPE",
    "ETIME",
    "ETIMEDOUT",
    "ETOOMANYREFS",
    "ETXTBSY",
    "EUCLEAN",
    "EUNATCH",
    "EUSERS",
    "EWOULDBLOCK",
    "EWRPROTECT",
    "EXDEV",
    "EXFULL",
};

enum { LONGEST = 40 }; /* names that are compared letter by letter */

const char *cg_errno_at(size_t index)
{
    return index < sizeof errors / sizeof *errors ? errors[index] : NULL;
}

bool cg_is_errno(callgauge_str name)
{
    for (size_t i = 0; i < sizeof errors / sizeof *errors; i++) {
        if (cg_str_is(name, errors[i])) {
            return true;
        }
    }
    return false;
}

static unsigned least(unsigned a, unsigned b)
{
    return a < b ? a : b;
}

/* Optimal string alignment; both are at most LONGEST long. */
static unsigned distance(callgauge_str a, callgauge_str b)
{
    unsigned rows[3][LONGEST + 1];
    unsigned *before = rows[0], *last = rows[1], *now = rows[2];
    for (size_t j = 0; j <= b.len; j++) {
        last[j] = (unsigned)j;
    }
    for (size_t i = 1; i <= a.len; i++) {
        now[0] = (unsigned)i;
        for (size_t j = 1; j <= b.len; j++) {
            unsigned changed = last[j - 1] + (a.ptr[i - 1] != b.ptr[j - 1]);
            now[j] = least(changed, least(last[j], now[j - 1]) + 1);
            if (i > 1 && j > 1 && a.ptr[i - 1] == b.ptr[j - 2] && a.ptr[i - 2] == b.ptr[j - 1]) {
                now[j] = least(now[j], before[j - 2] + 1);
            }
        }
        unsigned *freed = before;
        before = last;
        last = now;
        now = freed;
    }
    return last[b.len];
}

cg_nearest cg_nearest_to(callgauge_str wrong)
{
    return (cg_nearest){ .wrong = wrong, .distance = wrong.len < 4 ? 2 : wrong.len < 8 ? 3 : 4 };
}

void cg_nearest_try(cg_nearest *nearest, callgauge_str name)
{
    if (name.len > LONGEST || nearest->wrong.len > LONGEST || name.len == 0) {
        return;
    }
    unsigned far = distance(nearest->wrong, name);
    if (far < nearest->distance && far < (name.len > nearest->wrong.len ? name.len : nearest->wrong.len)) {
        nearest->distance = far;
        nearest->best = name;
    }
}
