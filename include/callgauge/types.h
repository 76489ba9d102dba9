/* SPDX-License-Identifier: Apache-2.0 */
/**
 * @file types.h
 * What every part of callgauge shares: views, statuses, errors, limits.
 *
 * Rules that hold for the whole library:
 * - A function that can fail returns a callgauge_status. Negative is a failure; then `err`, when
 *   the caller gave one, says where and why, and no `out` parameter has been written.
 * - The library never prints, exits, aborts on lack of memory, reads the clock or sets a locale.
 * - Lines and columns start at 1 (0: not known), columns and offsets count bytes, times are
 *   int64_t nanoseconds in names that end in `_ns`.
 * - Objects are independent: one object, one thread at a time. Reports may be shared once made.
 */
#ifndef CALLGAUGE_TYPES_H
#define CALLGAUGE_TYPES_H

#include <stdbool.h>
#include <stddef.h>
#include <stdint.h>

#include <callgauge/export.h>

#ifdef __cplusplus
extern "C" {
#endif

/** A view of bytes that somebody else owns; not NUL-terminated. `ptr` may be NULL when `len` is 0. */
typedef struct callgauge_str {
    const char *ptr;
    size_t len;
} callgauge_str;

/** What a function answers. Values are stable; new ones are added at the ends. */
typedef enum callgauge_status {
    CALLGAUGE_OK = 0,
    CALLGAUGE_MORE = 1,           /**< a reader needs more bytes */
    CALLGAUGE_END = 2,            /**< everything has been given */
    CALLGAUGE_E_NOMEM = -1,       /**< out of memory; the object stays valid and may be freed */
    CALLGAUGE_E_IO = -2,          /**< a file could not be opened or read */
    CALLGAUGE_E_FORMAT = -3,      /**< the input is no capture or report that can be read */
    CALLGAUGE_E_USAGE = -4,       /**< a parameter or option is wrong */
    CALLGAUGE_E_UNSUPPORTED = -5, /**< recognised, but not readable: another tool's output, a missing build option */
    CALLGAUGE_E_STOPPED = -6      /**< a callback of the caller asked to stop */
} callgauge_status;

/**
 * Names a status, for example "out of memory".
 *
 * @return a constant, never NULL; "unknown status" for any other value.
 * Threads: any.
 */
CALLGAUGE_EXPORT const char *callgauge_status_text(callgauge_status status);

/**
 * Where and why something failed. Given by the caller, filled by the library; it owns its text.
 * Set `size` to sizeof(callgauge_error) before the first use (CALLGAUGE_ERROR_INIT does).
 */
typedef struct callgauge_error {
    size_t size;
    callgauge_status status;
    uint64_t line;     /**< from 1; 0 when the fault has no line */
    uint64_t column;   /**< in bytes, from 1; 0 when unknown */
    uint64_t offset;   /**< in bytes from the start of the (unpacked) source */
    char source[128];  /**< the name of the source, shortened in front with "..." when longer */
    char message[256]; /**< lower case, no full stop */
} callgauge_error;

/** An empty callgauge_error. */
#define CALLGAUGE_ERROR_INIT \
    { \
        sizeof(callgauge_error), CALLGAUGE_OK, 0, 0, 0, { 0 }, \
        { \
            0 \
        } \
    }

/**
 * Told of each fault of the input that does not stop the analysis: an unread line, a table that
 * contradicts its trace. Called on the thread that feeds or reads; `fault` lives during the call.
 */
typedef void callgauge_diag_fn(void *ctx, const callgauge_error *fault);

/**
 * What hostile or huge input may cost. Zero means the default. What a limit cut is counted in the
 * report (`limits_hit`) or said as an error; nothing is lost in silence.
 */
typedef struct callgauge_limits {
    size_t size;           /**< sizeof(callgauge_limits) */
    size_t line_bytes;     /**< longest line kept; longer ones are unread. Default 16 MiB, least 4096 */
    size_t open_calls;     /**< calls without a result at one time. Default 65,536 */
    size_t open_bytes;     /**< text kept of calls without a result. Default 64 MiB */
    size_t names;          /**< distinct call, error, signal, fault and function names, each. Default 16,384 */
    size_t processes;      /**< rows of processes. Default 65,536 */
    size_t unread_kept;    /**< unread lines kept with their text. Default 10 */
    size_t paths;          /**< distinct files, sockets and pipes followed. Default 1,000,000 */
    size_t descriptors;    /**< descriptors open at one time, of all processes. Default 1,048,576 */
    size_t file_processes; /**< pids kept of each file. Default 1,024 */
    size_t waiting;        /**< rows of waiting. Default 65,536 */
    size_t groups;         /**< groups counted of each rule. Default 65,536 */
    size_t attempts;       /**< runs and sequences of each rule that are not at their end. Default 4,096 */
    size_t distinct;       /**< values of each rule that are told apart for `distinct`. Default 1,000,000 */
    size_t findings;       /**< findings of each rule. Default 100 */
    size_t finding_groups; /**< groups that a finding lists. Default 100 */
    size_t evidence;       /**< lines of evidence that a finding shows; of several captures at most 5. Default 5 */
} callgauge_limits;

#ifdef __cplusplus
}
#endif
#endif
