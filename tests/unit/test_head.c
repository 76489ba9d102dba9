/* SPDX-License-Identifier: Apache-2.0 */
/* reader/head: which dialect a capture is of, from its first lines; the damage that runs through all of them;
 * ties and other tools' output, which are errors that say so. */
#include <setjmp.h>
#include <stdarg.h>
#include <stddef.h>
#include <stdint.h>

#include <cmocka.h>

#include "reading.h"

static struct row {
    const char *name, *text;
    const char *dialect; /* NULL: nobody's */
    const char *prefix;
    bool html;
} rows[] = {
    { "nothing", "", NULL, "", false },
    { "blank lines", "\n\n \n", NULL, "", false },
    { "prose", "Once upon a time\nthere was a call.\n", NULL, "", false },
    { "a C program", "int main(void)\n{\n    return read(0, buf, 1);\n}\n", NULL, "", false },

    { "strace: error", "openat(AT_FDCWD, \"/x\", O_RDONLY) = -1 ENOENT (No such file or directory)\n", "strace", "",
      false },
    { "strace: duration", "close(3) = 0 <0.000012>\n", "strace", "", false },
    { "strace: time", "17:45:29.155364 close(3) = 0\n", "strace", "", false },
    { "strace: address", "brk(NULL) = 0x5571284c3000\n", "strace", "", false },
    { "strace: no result", "exit_group(0)                           = ?\n", "strace", "", false },
    { "strace: column 40", "close(3)                                = 0\n", "strace", "", false },
    { "strace: first half", "4242  read(9,  <unfinished ...>\n", "strace", "", false },
    { "strace: second half", "4242  <... read resumed>\"\", 1) = 0\n", "strace", "", false },
    { "strace: signal", "--- SIGCHLD {si_signo=SIGCHLD} ---\n", "strace", "", false },
    { "strace: exit", "+++ exited with 0 +++\n", "strace", "", false },
    { "strace: attached", "strace: Process 4242 attached\n", "strace", "", false },
    { "strace: table",
      "% time     seconds  usecs/call     calls    errors syscall\n"
      "------ ----------- ----------- --------- --------- ----------------\n"
      "100.00    0.000010          10         1           close\n",
      "strace", "", false },
    { "strace: table of few columns",
      "syscall              calls    errors\n---------------- --------- ---------\nclose                    1          "
      "\n",
      "strace", "", false },
    { "strace: behind output", "hello\nworld\nclose(3)                                = 0 <0.000012>\n", "strace", "",
      false },

    { "truss: tab", "close(3)\t\t\t\t\t= 0\n", "truss-solaris", "", false },
    { "truss: error", "open(\"/x\", O_RDONLY)\t\t\t\tErr#2 ENOENT\n", "truss-solaris", "", false },
    { "truss: error with blanks", "open(\"/x\", O_RDONLY)              Err#2 ENOENT\n", "truss-solaris", "", false },
    { "truss: lwp", "/2:\tread(3, 0x08047000, 512)\t\t\t= 0\n", "truss-solaris", "", false },
    { "truss: pid", "1234:\tread(3, 0x08047000, 512)\t\t\t= 0\n", "truss-solaris", "", false },
    { "truss: addresses", "mmap(0x00000000, 8192, PROT_READ, MAP_PRIVATE, 4, 0) = 0xFF3A0000\n", "truss-solaris", "",
      false },
    { "truss: sleeping", "read(0, 0x08047000, 512)        (sleeping...)\n", "truss-solaris", "", false },
    { "truss: table", "syscall               seconds   calls  errors\nread                     .553    8355      4\n",
      "truss-solaris", "", false },

    { "mail quote", "> close(9) = -1 EBADF (Bad file descriptor)\n> close(8) = -1 EBADF (Bad file descriptor)\n",
      "strace", "> ", false },
    { "stamp of docker build",
      "#5 0.595 openat(AT_FDCWD, \"/x\", O_RDONLY) = 3\n#5 10.601 openat(AT_FDCWD, \"/y\", O_RDONLY) = -1 ENOENT (No)\n"
      "#5 10.602 brk(NULL) = 0x5571284c3000\n",
      "strace", "#9 9.9 ", false },
    { "stamp of a build server",
      "2026-11-30T10:00:00.1234567Z openat(AT_FDCWD, \"/x\", O_RDONLY) = 3\n"
      "2026-11-30T10:00:01.1234567Z brk(NULL) = 0x5571284c3000\n2026-11-30T10:00:02.1234567Z exit_group(0) = ?\n",
      "strace", "9-9-9T9:9:9.9Z ", false },
    { "quoted truss", "> close(3)\t\t\t\t\t= 0\n> open(\"/x\", O_RDONLY)\t\t\t\tErr#2 ENOENT\n", "truss-solaris", "> ",
      false },
    { "prefix of some lines only",
      "> close(9) = -1 EBADF (Bad file descriptor)\nclose(8) = -1 EBADF (Bad file descriptor)\n"
      "close(7) = -1 EBADF (Bad file descriptor)\n",
      "strace", "", false },
    { "web page",
      "openat(AT_FDCWD, &quot;/x&quot;, O_RDONLY) = -1 ENOENT (No such file)\n4242  read(9,  &lt;unfinished ...&gt;\n"
      "4242  &lt;... read resumed&gt;&quot;&quot;, 1) = 0\n",
      "strace", "", true },
    { "entities that a program wrote", "write(1, \"&lt;\", 4)                     = 4 <0.000012>\n", "strace", "",
      false },
};

enum { ROWS = sizeof rows / sizeof *rows };

/* Text with room around it, as the reader's buffer has. */
static callgauge_status decide(const char *text, const cg_dialect *forced, cg_head_choice *choice, callgauge_error *err)
{
    const callgauge_reader_options options = { .size = sizeof options, .limits = small_limits() };
    cg_buf padded;
    static const char pad[CG_PAD];
    cg_buf_init(&padded, 1 << 20);
    assert_true(cg_buf_add(&padded, pad, CG_PAD) && cg_buf_add_z(&padded, text) && cg_buf_add(&padded, pad, CG_PAD));
    callgauge_str head = cg_str(padded.data + CG_PAD, padded.len - 2 * CG_PAD);
    callgauge_status status = cg_head_decide(head, &options, forced, "a.txt", 7, choice, err);
    cg_buf_release(&padded);
    return status;
}

static void check_row(void **state)
{
    const struct row *row = *state;
    callgauge_error err = CALLGAUGE_ERROR_INIT;
    cg_head_choice choice = { .dialect = NULL };
    assert_int_equal(decide(row->text, NULL, &choice, &err), CALLGAUGE_OK);
    if (row->dialect == NULL) {
        assert_null(choice.dialect);
    } else {
        assert_non_null(choice.dialect);
        assert_string_equal(choice.dialect->name, row->dialect);
    }
    assert_true(cg_str_is(cg_str(choice.damage.prefix.shape, choice.damage.prefix.len), row->prefix));
    assert_int_equal(choice.damage.html, row->html);
}

/* What is forced is taken, whatever the lines say; damage is found all the same. */
static void check_forced(void **state)
{
    (void)state;
    callgauge_error err = CALLGAUGE_ERROR_INIT;
    cg_head_choice choice;
    const char *const texts[] = { "Once upon a time\n", "close(3)\t\t\t\t\t= 0\n", "close(3) = 0\n",
                                  "   0: S_IFCHR mode:0620 dev:544,0 ino:459678 uid:1 gid:7 rdev:24,1\n" };
    for (size_t i = 0; i < sizeof texts / sizeof *texts; i++) {
        assert_int_equal(decide(texts[i], &cg_dialect_strace, &choice, &err), CALLGAUGE_OK);
        assert_ptr_equal(choice.dialect, &cg_dialect_strace);
    }
    assert_int_equal(
        decide("> close(9) = -1 EBADF (Bad)\n> close(8) = -1 EBADF (Bad)\n", &cg_dialect_strace, &choice, &err),
        CALLGAUGE_OK);
    assert_int_equal(choice.damage.prefix.len, 2);
}

static struct refused_row {
    const char *name, *text;
    callgauge_status status;
    const char *message;
} refused_rows[] = {
    { "a tie", "close(3) = 0\n", CALLGAUGE_E_FORMAT,
      "its first lines could be strace as well as truss-solaris: say which with --dialect" },
    { "a tie of several lines", "close(3) = 0\nread(3, \"\", 1) = 0\ngetpid() = 7\n", CALLGAUGE_E_FORMAT,
      "its first lines could be strace as well as truss-solaris: say which with --dialect" },
    { "u-root", "[pid 5110] E openat(0xffffff9c, 0x7f, 0x0)\n[pid 5110] X openat() = 0x3 (11.2us)\n",
      CALLGAUGE_E_UNSUPPORTED, "this is output of u-root's strace, which cannot be read as a capture" },
    { "FreeBSD",
      "read(3,\"C\",1)\t\t\t\t\t = 1 (0x1)\nopen(\"/x\",O_RDONLY,00)\t\t\t ERR#2 'No such file or directory'\n",
      CALLGAUGE_E_UNSUPPORTED, "this is output of FreeBSD truss, which cannot be read as a capture" },
    { "AIX", "execve(\"/usr/bin/ls\", 0x2FF22940, 0x200131A8)\t argc: 1\nkread(0, 0x2FF1E800, 4096)\t\t= 12\n",
      CALLGAUGE_E_UNSUPPORTED, "this is output of AIX truss, which cannot be read as a capture" },
    { "dtruss", "SYSCALL(args) \t\t = return\n", CALLGAUGE_E_UNSUPPORTED,
      "this is output of dtruss, which cannot be read as a capture" },
    { "QEMU",
      "5698 access(\"/x\",R_OK) = -1 errno=2 (No such file or directory)\n"
      "5698 openat(AT_FDCWD,\"/y\",O_RDONLY) = -1 errno=2 (No such file or directory)\n",
      CALLGAUGE_E_UNSUPPORTED, "this is output of QEMU's -strace, which cannot be read as a capture" },
    { "perf trace", "     0.012 ( 0.004 ms): cat/1234 read(fd: 3, buf: 0x7f, count: 832) = 832\n",
      CALLGAUGE_E_UNSUPPORTED, "this is output of perf trace, which cannot be read as a capture" },
    { "apptrace", "ls       -> libc.so.1:atexit(0xff3cafc8, 0x22000, 0x0)\n", CALLGAUGE_E_UNSUPPORTED,
      "this is output of apptrace, which cannot be read as a capture" },
    { "pfiles", "   0: S_IFCHR mode:0620 dev:544,0 ino:459678 uid:1 gid:7 rdev:24,1\n      O_RDWR\n",
      CALLGAUGE_E_UNSUPPORTED, "this is output of pfiles, which cannot be read as a capture" },
};

enum { REFUSED_ROWS = sizeof refused_rows / sizeof *refused_rows };

static void check_refused(void **state)
{
    const struct refused_row *row = *state;
    callgauge_error err = CALLGAUGE_ERROR_INIT;
    cg_head_choice choice = { .dialect = &cg_dialect_strace, .damage.html = true };
    assert_int_equal(decide(row->text, NULL, &choice, &err), row->status);
    assert_int_equal(err.status, row->status);
    assert_string_equal(err.message, row->message);
    assert_string_equal(err.source, "a.txt");
    assert_int_equal(err.line, 7);
    assert_ptr_equal(choice.dialect, &cg_dialect_strace); /* not written */
    assert_true(choice.damage.html);
}

/* One line that only one tracer prints outweighs a few that both might have. */
static void check_weight(void **state)
{
    (void)state;
    callgauge_error err = CALLGAUGE_ERROR_INIT;
    cg_head_choice choice;
    assert_int_equal(decide("close(3) = 0\nclose(4) = 0\nclose(5)\t= 0\n", NULL, &choice, &err), CALLGAUGE_OK);
    assert_string_equal(choice.dialect->name, "truss-solaris");
    assert_int_equal(decide("close(3) = 0\nclose(4) = 0\nexit_group(0) = ?\n", NULL, &choice, &err), CALLGAUGE_OK);
    assert_string_equal(choice.dialect->name, "strace");
}

int main(void)
{
    struct CMUnitTest tests[ROWS + REFUSED_ROWS + 2] = { cmocka_unit_test(check_forced),
                                                         cmocka_unit_test(check_weight) };
    size_t at = 2;
    for (size_t i = 0; i < ROWS; i++) {
        tests[at++] = row_test(rows[i].name, check_row, &rows[i]);
    }
    for (size_t i = 0; i < REFUSED_ROWS; i++) {
        tests[at++] = row_test(refused_rows[i].name, check_refused, &refused_rows[i]);
    }
    return cmocka_run_group_tests_name("head", tests, NULL, NULL);
}
