/* SPDX-License-Identifier: Apache-2.0 */
/* From the words of a command line to settings, by the option tables of a command.
 * Invariant: options may stand anywhere before "--"; what is no option is a file; the last of equal options wins. */
#include "options.h"

#include <string.h>

enum { MOST_OPTIONS = 40, MOST_LETTERS = 24, LEAST_BEGINNING = 3, HELP_COLUMN = 30 };

const option common_options[] = {
    { "output", 'o', OPTION_TEXT, "FILE", "write to FILE; its ending tells the format", offsetof(settings, output) },
    { "dialect", 0, OPTION_TEXT, "NAME", "read as strace or truss-solaris", offsetof(settings, dialect) },
    { "stamps", 0, OPTION_CHOICE, "auto|d|D|E", "option of truss that made a lone time column",
      offsetof(settings, stamps) },
    { "time-kind", 0, OPTION_CHOICE, "auto|cpu|wall", "kind of time in strace -c tables",
      offsetof(settings, time_kind) },
    { "jobs", 0, OPTION_NUMBER, "N", "files read at one time; 1: no threads", offsetof(settings, jobs) },
    { "strict", 0, OPTION_FLAG, NULL, "exit with 2 if a line could not be read", offsetof(settings, strict) },
    { "help", 'h', OPTION_FLAG, NULL, "show this help", offsetof(settings, help) },
    { NULL, 0, OPTION_FLAG, NULL, NULL, 0 },
};

/* --- suggestions */

static size_t min_of(size_t a, size_t b)
{
    return a < b ? a : b;
}

/* How many letters must be put in, left out or changed; `b` has at most MOST_LETTERS. */
static size_t edit_distance(const char *a, const char *b)
{
    size_t row[MOST_LETTERS + 1];
    size_t width = strlen(b);
    for (size_t k = 0; k <= width; k++) {
        row[k] = k;
    }
    for (size_t i = 0; a[i] != '\0'; i++) {
        size_t diagonal = row[0];
        row[0] = i + 1;
        for (size_t k = 0; k < width; k++) {
            size_t changed = diagonal + (a[i] != b[k]);
            diagonal = row[k + 1];
            row[k + 1] = min_of(changed, min_of(row[k], row[k + 1]) + 1);
        }
    }
    return row[width];
}

const char *nearest_word(const char *word, const char *const *candidates, size_t count)
{
    const char *best = NULL;
    size_t length = strlen(word);
    size_t least = 1 + min_of(2, length / 2);
    for (size_t i = 0; i < count && length <= MOST_LETTERS; i++) {
        bool begins = length >= LEAST_BEGINNING && strncmp(candidates[i], word, length) == 0;
        size_t distance = begins ? 0 : edit_distance(candidates[i], word);
        if (distance < least) {
            least = distance;
            best = candidates[i];
        }
    }
    return best;
}

/* --- looking up */

/* The options of a command, its own first. */
static size_t list_options(const command *cmd, const option *out[MOST_OPTIONS])
{
    size_t count = 0;
    for (const option *o = cmd->options; o->name != NULL; o++) {
        out[count++] = o;
    }
    for (const option *o = cmd->shared != NULL ? cmd->shared : common_options; o->name != NULL; o++) {
        out[count++] = o;
    }
    return count;
}

static const option *find_long(const command *cmd, const char *name, size_t length)
{
    const option *all[MOST_OPTIONS];
    size_t count = list_options(cmd, all);
    for (size_t i = 0; i < count; i++) {
        if (strlen(all[i]->name) == length && memcmp(all[i]->name, name, length) == 0) {
            return all[i];
        }
    }
    return NULL;
}

static const option *find_letter(const command *cmd, char letter)
{
    const option *all[MOST_OPTIONS];
    size_t count = list_options(cmd, all);
    for (size_t i = 0; i < count; i++) {
        if (all[i]->letter == letter) {
            return all[i];
        }
    }
    return NULL;
}

static void say_unknown(const command *cmd, const char *word, size_t length, char *fault, size_t room)
{
    const option *all[MOST_OPTIONS];
    const char *names[MOST_OPTIONS];
    char name[MOST_LETTERS + 1] = "";
    size_t count = list_options(cmd, all);
    for (size_t i = 0; i < count; i++) {
        names[i] = all[i]->name;
    }
    if (length <= MOST_LETTERS) {
        memcpy(name, word, length);
    }
    const char *near = nearest_word(name, names, count);
    if (near != NULL) {
        snprintf(fault, room, "unknown option '--%.*s'; did you mean '--%s'?", (int)length, word, near);
    } else {
        snprintf(fault, room, "unknown option '--%.*s'; 'callgauge %s --help' lists them", (int)length, word,
                 cmd->name);
    }
}

/* --- values */

static bool read_choice(const char *words, const char *value, choice *out)
{
    size_t length = strlen(value);
    size_t index = 0;
    for (const char *at = words; at != NULL; index++) {
        const char *bar = strchr(at, '|');
        size_t word = bar == NULL ? strlen(at) : (size_t)(bar - at);
        if (word == length && memcmp(at, value, length) == 0) {
            *out = (choice){ index, value };
            return true;
        }
        at = bar == NULL ? NULL : bar + 1;
    }
    return false;
}

static bool read_number(const char *text, uint64_t *out)
{
    uint64_t value = 0;
    for (const char *at = text; *at != '\0'; at++) {
        if (*at < '0' || *at > '9' || value > (UINT32_MAX - 9) / 10) {
            return false;
        }
        value = value * 10 + (uint64_t)(*at - '0');
    }
    *out = value;
    return *text != '\0';
}

static bool set_value(const option *o, const char *value, settings *out, char *fault, size_t room)
{
    char *target = (char *)out + o->target;
    switch (o->kind) {
    case OPTION_FLAG: *(bool *)(void *)target = true; return true;
    case OPTION_TEXT: *(const char **)(void *)target = value; return true;
    case OPTION_TEXTS: {
        text_list *list = (text_list *)(void *)target;
        if (list->count == MOST_TEXTS) {
            snprintf(fault, room, "--%s: given more than %d times", o->name, MOST_TEXTS);
            return false;
        }
        list->items[list->count++] = value;
        return true;
    }
    case OPTION_CHOICE:
        if (read_choice(o->argument, value, (choice *)(void *)target)) {
            return true;
        }
        snprintf(fault, room, "--%s: '%s' is none of %s", o->name, value, o->argument);
        return false;
    case OPTION_NUMBER:
        if (read_number(value, (uint64_t *)(void *)target)) {
            return true;
        }
        snprintf(fault, room, "--%s: '%s' is no number", o->name, value);
        return false;
    }
    return false;
}

/* --- parsing */

typedef struct words {
    int count, at;
    char **argv;
} words;

/* The value of an option: `given` with it, or the next word. */
static bool take_value(const option *o, const char *given, words *in, settings *out, char *fault, size_t room)
{
    if (o->kind == OPTION_FLAG) {
        if (given != NULL) {
            snprintf(fault, room, "--%s takes no value", o->name);
            return false;
        }
    } else if (given == NULL) {
        if (in->at == in->count) {
            snprintf(fault, room, "--%s needs a value: %s", o->name, o->argument);
            return false;
        }
        given = in->argv[in->at++];
    }
    return set_value(o, given, out, fault, room);
}

static bool take_long(const command *cmd, const char *word, words *in, settings *out, char *fault, size_t room)
{
    const char *equals = strchr(word, '=');
    size_t length = equals == NULL ? strlen(word) : (size_t)(equals - word);
    const option *o = find_long(cmd, word, length);
    if (o == NULL) {
        say_unknown(cmd, word, length, fault, room);
        return false;
    }
    return take_value(o, equals == NULL ? NULL : equals + 1, in, out, fault, room);
}

static bool take_letters(const command *cmd, const char *letters, words *in, settings *out, char *fault, size_t room)
{
    for (; *letters != '\0'; letters++) {
        const option *o = find_letter(cmd, *letters);
        if (o == NULL) {
            snprintf(fault, room, "unknown option '-%c'; 'callgauge %s --help' lists them", *letters, cmd->name);
            return false;
        }
        if (o->kind != OPTION_FLAG) {
            return take_value(o, letters[1] == '\0' ? NULL : letters + 1, in, out, fault, room);
        }
        if (!take_value(o, NULL, in, out, fault, room)) {
            return false;
        }
    }
    return true;
}

/* Without --format the name of the output tells the form, if the command has that form; else it is text. */
static void settle_format(const command *cmd, settings *out)
{
    static const struct {
        const char *ending, *format;
    } known[] = { { ".json", "json" }, { ".csv", "csv" },     { ".md", "markdown" },
                  { ".xml", "junit" }, { ".sarif", "sarif" }, { ".ndjson", "ndjson" } };
    const option *format = find_long(cmd, "format", strlen("format"));
    if (out->format.text != NULL) {
        return;
    }
    out->format = (choice){ 0, "text" };
    const char *ending = out->output != NULL ? strrchr(out->output, '.') : NULL;
    for (size_t i = 0; format != NULL && ending != NULL && i < sizeof known / sizeof *known; i++) {
        if (strcmp(known[i].ending, ending) == 0) {
            (void)read_choice(format->argument, known[i].format, &out->format);
        }
    }
}

bool options_parse(const command *cmd, int argc, char **argv, settings *out, char *fault, size_t room)
{
    *out = (settings){ .limit = LIMIT_NOT_GIVEN };
    words in = { argc, 0, argv };
    bool only_files = false;
    size_t files = 0;
    while (in.at < in.count) {
        char *word = argv[in.at++];
        if (only_files || word[0] != '-' || word[1] == '\0') {
            argv[files++] = word;
        } else if (strcmp(word, "--") == 0) {
            only_files = true;
        } else {
            bool ok = word[1] == '-' ? take_long(cmd, word + 2, &in, out, fault, room)
                                     : take_letters(cmd, word + 1, &in, out, fault, room);
            if (!ok) {
                return false;
            }
        }
    }
    out->files = (const char *const *)argv;
    out->file_count = files;
    settle_format(cmd, out);
    return true;
}

/* --- help */

static void explain_option(const option *o, FILE *to)
{
    char head[80];
    int length = snprintf(head, sizeof head, "  %c%c%s --%s%s%s", o->letter != 0 ? '-' : ' ',
                          o->letter != 0 ? o->letter : ' ', o->letter != 0 ? "," : " ", o->name,
                          o->argument != NULL ? " " : "", o->argument != NULL ? o->argument : "");
    if (length < HELP_COLUMN - 1) {
        fprintf(to, "%-*s%s\n", HELP_COLUMN, head, o->help);
    } else {
        fprintf(to, "%s\n%*s%s\n", head, HELP_COLUMN, "", o->help);
    }
}

void options_explain(const command *cmd, FILE *to)
{
    const option *all[MOST_OPTIONS];
    size_t count = list_options(cmd, all);
    fprintf(to, "usage: callgauge %s [OPTION]... %s\n\n%s\n\n", cmd->name,
            cmd->arguments != NULL ? cmd->arguments : "FILE...", cmd->purpose);
    for (size_t i = 0; i < count; i++) {
        explain_option(all[i], to);
    }
}
