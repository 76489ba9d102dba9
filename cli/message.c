/* SPDX-License-Identifier: Apache-2.0 */
/* From errors and unread lines to lines on standard error. */
#include "message.h"

#include <inttypes.h>
#include <stdio.h>
#include <string.h>

enum { SHOWN_OF_LINE = 120 };

/* Whether a terminal would do something for it rather than show it. As in lib/write/escape.c. */
static bool acts(uint32_t code)
{
    return code < 0x20 || (code >= 0x7f && code < 0xa0) || code == 0x61c || code == 0x200e || code == 0x200f ||
           (code >= 0x2028 && code <= 0x202e) || (code >= 0x2066 && code <= 0x2069);
}

size_t shown_bytes(const unsigned char *at, size_t left)
{
    static const uint32_t least[5] = { 0, 0, 0x80, 0x800, 0x10000 };
    size_t need = at[0] < 0x80 ? 1 : at[0] < 0xc2 ? 0 : at[0] < 0xe0 ? 2 : at[0] < 0xf0 ? 3 : at[0] < 0xf5 ? 4 : 0;
    if (need == 0 || need > left) {
        return 0;
    }
    uint32_t code = need == 1 ? at[0] : at[0] & (0xffu >> (need + 1));
    for (size_t i = 1; i < need; i++) {
        if ((at[i] & 0xc0) != 0x80) {
            return 0;
        }
        code = code << 6 | (at[i] & 0x3fu);
    }
    bool is_none = code < least[need] || code > 0x10ffff || (code >= 0xd800 && code <= 0xdfff);
    return is_none || acts(code) ? 0 : need;
}

static void put_escaped(callgauge_str text)
{
    const unsigned char *at = (const unsigned char *)text.ptr;
    for (size_t i = 0; i < text.len;) {
        size_t shown = shown_bytes(at + i, text.len - i);
        if (shown > 0) {
            fwrite(at + i, 1, shown, stderr);
        } else {
            fprintf(stderr, "\\%03o", (unsigned)at[i]);
        }
        i += shown > 0 ? shown : 1;
    }
}

static void put_text(const char *text)
{
    put_escaped((callgauge_str){ text, strlen(text) });
}

/* The name of a capture, as people know it. */
static void put_source(const char *name)
{
    put_text(strcmp(name, "-") == 0 ? "standard input" : name);
}

/* With commas between the thousands. */
static void put_number(uint64_t number)
{
    char digits[24];
    int length = snprintf(digits, sizeof digits, "%" PRIu64, number);
    for (int i = 0; i < length; i++) {
        if (i > 0 && (length - i) % 3 == 0) {
            fputc(',', stderr);
        }
        fputc(digits[i], stderr);
    }
}

void say(const char *text)
{
    fputs("callgauge: ", stderr);
    put_text(text);
    fputc('\n', stderr);
}

/* A message whose further lines show what is wrong, under a caret. */
static void put_message(const char *text)
{
    for (const char *newline; (newline = strchr(text, '\n')) != NULL; text = newline + 1) {
        put_escaped((callgauge_str){ text, (size_t)(newline - text) });
        fputc('\n', stderr);
    }
    put_text(text);
}

void say_error(const callgauge_error *error)
{
    bool is_shown = strchr(error->message, '\n') != NULL;
    fputs("callgauge: ", stderr);
    if (error->source[0] != '\0') {
        put_source(error->source);
        if (error->line != 0) {
            fprintf(stderr, ":%" PRIu64, error->line);
        }
        if (is_shown || strncmp(error->source, "--", 2) == 0) {
            fprintf(stderr, ":%" PRIu64, error->column);
        }
        fputs(": ", stderr);
    }
    put_message(error->message[0] != '\0' ? error->message : callgauge_status_text(error->status));
    if (strcmp(error->message, "is a directory") == 0) {
        fputs(": name its files (DIR/*)", stderr);
    }
    fputc('\n', stderr);
}

void say_fault(const callgauge_error *fault)
{
    fputs("callgauge: ", stderr);
    put_source(fault->source);
    if (fault->line != 0) {
        fprintf(stderr, ":%" PRIu64, fault->line);
    }
    if (fault->column != 0) {
        fprintf(stderr, ":%" PRIu64, fault->column);
    }
    fputs(": ", stderr);
    for (const char *at = fault->message; *at != '\0';) {
        size_t length = strcspn(at, "\n");
        put_escaped((callgauge_str){ at, length });
        at += length;
        if (*at == '\n') {
            fputs("\n    ", stderr);
            at++;
        }
    }
    fputc('\n', stderr);
}

void say_about(const char *path, const char *text)
{
    fputs("callgauge: ", stderr);
    put_source(path);
    fputs(": ", stderr);
    put_text(text);
    fputc('\n', stderr);
}

static void put_first_unread(const callgauge_unread *first, bool with_text)
{
    fprintf(stderr, "; first: line %" PRIu64 ": ", first->line);
    put_text(first->reason);
    if (!with_text) {
        return;
    }
    fputs(": ", stderr);
    size_t shown = first->text.len;
    if (shown > SHOWN_OF_LINE) {
        for (shown = SHOWN_OF_LINE; shown > 0 && ((unsigned char)first->text.ptr[shown] & 0xc0) == 0x80;) {
            shown--; /* no character is cut */
        }
    }
    put_escaped((callgauge_str){ first->text.ptr, shown });
    fputs(shown < first->text.len ? "..." : "", stderr);
}

static bool say_lines(const callgauge_capture *capture, bool with_text)
{
    if (capture->unread_lines == 0) {
        return true;
    }
    fputs("callgauge: ", stderr);
    put_source(capture->name);
    fputs(": ", stderr);
    put_number(capture->unread_lines);
    fputs(" of ", stderr);
    put_number(capture->lines);
    fputs(capture->lines == 1 ? " line could not be read" : " lines could not be read", stderr);
    if (capture->unread_count > 0) {
        put_first_unread(&capture->unread[0], with_text);
    }
    fputc('\n', stderr);
    return false;
}

bool say_unread(const callgauge_report *report)
{
    bool all_read = true;
    for (size_t i = 0; i < callgauge_report_capture_count(report); i++) {
        all_read &= say_lines(&callgauge_report_capture(report, i)->capture, true);
    }
    return all_read;
}

void say_undecided(uint64_t count)
{
    if (count > 0) {
        fputs("callgauge: --where: of ", stderr);
        put_number(count);
        fputs(count == 1 ? " event that cannot be told\n" : " events that cannot be told\n", stderr);
    }
}

bool say_unread_of_events(const callgauge_capture *capture)
{
    return say_lines(capture, false);
}

void say_limits(const callgauge_report *report)
{
    size_t count;
    const callgauge_limit_row *rows = callgauge_report_limits_hit(report, &count);
    for (size_t i = 0; i < count; i++) {
        if (strcmp(rows[i].limit, "unit") == 0) { /* no limit of the reader: a merge has met units of several kinds */
            fputs("callgauge: ", stderr);
            put_number(rows[i].dropped);
            fputs(" units left out: the reports have units of different kinds\n", stderr);
            continue;
        }
        if (strcmp(rows[i].limit, "match") == 0) {
            fputs("callgauge: ", stderr);
            put_number(rows[i].dropped);
            fputs(" texts cost too much to match: they are undecided\n", stderr);
            continue;
        }
        fputs("callgauge: limit reached: ", stderr);
        put_text(callgauge_limit_text(rows[i].limit));
        fputs(": ", stderr);
        put_number(rows[i].kept);
        fputs(" kept, ", stderr);
        put_number(rows[i].dropped);
        fputs(" left out\n", stderr);
    }
}
