/* SPDX-License-Identifier: Apache-2.0 */
/* dialect/truss_lex: where a call's arguments end, how they are split, and what their strings spell. */
#include <setjmp.h>
#include <stdarg.h>
#include <stddef.h>
#include <stdint.h>

#include <cmocka.h>

#include "base/str.h"
#include "dialect/truss.h"

enum asked { END, COUNT, STRING, NO_STRING, FD, NO_FD };

struct row {
    const char *name;
    enum asked asked;
    const char *text;
    int64_t number; /* END: how far; COUNT: arguments; STRING: length; FD: the descriptor */
    const char *decoded;
};

static struct row rows[] = {
    { "arguments end", END, "3, 0x08047A54, 8) = 8", 16, NULL },
    { "none", END, ") = 1", 0, NULL },
    { "parentheses inside", END, "3, (('T'<<8)|13), 0) = 0", 19, NULL },
    { "a quoted parenthesis", END, "3, ((')'<<8)|1), 0) = 0", 18, NULL },
    { "a result in a path", END, "\"a) = 3\", O_RDONLY)", 18, NULL },
    { "a quote in a buffer", END, "1, \" \"\", 1)\t= 1", 10, NULL },
    { "a quote in a returned name", END, "\"/x\", \"weird\"name\", 1023)", 24, NULL },
    { "a backslash at the end of a path", END, "\"dir\\\", O_RDONLY)", 16, NULL },
    { "an escaped quote", END, "\"a\\\"b\", 1)", 9, NULL },
    { "dots behind a buffer", END, "3, \" a\"..", -1, NULL },
    { "no end", END, "3, \"ab", -1, NULL },

    { "three", COUNT, "3, 0x1, 8", 3, NULL },
    { "nothing", COUNT, "", 0, NULL },
    { "a pair without blank", COUNT, "[3,4], 0", 2, NULL },
    { "commas in an ioctl code", COUNT, "3, _IORN('f', 8, 12), 0x08047A54", 3, NULL },
    { "a quoted comma", COUNT, "3, ((','<<8)|1), 0", 3, NULL },
    { "comma and blank in a buffer", COUNT, "1, \" a ,   b\", 4", 3, NULL },
    { "the comma that is missing", COUNT, "7\"conf\", O_RDONLY", 3, NULL },

    { "pairs", STRING, "\" h i\\n\"", 3, "hi\n" },
    { "NUL and a digit", STRING, "\" B\\007\"", 3, "B\0\x07" },
    { "hexadecimal", STRING, "\"7F E L F\"..", 4,
      "\x7f"
      "ELF" },
    { "no pair of a printable byte", STRING, "\"4142\"", 4, "4142" },
    { "a path", STRING, "\"/etc/motd\"", 9, "/etc/motd" },
    { "an escape of a byte", STRING, "\"caf\\xc3\\xa9\"", 5, "caf\xc3\xa9" },
    { "sign-extended", STRING, "\"\\xffffffc3\"", 1, "\xc3" },
    { "no escape of a printable byte", STRING, "\"C:\\x41\"", 6, "C:\\x41" },
    { "an escaped quote", STRING, "\"a\\\"b\"", 3, "a\"b" },
    { "an address", NO_STRING, "0x08047E7C", 0, NULL },
    { "a buffer that has lost a blank", NO_STRING, "\" ab c\"..", 0, NULL },
    { "a quote alone", NO_STRING, "\"", 0, NULL },
    { "dots alone", NO_STRING, "\"..", 0, NULL },

    { "a descriptor", FD, "257", 257, NULL },
    { "AT_FDCWD", FD, "AT_FDCWD", -100, NULL },
    { "AT_FDCWD as a number", FD, "-3041965", -100, NULL },
    { "a flag", NO_FD, "O_RDONLY", 0, NULL },
    { "trailing text", NO_FD, "3x", 0, NULL },
    { "no text", NO_FD, "", 0, NULL },
};

enum { ROWS = sizeof rows / sizeof *rows };

static void check_string(const struct row *row, callgauge_str arg)
{
    char to[64];
    size_t length = 0;
    bool cut = true;
    assert_int_equal(cg_truss_lexer.string(arg, to, sizeof to, &length, &cut), row->asked == STRING);
    if (row->asked == STRING) {
        assert_int_equal(length, row->number);
        assert_memory_equal(to, row->decoded, length);
        assert_int_equal(cut, cg_str_ends(arg, ".."));
    }
}

static void check_count(const struct row *row, callgauge_str args)
{
    const char *at = args.ptr;
    callgauge_str arg;
    int64_t count = 0;
    while (cg_truss_lexer.next(&at, args.ptr + args.len, &arg)) {
        count++;
    }
    assert_int_equal(count, row->number);
}

static void check_row(void **state)
{
    const struct row *row = *state;
    char padded[256] = { 0 };
    callgauge_str text = cg_str(padded, strlen(row->text)), target;
    memcpy(padded, row->text, text.len);
    int64_t fd = 0;
    if (row->asked == END) {
        const char *end = cg_truss_args_end(text.ptr, text.ptr + text.len);
        assert_int_equal(end == NULL ? -1 : end - text.ptr, row->number);
    } else if (row->asked == COUNT) {
        check_count(row, text);
    } else if (row->asked == STRING || row->asked == NO_STRING) {
        check_string(row, text);
    } else {
        assert_int_equal(cg_truss_lexer.fd(text, &fd, &target), row->asked == FD);
        assert_int_equal(fd, row->asked == FD ? row->number : 0);
    }
}

int main(void)
{
    struct CMUnitTest tests[ROWS];
    for (size_t i = 0; i < ROWS; i++) {
        tests[i] = (struct CMUnitTest){ .name = rows[i].name, .test_func = check_row, .initial_state = &rows[i] };
    }
    return cmocka_run_group_tests_name("truss_lex", tests, NULL, NULL);
}
