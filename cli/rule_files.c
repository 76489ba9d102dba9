/* SPDX-License-Identifier: Apache-2.0 */
/* Reads rule files; of a folder all that end in .yaml or .yml, by name. Faults are said one a line, all in one go. */
#include "rule_files.h"

#include <dirent.h>
#include <errno.h>
#include <stdlib.h>
#include <string.h>
#include <sys/stat.h>

#include "message.h"

enum { MOST_BYTES = 2 << 20, MOST_IDS = 512 };

/* Everything that lives while rules are loaded. */
typedef struct files {
    callgauge_rule_text *texts;
    size_t count, room;
} files;

static bool no_memory(void)
{
    say(callgauge_status_text(CALLGAUGE_E_NOMEM));
    return false;
}

/* The whole of a file, at most MOST_BYTES and one more. NULL: it was said why not. */
static char *read_file(const char *path, size_t *length)
{
    FILE *file = strcmp(path, "-") == 0 ? stdin : fopen(path, "rb");
    if (file == NULL) {
        say_about(path, strerror(errno));
        return NULL;
    }
    char *data = malloc(MOST_BYTES + 1);
    *length = data == NULL ? 0 : fread(data, 1, MOST_BYTES + 1, file);
    bool failed = ferror(file) != 0;
    if (file != stdin) {
        fclose(file);
    }
    if (failed) {
        say_about(path, "cannot be read");
        free(data);
        return NULL;
    }
    if (data == NULL) {
        no_memory();
    }
    return data;
}

/* `name` is taken over. */
static bool add_file(files *to, char *name)
{
    if (name == NULL) {
        return no_memory();
    }
    if (to->count == to->room) {
        size_t room = to->room == 0 ? 16 : to->room * 2;
        callgauge_rule_text *more = realloc(to->texts, room * sizeof *more);
        if (more == NULL) {
            free(name);
            return no_memory();
        }
        to->texts = more;
        to->room = room;
    }
    size_t length;
    char *text = read_file(name, &length);
    if (text == NULL) {
        free(name);
        return false;
    }
    to->texts[to->count++] = (callgauge_rule_text){ name, text, length };
    return true;
}

static char *copy_of(const char *text)
{
    char *copy = malloc(strlen(text) + 1);
    return copy == NULL ? NULL : strcpy(copy, text);
}

static int is_rule_file(const struct dirent *entry)
{
    const char *dot = strrchr(entry->d_name, '.');
    return dot != NULL && entry->d_name[0] != '.' && (strcmp(dot, ".yaml") == 0 || strcmp(dot, ".yml") == 0);
}

static bool add_folder(files *to, const char *path)
{
    struct dirent **entries;
    int count = scandir(path, &entries, is_rule_file, alphasort);
    if (count < 0) {
        say_about(path, strerror(errno));
        return false;
    }
    bool good = true;
    for (int i = 0; i < count; i++) {
        size_t room = strlen(path) + strlen(entries[i]->d_name) + 2;
        char *name = good ? malloc(room) : NULL;
        if (name != NULL) {
            const char *slash = path[strlen(path) - 1] == '/' ? "" : "/";
            snprintf(name, room, "%s%s%s", path, slash, entries[i]->d_name);
        }
        good = good && add_file(to, name);
        free(entries[i]);
    }
    free(entries);
    if (good && count == 0) {
        say_about(path, "no .yaml file is in it");
        return false;
    }
    return good;
}

static bool add_path(files *to, const char *path)
{
    struct stat info;
    bool is_folder = strcmp(path, "-") != 0 && stat(path, &info) == 0 && S_ISDIR(info.st_mode);
    return is_folder ? add_folder(to, path) : add_file(to, copy_of(path));
}

static void free_files(files *of)
{
    for (size_t i = 0; i < of->count; i++) {
        free((void *)(uintptr_t)of->texts[i].name);
        free((void *)(uintptr_t)of->texts[i].text);
    }
    free(of->texts);
}

/* --- ids */

typedef struct ids {
    char *text; /* of all, each ended by a NUL */
    const char *items[MOST_IDS];
    size_t count;
} ids;

static bool split_ids(const text_list *given, ids *out)
{
    size_t room = 1;
    for (size_t i = 0; i < given->count; i++) {
        room += strlen(given->items[i]) + 1;
    }
    *out = (ids){ .text = malloc(room) };
    if (out->text == NULL) {
        return no_memory();
    }
    char *to = out->text;
    for (size_t i = 0; i < given->count; i++) {
        for (const char *at = given->items[i]; *at != '\0';) {
            size_t length = strcspn(at, ",");
            if (length > 0 && out->count < MOST_IDS) {
                memcpy(to, at, length);
                to[length] = '\0';
                out->items[out->count++] = to;
                to += length + 1;
            }
            at += length + (at[length] == ',');
        }
    }
    return true;
}

/* "ID=LEVEL" to id and level; the id is cut out of `text`. */
static bool read_severity(char *text, callgauge_rule_severity *out)
{
    char *equals = strchr(text, '=');
    callgauge_str level = { equals == NULL ? "" : equals + 1, equals == NULL ? 0 : strlen(equals + 1) };
    if (equals == NULL || !callgauge_severity_find(level, &out->severity)) {
        char fault[160];
        snprintf(fault, sizeof fault, "--severity: '%.80s' is not ID=note, ID=warning or ID=error", text);
        say(fault);
        return false;
    }
    *equals = '\0';
    out->id = text;
    return true;
}

/* --- all of it */

static void tell_fault(void *ctx, const callgauge_error *fault)
{
    size_t *told = ctx;
    ++*told;
    say_fault(fault);
}

static bool load(callgauge_rules_options *options, callgauge_rules **out)
{
    size_t told = 0;
    callgauge_error error = CALLGAUGE_ERROR_INIT;
    options->on_diag = tell_fault;
    options->diag_ctx = &told;
    if (callgauge_rules_load(options, out, &error) == CALLGAUGE_OK) {
        return true;
    }
    if (told == 0 && error.status == CALLGAUGE_E_USAGE && strchr(error.message, ':') != NULL) {
        char text[300];
        snprintf(text, sizeof text, "--%s", error.message);
        say(text);
    } else if (told == 0) {
        say_error(&error);
    }
    return false;
}

static bool load_chosen(const settings *wanted, const ids chosen[3], callgauge_rules_options *options,
                        callgauge_rules **out)
{
    callgauge_rule_severity severities[MOST_IDS];
    for (size_t i = 0; i < chosen[2].count; i++) {
        char *text = (char *)(uintptr_t)chosen[2].items[i];
        if (!read_severity(text, &severities[i])) {
            return false;
        }
    }
    options->drafts = wanted->drafts;
    options->only = chosen[0].items;
    options->only_count = chosen[0].count;
    options->skip = chosen[1].items;
    options->skip_count = chosen[1].count;
    options->severities = severities;
    options->severity_count = chosen[2].count;
    return load(options, out);
}

bool rule_files_load(const settings *wanted, bool catalogue, const char *const *paths, size_t count,
                     callgauge_rules **out)
{
    files given = { 0 };
    ids chosen[3] = { 0 };
    bool good = true;
    for (size_t i = 0; good && i < count; i++) {
        good = add_path(&given, paths[i]);
    }
    good = good && split_ids(&wanted->only, &chosen[0]) && split_ids(&wanted->skip, &chosen[1]) &&
           split_ids(&wanted->severities, &chosen[2]);
    if (good) {
        callgauge_rules_options options = {
            .size = sizeof options, .no_catalogue = !catalogue, .texts = given.texts, .text_count = given.count
        };
        good = load_chosen(wanted, chosen, &options, out);
    }
    for (size_t i = 0; i < 3; i++) {
        free(chosen[i].text);
    }
    free_files(&given);
    return good;
}

static bool reads_rules(void)
{
    for (size_t i = 0; callgauge_feature(i) != NULL; i++) {
        if (strncmp(callgauge_feature(i), "libyaml", strlen("libyaml")) == 0) {
            return true;
        }
    }
    return false;
}

bool rule_files_choose(const settings *wanted, bool needed, callgauge_rules **out)
{
    *out = NULL;
    bool named = wanted->rules.count + wanted->only.count > 0;
    return !(needed || named || reads_rules()) ||
           rule_files_load(wanted, true, wanted->rules.items, wanted->rules.count, out);
}

int rule_files_show(const settings *wanted, const view *what)
{
    settings with_rules = *wanted;
    callgauge_rules *rules;
    if (!rule_files_choose(wanted, what->rows == CALLGAUGE_ROWS_FINDINGS, &rules)) {
        return EXIT_TROUBLE;
    }
    with_rules.loaded = rules;
    int code = show_reports(&with_rules, what);
    callgauge_rules_free(rules);
    return code;
}
