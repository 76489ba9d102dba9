/* SPDX-License-Identifier: Apache-2.0 */
/* What the readers of listings share: a form of listing is one const table entry; its reader takes lines one after the
 * other and hands processes and rows to the builder, which copies them.
 * Invariant: text handed over lives in the listing's text or in the builder's arena; nothing reaches the caller until
 * the whole text was read. */
#ifndef CG_STATE_LISTING_FORM_H
#define CG_STATE_LISTING_FORM_H

#include "state/listing.h"

/* A line without its end. */
typedef struct cg_listing_line {
    callgauge_str text;
    uint64_t number, offset;
    bool ended; /* a line feed follows */
} cg_listing_line;

typedef struct cg_listing_row {
    cg_listed listed;
    uint64_t line, offset;
} cg_listing_row;

typedef struct cg_listing_process {
    int64_t pid;
    uint64_t line, offset;
} cg_listing_process;

typedef struct cg_listing_build {
    const char *name;
    callgauge_error *err; /* may be NULL */
    cg_arena arena;
    cg_listing_row *rows;
    size_t row_count, row_room;
    cg_listing_process *processes;
    size_t process_count, process_room;
    callgauge_str left;   /* what of the text has not been read */
    const char *from;     /* the text's first byte */
    cg_listing_line line; /* the last one that was read */
} cg_listing_build;

typedef struct cg_listing_form {
    const char *name;
    /* Whether no other program than that of this form prints such a line. */
    bool (*bid)(callgauge_str line);
    callgauge_status (*read)(cg_listing_build *build);
} cg_listing_form;

extern const cg_listing_form cg_listing_pfiles, cg_listing_ls, cg_listing_lsof;

/* The next line into build->line. False: there is none. */
bool cg_listing_next(cg_listing_build *build);
/* The failure of build->line at `at`, which lies in it. */
callgauge_status cg_listing_fail(cg_listing_build *build, const char *at, const char *why);

/* Rows from now on are of this process. `again`: it may be the one before, in another part. */
callgauge_status cg_listing_process_begins(cg_listing_build *build, int64_t pid, bool again);
/* Takes a row of the last process; `place`: of its first line. Text is copied. */
callgauge_status cg_listing_add(cg_listing_build *build, const cg_listed *row, const cg_listing_line *place);

/* A row of which nothing is known. */
cg_listed cg_listing_blank(int64_t fd);

/* Digits that are a process or a descriptor. The cursor moves on success only. */
bool cg_listing_number(const char **at, const char *end, int64_t *out);
/* A number of a port, all of `text`; else -1. */
int32_t cg_listing_port(callgauge_str text);
/* An IPv4 address in the clothes of IPv6 loses them. */
callgauge_str cg_listing_address(callgauge_str text);
/* FILE, TTY or DEVICE, by a path. */
callgauge_file_kind cg_listing_kind_of_path(callgauge_str path);
/* FILE and a device under /dev: what a device file is. */
callgauge_file_kind cg_listing_kind_of_device(callgauge_str path);
/* Takes " (deleted)" off the end. */
bool cg_listing_cut_deleted(callgauge_str *path);

/* The first word of `text`, which then starts behind it. False: none is left. */
bool cg_listing_word(callgauge_str *text, callgauge_str *word);
/* A line that a shell echoed or that the program says of itself: "$ pfiles 17", "pfiles: ...". */
bool cg_listing_is_talk(callgauge_str line, const char *program);
/* A blank line. */
bool cg_listing_is_empty(callgauge_str line);

#endif
