/* SPDX-License-Identifier: Apache-2.0 */
/* Escapes names of files and puts them at the fronts of lines.
 * Invariant: no line of CSV or NDJSON holds a line end but its own, as the library writes them. */
#include "label.h"

#include <stdio.h>
#include <stdlib.h>
#include <string.h>

#include "message.h"

enum { MOST_A_BYTE = 6 };

/* What stands for one byte that a form cannot take as it is; NULL: it can. */
static const char *stand_in(label_form form, char byte)
{
    switch (form) {
    case LABEL_CSV: return byte == '"' ? "\"\"" : NULL;
    case LABEL_NDJSON: return byte == '"' ? "\\\"" : byte == '\\' ? "\\\\\\\\" : NULL;
    case LABEL_MARKDOWN:
        return byte == '<'    ? "&lt;"
               : byte == '&'  ? "&amp;"
               : byte == '*'  ? "\\*"
               : byte == '_'  ? "\\_"
               : byte == '`'  ? "\\`"
               : byte == '['  ? "\\["
               : byte == '\\' ? "\\\\"
                              : NULL;
    case LABEL_TEXT: break;
    }
    return NULL;
}

/* One character, or the bytes that stand for it. Gives how many bytes of the name it was. */
static size_t escape_one(label_form form, const char *at, size_t left, char **to)
{
    size_t shown = shown_bytes((const unsigned char *)at, left);
    const char *other = shown == 1 ? stand_in(form, *at) : NULL;
    if (shown == 0) {
        const char *slash = form == LABEL_NDJSON ? "\\\\" : "\\";
        *to += sprintf(*to, "%s%03o", slash, (unsigned)(unsigned char)*at);
        return 1;
    }
    if (other != NULL) {
        *to += sprintf(*to, "%s", other);
        return shown;
    }
    memcpy(*to, at, shown);
    *to += shown;
    return shown;
}

char *label_escape(label_form form, const char *name)
{
    size_t length = strlen(name);
    char *text = malloc(length * MOST_A_BYTE + sizeof "\"'\"");
    char *to = text;
    bool quoted = form == LABEL_NDJSON || (form == LABEL_CSV && strpbrk(name, ",\"") != NULL);
    bool formula = form == LABEL_CSV && name[0] != '\0' && strchr("=+-@", name[0]) != NULL;
    if (text == NULL) {
        return NULL;
    }
    if (quoted) {
        *to++ = '"';
    }
    if (formula && strcmp(name, "-") != 0) {
        *to++ = '\'';
    }
    for (size_t at = 0; at < length;) {
        at += escape_one(form, name + at, length - at, &to);
    }
    if (quoted) {
        *to++ = '"';
    }
    *to = '\0';
    return text;
}

static int put(const label *self, const char *text)
{
    return self->to->write(self->to->ctx, text, strlen(text));
}

/* What stands in front of a line. */
static int begin_line(label *self)
{
    if (self->form == LABEL_NDJSON) {
        return put(self, "{\"file\":") || put(self, self->name) || put(self, ",");
    }
    const char *first = self->heading != NULL ? self->heading : self->name;
    self->heading = NULL;
    return put(self, first) || put(self, ",");
}

/* A piece of one line, from its front on if none has begun. */
static int write_piece(label *self, const char *data, size_t len)
{
    bool front = !self->within && !self->skips_heading;
    self->within = true;
    if (front && begin_line(self) != 0) {
        return 1;
    }
    size_t brace = front && self->form == LABEL_NDJSON ? 1 : 0;
    return self->skips_heading ? 0 : self->to->write(self->to->ctx, data + brace, len - brace);
}

int label_write(void *ctx, const char *data, size_t len)
{
    label *self = ctx;
    while (len > 0) {
        const char *end = memchr(data, '\n', len);
        size_t piece = end == NULL ? len : (size_t)(end - data) + 1;
        if (write_piece(self, data, piece) != 0) {
            return 1;
        }
        if (end != NULL) {
            self->within = self->skips_heading = false;
        }
        data += piece;
        len -= piece;
    }
    return 0;
}
