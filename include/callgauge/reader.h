/* SPDX-License-Identifier: Apache-2.0 */
/**
 * @file reader.h
 * From bytes to events: feed a capture in pieces of any size, or open one; pull its events.
 */
#ifndef CALLGAUGE_READER_H
#define CALLGAUGE_READER_H

#include <callgauge/event.h>
#include <callgauge/types.h>

#ifdef __cplusplus
extern "C" {
#endif

/** Turns the bytes of one capture into events. */
typedef struct callgauge_reader callgauge_reader;

/** How the single time column of a truss capture without a header is to be taken. */
typedef enum callgauge_stamps {
    CALLGAUGE_STAMPS_GUESS,   /**< the more likely one, said in the report */
    CALLGAUGE_STAMPS_D_TIME,  /**< -d: seconds since the start */
    CALLGAUGE_STAMPS_D_DELTA, /**< -D: seconds since the event before */
    CALLGAUGE_STAMPS_E_CPU    /**< -E: system CPU time of the call */
} callgauge_stamps;

/** Options of a reader. Zero means the default. */
typedef struct callgauge_reader_options {
    size_t size;         /**< sizeof(callgauge_reader_options); a larger struct with non-zero tail is refused */
    const char *dialect; /**< NULL: found out; "strace", "truss-solaris" */
    callgauge_stamps stamps;
    callgauge_time_kind time_kind; /**< of a strace table; NONE: cpu, assumed */
    int64_t pid;                   /**< of lines without one (an -ff file); 0: unknown */
    bool details;                  /**< deliver DETAIL, FOREIGN and UNREAD events too */
    bool no_thread;                /**< never start a thread (for packed input) */
    callgauge_limits limits;
    callgauge_diag_fn *on_diag; /**< NULL: only counted */
    void *diag_ctx;
} callgauge_reader_options;

/** Something the reader had to take without proof. */
typedef struct callgauge_assumption {
    const char *what;   /**< "stamp column" */
    const char *taken;  /**< "E" */
    const char *option; /**< the option of the command that decides it: "--stamps" */
} callgauge_assumption;

/** A kind of damage that was undone. */
typedef struct callgauge_repair {
    const char *kind; /**< "cr-lf", "html-entities", ...: docs/dialects lists them */
    uint64_t count;   /**< how many lines or places */
    uint64_t line;    /**< the first one */
} callgauge_repair;

/** A line that could not be read. */
typedef struct callgauge_unread {
    uint64_t line;
    const char *reason;
    callgauge_str text; /**< its first bytes, as they are */
} callgauge_unread;

/** What the start and end stamps of a capture count from. */
typedef enum callgauge_clock {
    CALLGAUGE_CLOCK_NONE,     /**< no stamps */
    CALLGAUGE_CLOCK_EPOCH,    /**< 1970-01-01 00:00:00 UTC */
    CALLGAUGE_CLOCK_MIDNIGHT, /**< midnight of the first day, local time of the traced machine */
    CALLGAUGE_CLOCK_BASE      /**< the start of the trace */
} callgauge_clock;

/** Traits of a capture: what its form can tell. */
enum {
    CALLGAUGE_TRAIT_ARGUMENTS = 1 << 0,
    CALLGAUGE_TRAIT_RESULTS = 1 << 1,
    CALLGAUGE_TRAIT_STRINGS = 1 << 2,
    CALLGAUGE_TRAIT_PIDS = 1 << 3,
    CALLGAUGE_TRAIT_THREADS = 1 << 4,
    CALLGAUGE_TRAIT_TIMESTAMPS = 1 << 5,
    CALLGAUGE_TRAIT_WALL_DURATIONS = 1 << 6,
    CALLGAUGE_TRAIT_CPU_DURATIONS = 1 << 7,
    CALLGAUGE_TRAIT_FD_PATHS = 1 << 8
};

/** What is known of a capture. Counts grow while it is read; they are whole after CALLGAUGE_END. */
typedef struct callgauge_capture {
    const char *name;
    const char *dialect; /**< NULL until it is known */
    bool has_events;
    bool has_table;
    uint32_t traits; /**< CALLGAUGE_TRAIT_... */
    callgauge_clock clock;
    uint64_t bytes; /**< unpacked */
    uint64_t lines; /**< = the six that follow */
    uint64_t event_lines;
    uint64_t continuation_lines; /**< resumed halves, dumps, frames, rests of joined lines */
    uint64_t table_lines;
    uint64_t notice_lines;
    uint64_t foreign_lines; /**< not the tracer's, blank ones too */
    uint64_t unread_lines;
    uint64_t events;  /**< events of the trace: calls, signals, faults, exits, notices, library calls */
    int64_t first_ns; /**< INT64_MIN: unknown */
    int64_t last_ns;  /**< INT64_MIN: unknown */
    const callgauge_unread *unread;
    size_t unread_count;
    const callgauge_assumption *assumed;
    size_t assumed_count;
    const callgauge_repair *repairs;
    size_t repair_count;
} callgauge_capture;

/**
 * Makes a reader that is fed.
 *
 * @param name     of the source, for errors and the report; copied.
 * @param options  NULL: all defaults. Copied.
 * @param out      set on CALLGAUGE_OK only; free with callgauge_reader_free().
 * @return CALLGAUGE_OK, CALLGAUGE_E_USAGE (an unknown dialect, a newer options struct), CALLGAUGE_E_NOMEM.
 * Threads: any.
 */
CALLGAUGE_EXPORT callgauge_status callgauge_reader_new(const char *name, const callgauge_reader_options *options,
                                                       callgauge_reader **out, callgauge_error *err);

/**
 * Opens a file to be read. `-` is standard input. Packed files (gzip, zstd, xz, bzip2) are unpacked;
 * of a tar bundle the members are read one after the other as one capture, a member's pid is the
 * number at the end of its name.
 *
 * @return CALLGAUGE_OK, CALLGAUGE_E_IO, CALLGAUGE_E_UNSUPPORTED (packed, and built without libarchive),
 *         CALLGAUGE_E_USAGE, CALLGAUGE_E_NOMEM. `out` as for callgauge_reader_new().
 * Threads: any.
 */
CALLGAUGE_EXPORT callgauge_status callgauge_reader_open(const char *path, const callgauge_reader_options *options,
                                                        callgauge_reader **out, callgauge_error *err);

/**
 * Reads from a descriptor, as callgauge_reader_open() does.
 *
 * @param fd    stays the caller's: it is neither closed nor rewound.
 * @param name  of the source, for errors and the report; copied.
 * Threads: any.
 */
CALLGAUGE_EXPORT callgauge_status callgauge_reader_open_fd(int fd, const char *name,
                                                           const callgauge_reader_options *options,
                                                           callgauge_reader **out, callgauge_error *err);

/**
 * Gives bytes to a reader made by callgauge_reader_new(). Pull all events (until CALLGAUGE_MORE)
 * between two calls: what was fed and not pulled stays in memory.
 *
 * @param data  `len` bytes; copied, free on return.
 * @return CALLGAUGE_OK; CALLGAUGE_E_USAGE: the reader was opened or is finished; CALLGAUGE_E_NOMEM.
 * Threads: one at a time.
 */
CALLGAUGE_EXPORT callgauge_status callgauge_reader_feed(callgauge_reader *reader, const void *data, size_t len,
                                                        callgauge_error *err);

/**
 * Says that no more bytes come. The events that are left can then be pulled until CALLGAUGE_END. Saying it
 * again does nothing.
 *
 * @return CALLGAUGE_OK; CALLGAUGE_E_USAGE: the reader was opened.
 * Threads: one at a time.
 */
CALLGAUGE_EXPORT callgauge_status callgauge_reader_finish(callgauge_reader *reader, callgauge_error *err);

/**
 * Gives the next event of the capture. The events are the same however the bytes were cut.
 *
 * @param out  set on CALLGAUGE_OK only. Borrowed from `reader`: valid until the next call on it.
 * @return CALLGAUGE_OK; CALLGAUGE_MORE: feed more bytes; CALLGAUGE_END: all given;
 *         CALLGAUGE_E_FORMAT: no capture of a known dialect, or nothing in it could be read;
 *         CALLGAUGE_E_UNSUPPORTED: another tool's output; CALLGAUGE_E_IO; CALLGAUGE_E_NOMEM.
 *         After a failure each further call fails the same way.
 * Lines that fit no rule of the dialect are no error: they go to `on_diag` and are counted.
 * Threads: one at a time.
 */
CALLGAUGE_EXPORT callgauge_status callgauge_reader_next(callgauge_reader *reader, const callgauge_event **out,
                                                        callgauge_error *err);

/**
 * Tells what is known of the capture so far.
 *
 * @return borrowed from `reader`: valid until it is freed; its fields change while it reads. Never NULL.
 * Threads: one at a time.
 */
CALLGAUGE_EXPORT const callgauge_capture *callgauge_reader_capture(const callgauge_reader *reader);

/** Frees a reader and all it lent; NULL is fine. Threads: one at a time. */
CALLGAUGE_EXPORT void callgauge_reader_free(callgauge_reader *reader);

/**
 * Names the dialects that can be read, in their order of preference.
 *
 * @return NULL past the last one; else a constant.
 * Threads: any.
 */
CALLGAUGE_EXPORT const char *callgauge_dialect_name(size_t index);

#ifdef __cplusplus
}
#endif
#endif
