/* SPDX-License-Identifier: Apache-2.0 */
/* Holds lib/state against strace's own decorations: every -y and -yy capture of a corpus is followed with the
 * decorations hidden, and judged by them. An open file is right when the decoration of a use is that of its birth,
 * allowing for connect, rename and deletion. Prints a line for each capture, and totals.
 *
 *     truth_tracking CORPUS [CAPTURE]
 *
 * Exit: 0, 1 when less than 99.9 % of the uses are right, 77 without a corpus. */
#define _XOPEN_SOURCE 700

#include <ftw.h>
#include <inttypes.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>

#include "base/str.h"
#include "reader/reader.h"
#include "state/state.h"

enum { SKIPPED = 77, MOST_FILES = 2000, MOST_SAID = 20 };

/* What the judge knows of an open file. */
typedef struct opened {
    char *shown;            /* the decoration seen last */
    uint64_t line;          /* of its first use */
    bool connects, spelled; /* spelled: at its birth the tracer wrote the path in another way */
} opened;

/* A decorated birth whose open file has not been used yet. */
typedef struct birth {
    uint32_t process;
    int64_t fd;
    char *shown;
    uint64_t line;
    struct birth *next;
} birth;

typedef struct tally {
    uint64_t uses, wrong, older, guessed;
    uint64_t equal, spelling, relative, alike, unknown, misnamed;
} tally;

/* A decoration that only one open file ever has, seen when that was made. */
typedef struct made_name {
    char *shown;
    struct made_name *next;
} made_name;

enum { BIRTHS = 65536 };

typedef struct judge {
    tally t;
    opened *open;
    size_t room;
    birth *births[BIRTHS];
    made_name *names[BIRTHS];
    cg_state *state;
    bool loud;
    uint64_t said;
} judge;

static char *copy(callgauge_str text)
{
    char *out = malloc(text.len + 1);
    memcpy(out, text.ptr, text.len);
    out[text.len] = 0;
    return out;
}

static opened *open_of(judge *j, uint64_t number)
{
    if (number >= j->room) {
        size_t room = (number + 1) * 2;
        j->open = realloc(j->open, room * sizeof *j->open);
        memset(j->open + j->room, 0, (room - j->room) * sizeof *j->open);
        j->room = room;
    }
    return &j->open[number];
}

static birth **birth_of(judge *j, uint32_t process, int64_t fd)
{
    birth **at = &j->births[(process * 31 + (uint32_t)fd * 7) % BIRTHS];
    while (*at != NULL && ((*at)->process != process || (*at)->fd != fd)) {
        at = &(*at)->next;
    }
    return at;
}

static made_name **name_of(judge *j, callgauge_str shown)
{
    uint32_t hash = 0;
    for (size_t i = 0; i < shown.len; i++) {
        hash = hash * 31 + (unsigned char)shown.ptr[i];
    }
    made_name **at = &j->names[hash % BIRTHS];
    while (*at != NULL && !cg_str_is(shown, (*at)->shown)) {
        at = &(*at)->next;
    }
    return at;
}

/* Pipes and sockets: paths and what has no inode of its own are opened again. */
static bool is_unique(callgauge_str shown)
{
    return cg_str_starts(shown, "pipe:[") || (shown.len > 0 && cg_is_upper(shown.ptr[0]));
}

static void note_name(judge *j, callgauge_str shown)
{
    made_name **at = name_of(j, shown);
    if (*at == NULL && is_unique(shown)) {
        *at = calloc(1, sizeof **at);
        (*at)->shown = copy(shown);
    }
}

static void note_birth(judge *j, uint32_t process, int64_t fd, callgauge_str shown, uint64_t line)
{
    birth **at = birth_of(j, process, fd);
    note_name(j, shown);
    if (*at == NULL) {
        *at = calloc(1, sizeof **at);
        (*at)->process = process;
        (*at)->fd = fd;
    }
    free((*at)->shown);
    (*at)->shown = copy(shown);
    (*at)->line = line;
}

/* Without " (deleted)", and without the part in nested brackets. */
static callgauge_str plain(callgauge_str text)
{
    if (text.len > 0 && text.ptr[0] == '/' && cg_str_ends(text, ">")) {
        text.len = cg_str_find_last(text, "<");
    }
    if (cg_str_ends(text, " (deleted)")) {
        text.len -= 10;
    }
    return text;
}

static bool is_socket(callgauge_str text)
{
    return cg_str_starts(text, "socket:[") || (text.len > 0 && cg_is_upper(text.ptr[0]));
}

static callgauge_str peer_of(callgauge_str text)
{
    size_t at = cg_str_find(text, "->");
    return at == text.len ? cg_str(text.ptr + text.len, 0) : cg_str(text.ptr + at + 2, text.len - at - 2);
}

static callgauge_str own_of(callgauge_str text)
{
    size_t at = cg_str_find(text, "->");
    callgauge_str own = cg_str(text.ptr, at);
    if (cg_str_ends(own, "]")) {
        own.len--;
    }
    size_t comma = cg_str_find(own, ",");
    return cg_str(own.ptr, comma);
}

static bool has_address(callgauge_str text)
{
    callgauge_str own = own_of(text);
    size_t colon = cg_str_find(own, ":");
    return colon < own.len && cg_str_find(cg_str(own.ptr + colon + 1, own.len - colon - 1), ":") < own.len - colon - 1;
}

/* Whether two decorations can be of one open file at two moments. */
static bool is_later(const cg_file *file, const opened *o, callgauge_str before, callgauge_str now)
{
    before = plain(before);
    now = plain(now);
    if (cg_str_eq(before, now)) {
        return true;
    }
    if (is_socket(before) && is_socket(now)) {
        bool same_own = cg_str_eq(own_of(before), own_of(now));
        bool grew = !has_address(before) || !has_address(now); /* an inode became addresses, or the other way round */
        return o->connects || grew || (same_own && peer_of(before).len == 0);
    }
    return file != NULL && file->renamed_to.len > 0;
}

static void say(judge *j, const callgauge_event *event, const cg_use *use, const char *what, callgauge_str shown,
                const char *before)
{
    if (j->loud && j->said++ < MOST_SAID) {
        callgauge_str path = use->file == NULL ? cg_str_z("(none)") : use->file->path;
        printf("  line %" PRIu64 ": fd %" PRId64 " %s: shown %.*s, birth %s, followed %.*s\n", event->line, use->fd,
               what, (int)shown.len, shown.ptr, before == NULL ? "-" : before, (int)path.len, path.ptr);
    }
}

static void judge_name(judge *j, const callgauge_event *event, const cg_use *use, opened *o, callgauge_str shown)
{
    const cg_file *file = use->file;
    shown = plain(shown);
    bool is_path = shown.len > 0 && shown.ptr[0] == '/';
    if (file->path.len == 0 && (is_path || file->kind == CALLGAUGE_FILE_UNKNOWN)) {
        j->t.unknown++;
    } else if (is_path && cg_str_eq(file->path, shown)) {
        j->t.equal++;
    } else if (is_path && file->relative) {
        j->t.relative++;
    } else if (is_path && (o->spelled || file->renamed_to.len > 0)) {
        j->t.spelling++;
    } else if (is_path) {
        j->t.misnamed++;
        say(j, event, use, "named otherwise", shown, o->shown);
    } else if (is_socket(shown) && file->kind == CALLGAUGE_FILE_SOCKET) {
        char peer[300];
        snprintf(peer, sizeof peer, "%.*s:%d]", (int)(file->peer.len < 200 ? file->peer.len : 200),
                 file->peer.len > 0 ? file->peer.ptr : "", (int)file->peer_port);
        callgauge_str end = peer_of(shown);
        bool bare = end.len == 0 || file->peer.len == 0 || cg_is_digit(*end.ptr) == false;
        bool same = bare || cg_str_is(end, peer) || cg_str_starts(shown, "UNIX");
        j->t.alike += same;
        j->t.misnamed += !same;
        if (!same) {
            say(j, event, use, "has another peer", shown, peer);
        }
    } else if (cg_str_starts(shown, "pipe:") ? file->kind == CALLGAUGE_FILE_PIPE : file->kind == CALLGAUGE_FILE_ANON) {
        j->t.alike++;
    } else {
        j->t.misnamed++;
        say(j, event, use, "is of another kind", shown, o->shown);
    }
}

static void judge_use(judge *j, const callgauge_event *event, const cg_use *use, callgauge_str shown)
{
    uint32_t process = event->annotation->process->id;
    if (shown.len == 0 || use->fd == CG_UNKNOWN || (event->error != NULL && cg_str_is(event->error->text, "EBADF"))) {
        return;
    }
    j->t.uses++;
    if (use->open == 0 || use->file == NULL) {
        j->t.wrong++;
        say(j, event, use, "is not followed", shown, NULL);
        return;
    }
    opened *o = open_of(j, use->open);
    birth **at = birth_of(j, process, use->fd), *born = *at;
    if (o->shown == NULL) {
        o->shown = born != NULL ? born->shown : copy(shown);
        o->line = event->line;
        if (born != NULL) {
            *at = born->next;
            free(born);
        }
        callgauge_str first = plain(cg_str_z(o->shown));
        o->spelled = first.len > 0 && first.ptr[0] == '/' && !cg_str_eq(first, use->file->path);
    } else if (born != NULL && event->first_line > born->line && o->line <= born->line) {
        j->t.wrong++;
        say(j, event, use, "is older than its birth", shown, born->shown);
        return;
    }
    if (!is_later(use->file, o, cg_str_z(o->shown), shown)) {
        j->t.wrong++;
        say(j, event, use, "is another", shown, o->shown);
        return;
    }
    if (strncmp(o->shown, shown.ptr, shown.len) != 0 || o->shown[shown.len] != 0) {
        free(o->shown);
        o->shown = copy(shown);
    }
    /* Of a process that was attached to it is not known which others are its threads. */
    const cg_process *of = event->annotation->process;
    bool born_here = use->file->opened_before && (of->parent != NULL || of->id == 0) && *name_of(j, shown) != NULL;
    if (born_here) {
        j->t.wrong++;
        say(j, event, use, "is not older than the capture", shown, o->shown);
        return;
    }
    if (use->file->opened_before) {
        j->t.older++;
        j->t.guessed += use->file->path.len > 0;
        return;
    }
    judge_name(j, event, use, o, shown);
}

static void judge_event(judge *j, const callgauge_event *event)
{
    const cg_annotation *known = event->annotation;
    callgauge_str shown, text;
    int64_t fd;
    if (event->kind != CALLGAUGE_EVENT_CALL || known == NULL) {
        return;
    }
    const callgauge_call_name *call = event->call;
    if ((event->flags & CALLGAUGE_CALL_ORPHAN) == 0) {
        if (call->fd_arg >= 0 && callgauge_event_arg_fd(event, (size_t)call->fd_arg, &fd, &shown) && fd >= 0) {
            judge_use(j, event, &known->fd, shown);
        }
        if (call->fd2_arg >= 0 && call->does != CG_DOES_DUP2 &&
            callgauge_event_arg_fd(event, (size_t)call->fd2_arg, &fd, &shown) && fd >= 0) {
            judge_use(j, event, &known->fd2, shown);
        }
    }
    bool connects = call->does == CG_DOES_CONNECT || call->does == CG_DOES_BIND;
    if (connects && known->fd.open != 0) {
        open_of(j, known->fd.open)->connects = true;
    }
    if (known->made != NULL && event->lexer->fd(event->result, &fd, &shown) && shown.len > 0) {
        note_birth(j, known->process->id, fd, shown, event->line);
    }
    if (known->made != NULL && (call->does == CG_DOES_PIPE || call->does == CG_DOES_SOCKETPAIR) &&
        callgauge_event_arg(event, call->does == CG_DOES_PIPE ? 0 : 3, &text) && text.len > 2) {
        const char *at = text.ptr + 1;
        callgauge_str one;
        while (event->lexer->next(&at, text.ptr + text.len - 1, &one) && event->lexer->fd(one, &fd, &shown)) {
            if (shown.len > 0) {
                note_birth(j, known->process->id, fd, shown, event->line);
            }
        }
    }
}

static void forget_copies(judge *j, const callgauge_event *event)
{
    const cg_annotation *known = event->annotation;
    bool copies = event->kind == CALLGAUGE_EVENT_CALL && known != NULL && event->error == NULL &&
                  (event->call->does == CG_DOES_DUP || event->call->does == CG_DOES_DUP2 ||
                   event->call->does == CG_DOES_FCNTL || event->call->does == CG_DOES_CLOSE);
    if (copies) {
        birth **at = birth_of(j, known->process->id, event->call->does == CG_DOES_CLOSE ? known->fd.fd : event->value);
        if (*at != NULL) {
            birth *born = *at;
            *at = born->next;
            free(born->shown);
            free(born);
        }
    }
}

static bool follow(judge *j, const char *path, bool blind, callgauge_error *err)
{
    callgauge_reader *reader;
    callgauge_reader_options options = { .size = sizeof options };
    if (callgauge_reader_open(path, &options, &reader, err) != CALLGAUGE_OK) {
        return false;
    }
    cg_reader_want(reader, CG_WANT_THREAD | CG_WANT_SCALARS);
    cg_state_options settings = { .blind = blind };
    cg_limits_settle(&settings.limits);
    j->state = cg_state_new(&settings);
    cg_state_begin(j->state, cg_reader_open_calls(reader));
    const callgauge_event *event;
    callgauge_status st;
    while ((st = cg_reader_next(reader, &event, err)) == CALLGAUGE_OK) {
        if (!cg_state_annotate(j->state, cg_reader_event(reader, event))) {
            return false;
        }
        judge_event(j, event);
        forget_copies(j, event);
        if (!cg_state_apply(j->state)) {
            return false;
        }
    }
    callgauge_reader_free(reader);
    return st == CALLGAUGE_END;
}

static size_t orphans(const cg_state *state)
{
    size_t count = 0;
    for (size_t i = 1; i < cg_state_process_count(state); i++) {
        count += cg_state_process(state, i)->parent == NULL && cg_state_process(state, i)->same == NULL;
    }
    return count;
}

static void clear(judge *j)
{
    for (size_t i = 0; i < j->room; i++) {
        free(j->open[i].shown);
    }
    for (size_t i = 0; i < BIRTHS; i++) {
        while (j->births[i] != NULL) {
            birth *born = j->births[i];
            j->births[i] = born->next;
            free(born->shown);
            free(born);
        }
        while (j->names[i] != NULL) {
            made_name *name = j->names[i];
            j->names[i] = name->next;
            free(name->shown);
            free(name);
        }
    }
    free(j->open);
    cg_state_free(j->state);
    memset(j, 0, sizeof *j);
}

static tally total;
static size_t captures;

static void add(const tally *t)
{
    const uint64_t *from = (const uint64_t *)(const void *)t;
    uint64_t *to = (uint64_t *)(void *)&total;
    for (size_t i = 0; i < sizeof *t / sizeof *from; i++) {
        to[i] += from[i];
    }
}

static void print(const char *name, const tally *t)
{
    printf("%s: %" PRIu64 " uses, %" PRIu64 " wrong, %" PRIu64 " older; names: %" PRIu64 " equal, %" PRIu64
           " other spelling, %" PRIu64 " relative, %" PRIu64 " by kind and peer, %" PRIu64 " unknown, %" PRIu64
           " wrong\n",
           name, t->uses, t->wrong, t->older, t->equal, t->spelling, t->relative, t->alike, t->unknown, t->misnamed);
}

static void judge_capture(const char *path, const char *name, bool loud)
{
    static judge j;
    callgauge_error err = CALLGAUGE_ERROR_INIT;
    j.loud = loud;
    bool ok = follow(&j, path, true, &err);
    if (ok && j.t.uses > 0) {
        captures++;
        print(name, &j.t);
        if (j.t.guessed > 0) {
            printf("  %" PRIu64 " older ones have a name\n", j.t.guessed);
        }
        size_t lone = orphans(j.state);
        if (lone > 0) {
            printf("  %zu processes without a parent, of %zu\n", lone, cg_state_process_count(j.state));
        }
        add(&j.t);
        clear(&j);
        if (follow(&j, path, false, &err) && cg_state_counts_of(j.state)->contradictions > 0) {
            printf("  %" PRIu64 " contradictions\n", cg_state_counts_of(j.state)->contradictions);
        }
    }
    clear(&j);
}

static char *found[MOST_FILES];
static size_t found_count;

static int collect(const char *path, const struct stat *st, int type, struct FTW *ftw)
{
    (void)st;
    (void)ftw;
    callgauge_str name = cg_str_z(path);
    bool other = cg_str_ends(name, ".md") || cg_str_ends(name, ".tsv") || cg_str_ends(name, ".c") ||
                 cg_str_ends(name, ".py") || cg_str_ends(name, ".sh") || cg_str_ends(name, ".gz") ||
                 cg_str_ends(name, ".zst") || cg_str_find(name, "/src/") < name.len;
    if (type == FTW_F && !other && found_count < MOST_FILES) {
        found[found_count++] = copy(name);
    }
    return 0;
}

static int by_text(const void *a, const void *b)
{
    return strcmp(*(char *const *)a, *(char *const *)b);
}

int main(int argc, char **argv)
{
    if (argc < 2 || nftw(argv[1], collect, 16, FTW_PHYS) != 0 || found_count == 0) {
        printf("tracking: not run: no captures at %s\n", argc < 2 ? "(nowhere)" : argv[1]);
        return SKIPPED;
    }
    qsort(found, found_count, sizeof *found, by_text);
    size_t prefix = strlen(argv[1]) + 1;
    for (size_t i = 0; i < found_count; i++) {
        if (argc < 3 || strstr(found[i], argv[2]) != NULL) {
            judge_capture(found[i], found[i] + prefix, true);
        }
        free(found[i]);
    }
    print("all", &total);
    printf("%zu captures, identity %.3f %%\n", captures,
           total.uses == 0 ? 0 : 100.0 * (double)(total.uses - total.wrong) / (double)total.uses);
    return total.uses > 0 && total.wrong * 1000 <= total.uses && total.guessed == 0 ? 0 : 1;
}
