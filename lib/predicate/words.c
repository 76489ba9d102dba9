/* SPDX-License-Identifier: Apache-2.0 */
/* Names of errors of Linux (errno(3) and the kernel's ERESTART...), illumos, the BSDs and AIX; names of calls, which
 * the class table has. */
#include "predicate/words.h"

#include "base/str.h"
#include "event/event.h"

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

/* --- calls */

bool cg_is_call(callgauge_str name)
{
    return cg_class_lookup(name) != NULL;
}

const char *cg_call_at(size_t index, callgauge_class *out)
{
    const cg_class_entry *entry = cg_class_at(index);
    if (entry == NULL) {
        return NULL;
    }
    *out = entry->call_class;
    return entry->name;
}
