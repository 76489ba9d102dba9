/* SPDX-License-Identifier: Apache-2.0 */
/* Commands, their option tables, and what the user asked for. A table serves parsing, --help and the manual. */
#ifndef CLI_OPTIONS_H
#define CLI_OPTIONS_H

#include <stdbool.h>
#include <stddef.h>
#include <stdint.h>
#include <stdio.h>

enum { EXIT_FINE = 0, EXIT_FOUND = 1, EXIT_TROUBLE = 2 };

/* One of the words in an option's argument: which one, from 0, and the word. */
typedef struct choice {
    size_t index;
    const char *text;
} choice;

/* What an option that may be given several times was given. */
enum { MOST_TEXTS = 64 };
typedef struct text_list {
    const char *items[MOST_TEXTS];
    size_t count;
} text_list;

typedef struct settings {
    choice format, sort, by, stamps, time_kind, color, kind;
    const char *output;  /* NULL: standard output */
    const char *dialect; /* NULL: found out */
    uint64_t limit;      /* LIMIT_NOT_GIVEN, or how many rows; 0: all */
    uint64_t jobs;
    const char *unit;   /* NULL: none */
    const char *path;   /* NULL: any */
    const char *where;  /* NULL: all events */
    const char *traced; /* which calls were traced; NULL: not said */
    bool strict, each, details, help, tree;
    const char *fds; /* a listing of descriptors; NULL: none */
    bool fds_any_pid;
    const char *fds_text; /* of `fds`, once inputs_load() has read it */
    size_t fds_length;
    bool drafts;
    choice fail_on;
    int rows;                                 /* callgauge_rows that are shown, once the command has said it */
    const struct callgauge_rules *loaded;     /* rules; NULL: none */
    text_list rules;                          /* files and folders of rules */
    text_list only, skip;                     /* ids, with commas between */
    text_list severities;                     /* "ID=LEVEL" */
    text_list before, after;                  /* files of the sides that are compared */
    const char *before_traced, *after_traced; /* sets of calls; NULL: not said */
    const char *count_percent, *time_percent, *time_floor, *min_understood; /* NULL: the usual */
    uint64_t count_floor;
    bool calls_only;
    const char *budget, *baseline;         /* their files; NULL: none */
    const struct callgauge_budget *limits; /* the budget, once it is loaded; NULL: none */
    bool update;                           /* write the budget's sequences anew */
    const char *const *files;
    size_t file_count;
} settings;

#define LIMIT_NOT_GIVEN UINT64_MAX

typedef enum option_kind {
    OPTION_FLAG,   /* bool */
    OPTION_CHOICE, /* choice; `argument` lists the words: "cpu|wall" */
    OPTION_NUMBER, /* uint64_t */
    OPTION_TEXT,   /* const char * */
    OPTION_TEXTS   /* text_list: may be given several times */
} option_kind;

typedef struct option {
    const char *name; /* without the dashes; NULL ends a table */
    char letter;      /* 0: none */
    option_kind kind;
    const char *argument;
    const char *help;
    size_t target; /* the member of settings */
} option;

typedef struct command {
    const char *name;
    const char *purpose;
    const option *options;
    const option *shared;               /* what it understands beside them; NULL: common_options */
    const char *arguments;              /* NULL: "FILE..." */
    int (*run)(const settings *wanted); /* gives the exit status */
} command;

extern const command command_report, command_summary, command_files, command_processes, command_events, command_rules,
    command_detect, command_compare, command_merge, command_check;

/* Of the commands that analyse captures. */
#define OPTIONS_OF_LISTING \
    { "fds", 0, OPTION_TEXT, "FILE", "descriptors: pfiles, ls -l /proc/PID/fd or lsof -p", offsetof(settings, fds) }, \
    { \
        "fds-any-pid", 0, OPTION_FLAG, NULL, "take --fds for whichever process", offsetof(settings, fds_any_pid) \
    }

/* Of the commands that read events. */
#define OPTION_WHERE \
    { \
        "where", 0, OPTION_TEXT, "EXPR", "only events that meet a condition: class == read and ok", \
            offsetof(settings, where) \
    }

/* Of the commands that count calls. */
#define OPTION_TRACED \
    { \
        "traced", 0, OPTION_TEXT, "SET", "which calls were traced: open,read, %class, or !SET", \
            offsetof(settings, traced) \
    }

/* What every command understands. */
extern const option common_options[];

/* Reads options and file names, which `argv` then starts with. False: `fault` (of `room` bytes) says what is wrong. */
bool options_parse(const command *cmd, int argc, char **argv, settings *out, char *fault, size_t room);

/* Writes a command's usage and the list of its options. */
void options_explain(const command *cmd, FILE *to);

/* The candidate (of `count`) that `word` is most likely meant to be, or NULL when none is near. */
const char *nearest_word(const char *word, const char *const *candidates, size_t count);

#endif
