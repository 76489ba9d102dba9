/* SPDX-License-Identifier: Apache-2.0 */
/**
 * @file event.h
 * One thing that a tracer reports: a system call, a signal, a row of a `-c` table, ...
 *
 * Events are handed out by const pointer, belong to the reader and live until the next call on it.
 * A field counts only when its bit is set in `has`; unknown is never written as 0. The structs of
 * this file grow at their end only and are never copied by the library's users.
 */
#ifndef CALLGAUGE_EVENT_H
#define CALLGAUGE_EVENT_H

#include <callgauge/types.h>

#ifdef __cplusplus
extern "C" {
#endif

/** What an event is. */
typedef enum callgauge_event_kind {
    CALLGAUGE_EVENT_CALL,         /**< a system call, once, even if printed in two halves */
    CALLGAUGE_EVENT_SIGNAL,       /**< a signal was received, or stopped or continued a process */
    CALLGAUGE_EVENT_FAULT,        /**< a machine fault (truss) */
    CALLGAUGE_EVENT_EXIT,         /**< a process or thread ended: exited, killed */
    CALLGAUGE_EVENT_NOTICE,       /**< the tracer speaks: attached, superseded, `***`, version lines */
    CALLGAUGE_EVENT_LIBRARY_CALL, /**< entry to or return from a user function (truss -u) */
    CALLGAUGE_EVENT_DETAIL,       /**< a structure dump, I/O dump, stack frame, argv line of the event before */
    CALLGAUGE_EVENT_COUNT_ROW,    /**< a row of a `-c` table */
    CALLGAUGE_EVENT_TOTALS,       /**< the totals of a `-c` table */
    CALLGAUGE_EVENT_FOREIGN,      /**< a line that the tracer did not print */
    /** A line that the tracer seems to have printed and nobody could read. A call whose lines turn out only later not
     * to end gives none: on_diag and the capture tell those lines. */
    CALLGAUGE_EVENT_UNREAD
} callgauge_event_kind;

/** Names a kind in lower case with dashes: "call", "count-row". Never NULL. Threads: any. */
CALLGAUGE_EXPORT const char *callgauge_event_kind_text(callgauge_event_kind kind);

/** What a call does: one closed list for all systems. */
typedef enum callgauge_class {
    CALLGAUGE_CLASS_OTHER,
    CALLGAUGE_CLASS_OPEN,
    CALLGAUGE_CLASS_CLOSE,
    CALLGAUGE_CLASS_READ,
    CALLGAUGE_CLASS_WRITE,
    CALLGAUGE_CLASS_COPY,
    CALLGAUGE_CLASS_SEEK,
    CALLGAUGE_CLASS_SYNC,
    CALLGAUGE_CLASS_STAT,
    CALLGAUGE_CLASS_ACCESS,
    CALLGAUGE_CLASS_READLINK,
    CALLGAUGE_CLASS_DIR,
    CALLGAUGE_CLASS_NAME,
    CALLGAUGE_CLASS_DUP,
    CALLGAUGE_CLASS_FDCTL,
    CALLGAUGE_CLASS_SOCKET,
    CALLGAUGE_CLASS_CONNECT,
    CALLGAUGE_CLASS_ACCEPT,
    CALLGAUGE_CLASS_WAIT,
    CALLGAUGE_CLASS_SLEEP,
    CALLGAUGE_CLASS_WAITCHILD,
    CALLGAUGE_CLASS_FUTEX,
    CALLGAUGE_CLASS_SPAWN,
    CALLGAUGE_CLASS_EXEC,
    CALLGAUGE_CLASS_EXIT,
    CALLGAUGE_CLASS_MEMORY,
    CALLGAUGE_CLASS_SIGNAL,
    CALLGAUGE_CLASS_TIME,
    CALLGAUGE_CLASS_IDENT,
    CALLGAUGE_CLASS_IOCTL,
    CALLGAUGE_CLASS_PIPE
} callgauge_class;

/** Names a class: "read", "waitchild". Never NULL. Threads: any. */
CALLGAUGE_EXPORT const char *callgauge_class_text(callgauge_class call_class);

/**
 * Finds a class by its name.
 *
 * @param out  set on success only.
 * @return whether `name` is one.
 * Threads: any.
 */
CALLGAUGE_EXPORT bool callgauge_class_find(callgauge_str name, callgauge_class *out);

/** What a descriptor stands for. */
typedef enum callgauge_file_kind {
    CALLGAUGE_FILE_UNKNOWN,
    CALLGAUGE_FILE_FILE, /**< a regular file, or whatever a path names that is not known better */
    CALLGAUGE_FILE_DIR,
    CALLGAUGE_FILE_SOCKET,
    CALLGAUGE_FILE_PIPE, /**< a pipe or a FIFO */
    CALLGAUGE_FILE_TTY,
    CALLGAUGE_FILE_DEVICE,
    CALLGAUGE_FILE_ANON /**< without a name: epoll, eventfd, timerfd, memfd, a door, an event port, ... */
} callgauge_file_kind;

/** Names a kind: "file", "dir", "socket", "pipe", "tty", "device", "anon"; "unknown" for any other value. Never NULL.
 * Threads: any. */
CALLGAUGE_EXPORT const char *callgauge_file_kind_text(callgauge_file_kind kind);

/** Which way the bytes that a call's result counts have gone. */
typedef enum callgauge_moves {
    CALLGAUGE_MOVES_NOTHING,
    CALLGAUGE_MOVES_IN,  /**< read: into the process */
    CALLGAUGE_MOVES_OUT, /**< write: out of the process */
    CALLGAUGE_MOVES_BOTH /**< copied inside the kernel: read and written */
} callgauge_moves;

/** A call's name and what is known of it; one object per name and reader, alive as long as the reader. */
typedef struct callgauge_call_name {
    callgauge_str text; /**< as printed */
    uint32_t id;        /**< dense, from 0, in order of first appearance */
    bool known;         /**< in the class table */
    callgauge_class call_class;
    callgauge_moves moves;
    int8_t fd_arg;    /**< position of the descriptor argument, from 0; -1: none */
    int8_t path_arg;  /**< position of the path argument, from 0; -1: none */
    int8_t size_arg;  /**< position of the byte count asked for, from 0; -1: none */
    int8_t fd2_arg;   /**< position of the descriptor written to (copies) or made (dup2), from 0; -1: none */
    int8_t path2_arg; /**< position of the new path (rename, link), from 0; -1: none */
    uint8_t does;     /**< private */
    uint8_t needs;    /**< private */
} callgauge_call_name;

/** The name of an error, signal, fault or function; alive as long as the reader. */
typedef struct callgauge_name {
    callgauge_str text;
    uint32_t id; /**< dense, from 0, among the names of its kind */
} callgauge_name;

/** Two kinds of time that are never mixed. */
typedef enum callgauge_time_kind {
    CALLGAUGE_TIME_NONE,
    CALLGAUGE_TIME_CPU, /**< CPU time in the kernel: truss -c, truss -E, strace -c */
    CALLGAUGE_TIME_WALL /**< wall clock: strace -T, strace -c -w */
} callgauge_time_kind;

/** Presence bits of callgauge_event.has. */
enum {
    CALLGAUGE_HAS_VALUE = 1 << 0,    /**< value */
    CALLGAUGE_HAS_VALUE2 = 1 << 1,   /**< value2 */
    CALLGAUGE_HAS_DURATION = 1 << 2, /**< duration_ns, duration_kind */
    CALLGAUGE_HAS_START = 1 << 3,    /**< start_ns */
    CALLGAUGE_HAS_END = 1 << 4,      /**< end_ns */
    CALLGAUGE_HAS_GAP = 1 << 5,      /**< gap_ns */
    CALLGAUGE_HAS_PID = 1 << 6,      /**< pid */
    CALLGAUGE_HAS_TID = 1 << 7,      /**< tid */
    CALLGAUGE_HAS_ERRNO = 1 << 8     /**< error_number was printed */
};

/** Bits of callgauge_event.flags. */
enum {
    CALLGAUGE_CALL_UNRETURNED = 1 << 0, /**< no result was seen: not counted among the calls */
    CALLGAUGE_CALL_RESUMED = 1 << 1,    /**< printed in two halves, now whole */
    CALLGAUGE_CALL_ORPHAN = 1 << 2,     /**< only the second half was seen: first arguments unknown */
    CALLGAUGE_CALL_INJECTED = 1 << 3,   /**< the result was injected by strace -e inject */
    CALLGAUGE_CALL_DELAYED = 1 << 4,    /**< delayed by strace -e inject */
    CALLGAUGE_CALL_RESTART = 1 << 5,    /**< `? ERESTART...`: the kernel restarts it */
    CALLGAUGE_CALL_SLEPT = 1 << 6,      /**< truss showed it sleeping before */
    CALLGAUGE_CALL_CHILD = 1 << 7,      /**< the child's side of a fork or the new lwp's: not counted */
    CALLGAUGE_CALL_REPAIRED = 1 << 8,   /**< its text had to be repaired; `text` is the repaired one */
    CALLGAUGE_LIBRARY_RETURN = 1 << 9   /**< LIBRARY_CALL: the `<-` side */
};

/** Presence bits of callgauge_count_row.has. */
enum {
    CALLGAUGE_ROW_CALLS = 1 << 0,
    CALLGAUGE_ROW_ERRORS = 1 << 1, /**< the table has an errors column; a blank in it is 0 */
    CALLGAUGE_ROW_CPU = 1 << 2,
    CALLGAUGE_ROW_WALL = 1 << 3,
    CALLGAUGE_ROW_CPU_MIN = 1 << 4,
    CALLGAUGE_ROW_CPU_MAX = 1 << 5,
    CALLGAUGE_ROW_WALL_MIN = 1 << 6,
    CALLGAUGE_ROW_WALL_MAX = 1 << 7,
    CALLGAUGE_ROW_USER = 1 << 8,
    CALLGAUGE_ROW_ELAPSED = 1 << 9
};

/** What a row of a `-c` table counts. */
typedef enum callgauge_row_of {
    CALLGAUGE_ROW_OF_CALL,
    CALLGAUGE_ROW_OF_SIGNAL,
    CALLGAUGE_ROW_OF_FAULT,
    CALLGAUGE_ROW_OF_FUNCTION
} callgauge_row_of;

/** A row, or the totals, of a `-c` table. */
typedef struct callgauge_count_row {
    uint32_t has; /**< CALLGAUGE_ROW_... */
    callgauge_row_of of;
    uint32_t table;      /**< which table of the capture, from 0; a heading starts a new one */
    callgauge_name name; /**< signal, fault, function rows; `text` only. Calls: see event.call */
    uint64_t calls;
    uint64_t errors;
    int64_t cpu_ns;
    int64_t wall_ns;
    int64_t cpu_min_ns;
    int64_t cpu_max_ns;
    int64_t wall_min_ns;
    int64_t wall_max_ns;
    int64_t user_ns;    /**< totals of truss: user CPU time */
    int64_t elapsed_ns; /**< totals of truss: wall clock since it began */
} callgauge_count_row;

struct cg_lexer;
struct cg_annotation;

/** One event. */
typedef struct callgauge_event {
    callgauge_event_kind kind;
    uint32_t has;                    /**< CALLGAUGE_HAS_... */
    uint32_t flags;                  /**< CALLGAUGE_CALL_... */
    const callgauge_call_name *call; /**< CALL, COUNT_ROW of calls; else NULL */
    const callgauge_name *error;     /**< the error's name (ENOENT); NULL: no error */
    const callgauge_name *name;      /**< SIGNAL, FAULT, LIBRARY_CALL: its name; else NULL */
    int64_t value;                   /**< the result as a number; a pointer's bits */
    int64_t value2;                  /**< truss: the second value in `[...]` */
    int64_t error_number;            /**< as printed; numbers differ between systems, trust the name */
    int64_t duration_ns;
    callgauge_time_kind duration_kind;
    int64_t start_ns; /**< when it began: since 1970, since midnight or since the base, see callgauge_capture */
    int64_t end_ns;   /**< when it was reported complete (truss -d; start + wall duration) */
    int64_t gap_ns;   /**< strace -r, truss -D: since the event before; never a duration */
    int64_t pid;
    int64_t tid;          /**< thread or lwp, when it is printed apart from the pid */
    uint64_t line;        /**< of its (last) line */
    uint64_t first_line;  /**< of its first half; = line for whole ones */
    uint64_t offset;      /**< of its (last) line, in bytes */
    callgauge_str text;   /**< the (last) line, without its end */
    callgauge_str args;   /**< between the parentheses, both halves joined */
    callgauge_str result; /**< after `= `, or from `Err#`; without note and duration */
    callgauge_str note;   /**< behind the value: error text, `(flags ...)`; or the body of a signal, exit, notice */
    callgauge_str comm;   /**< strace -Y: the command's name */
    const callgauge_count_row *row;         /**< COUNT_ROW, TOTALS; else NULL */
    const struct cg_lexer *lexer;           /**< private */
    const struct cg_annotation *annotation; /**< private */
} callgauge_event;

/**
 * Counts the arguments of a call, as printed: a structure or an array is one.
 *
 * @return 0 for events without arguments.
 * Costs a scan of the arguments at each call. Threads: the reader's.
 */
CALLGAUGE_EXPORT size_t callgauge_event_arg_count(const callgauge_event *event);

/**
 * Gives the text of argument `index` (from 0), without the blanks around it and, for strace -N,
 * without its name.
 *
 * @param text  set when true is returned; borrowed from the event.
 * @return whether there is such an argument.
 * Threads: the reader's.
 */
CALLGAUGE_EXPORT bool callgauge_event_arg(const callgauge_event *event, size_t index, callgauge_str *text);

/**
 * Gives argument `index` as a number: decimal, hexadecimal (0x), octal (0 in front), a sign.
 * A descriptor's decoration and a trailing comment are passed over. AT_FDCWD is -100.
 *
 * @param value  set when true is returned.
 * @return false: no such argument, or it is no number.
 * Threads: the reader's.
 */
CALLGAUGE_EXPORT bool callgauge_event_arg_number(const callgauge_event *event, size_t index, int64_t *value);

/**
 * Decodes a string argument: escapes undone, quotes taken off. Both strace's C escapes and truss's
 * pairs and \x escapes are known.
 *
 * @param to      receives at most `room` bytes; not NUL-terminated.
 * @param length  set to the length of the whole decoded text, which may be more than `room`.
 * @param cut     set to whether the tracer had cut the string (`"..."...`, `"..".. `); may be NULL.
 * @return false: no such argument, or it is no string.
 * Threads: the reader's.
 */
CALLGAUGE_EXPORT bool callgauge_event_arg_string(const callgauge_event *event, size_t index, char *to, size_t room,
                                                 size_t *length, bool *cut);

/**
 * Gives a descriptor argument with its decoration: `3</etc/passwd>` is 3 and "/etc/passwd",
 * `AT_FDCWD</tmp>` is -100 and "/tmp".
 *
 * @param target  the text between the brackets, as printed; empty when there is none. May be NULL.
 * @return false: no such argument, or it is no descriptor.
 * Threads: the reader's.
 */
CALLGAUGE_EXPORT bool callgauge_event_arg_fd(const callgauge_event *event, size_t index, int64_t *fd,
                                             callgauge_str *target);

/**
 * Gives flag number `flag` (from 0) of an argument made of names joined by `|`.
 *
 * @return false: no more flags.
 * Threads: the reader's.
 */
CALLGAUGE_EXPORT bool callgauge_event_arg_flag(const callgauge_event *event, size_t index, size_t flag,
                                               callgauge_str *name);

#ifdef __cplusplus
}
#endif
#endif
