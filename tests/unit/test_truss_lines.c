/* SPDX-License-Identifier: Apache-2.0 */
/* The truss dialect, strict: what becomes of a line by itself, and of lines that depend on the ones before. */
#include <setjmp.h>
#include <stdarg.h>
#include <stddef.h>
#include <stdint.h>

#include <cmocka.h>

#include "truss_parse.h"

struct row {
    const char *name, *line;
    cg_verdict verdict;
    callgauge_event_kind kind; /* of verdicts that deliver */
    const char *subject;       /* the call's name, or the signal's, fault's, function's; "": none */
    const char *args, *note;
    uint32_t flags;
    int64_t pid, tid, value;
};

#define CALL CG_LINE_EVENT, CALLGAUGE_EVENT_CALL
#define NONE CALLGAUGE_EVENT_UNREAD, "", "", "", 0, 0, 0, 0

static struct row rows[] = {
    { "plain", "close(3)\t\t\t\t\t= 0", CALL, "close", "3", "", 0, 0, 0, 0 },
    { "pid", "6428:\tclose(3)\t\t\t\t\t= 0", CALL, "close", "3", "", 0, 6428, 0, 0 },
    { "lwp", "/2:\tlwp_park(0xFE5FBD70, 0)\t\t\t\t= 0", CALL, "lwp_park", "0xFE5FBD70, 0", "", 0, 0, 2, 0 },
    { "both", "912/17:\t\tread(4, \"\\n\", 1)\t\t\t\t= 1", CALL, "read", "4, \"\\n\", 1", "", 0, 912, 17, 1 },
    { "expanded", "6428:   close(3)                                        = 0", CALL, "close", "3", "", 0, 6428, 0,
      0 },
    { "collapsed", "6428: close(3) = 0", CALL, "close", "3", "", 0, 6428, 0, 0 },
    { "no result", "_exit(0)", CALL, "_exit", "0", "", CALLGAUGE_CALL_UNRETURNED, 0, 0, 0 },
    { "a child", "1201:\tforkx()\t\t(returning as child ...)\t= 1200", CALL, "forkx", "", "(returning as child ...)",
      CALLGAUGE_CALL_CHILD, 1201, 0, 1200 },
    { "a restart", "read(0, 0x08047130, 1)\t\t\t\tErr#91 ERESTART", CALL, "read", "0, 0x08047130, 1", "",
      CALLGAUGE_CALL_RESTART, 0, 0, 0 },
    { "a privilege", "open(\"/x\", O_RDWR)\t\t\tErr#13 EACCES [ALL]", CALL, "open", "\"/x\", O_RDWR", "[ALL]", 0, 0, 0,
      0 },
    { "a number for a name", "sys#213(0x00000003)\t\t\t= 0", CALL, "sys#213", "0x00000003", "", 0, 0, 0, 0 },
    { "an unknown name in truss's layout", "frob(3)\t\t\t\t\t\t= 7", CALL, "frob", "3", "", 0, 0, 0, 7 },
    { "output in front", "hello6428:\tclose(3)\t\t\t\t\t= 0", CALL, "close", "3", "", 0, 6428, 0, 0 },
    { "an echo in front", "^Cclose(3)\t\t\t\t\t= 0", CALL, "close", "3", "", 0, 0, 0, 0 },
    { "a joined line", "close(3) = 0close(4) = 0", CALL, "close", "3", "", 0, 0, 0, 0 },
    { "a value and a stamp", "close(3) = 1126.1774 close(4) = 0", CALL, "close", "3", "", 0, 0, 0, 11 },
    { "a value and a pid", "12:\tclose(3) = 512:\tclose(4) = 0", CALL, "close", "3", "", 0, 12, 0, 5 },

    { "a signal", "    Received signal #2, SIGINT, in read() [default]", CG_LINE_EVENT, CALLGAUGE_EVENT_SIGNAL,
      "SIGINT", "", "in read() [default]", 0, 0, 0, 0 },
    { "a signal without name", "/1:\t    Received signal #77, SIG#77 [caught]", CG_LINE_EVENT, CALLGAUGE_EVENT_SIGNAL,
      "SIG#77", "", "[caught]", 0, 0, 1, 0 },
    { "stopped", "    Stopped by signal #24, SIGTSTP", CG_LINE_EVENT, CALLGAUGE_EVENT_SIGNAL, "SIGTSTP", "", "", 0, 0,
      0, 0 },
    { "a fault", "    Incurred fault #6, FLTBOUNDS  %pc = 0x00089A62", CG_LINE_EVENT, CALLGAUGE_EVENT_FAULT,
      "FLTBOUNDS", "", "%pc = 0x00089A62", 0, 0, 0, 0 },
    { "an entry", "/1@1:\t  -> libc:malloc(0x20, 0x8047b8c)", CG_LINE_EVENT, CALLGAUGE_EVENT_LIBRARY_CALL,
      "libc:malloc", "0x20, 0x8047b8c", "", 0, 0, 1, 0 },
    { "a return", "/1@1:\t<- main() = -1", CG_LINE_EVENT, CALLGAUGE_EVENT_LIBRARY_CALL, "main", "", "",
      CALLGAUGE_LIBRARY_RETURN, 0, 1, -1 },
    { "stars", "12:\t*** process otherwise traced, releasing ...", CG_LINE_NOTICE, CALLGAUGE_EVENT_NOTICE, "", "",
      "*** process otherwise traced, releasing ...", 0, 12, 0, 0 },
    { "truss speaks", "truss: cannot control process 12", CG_LINE_NOTICE, CALLGAUGE_EVENT_NOTICE, "", "",
      "truss: cannot control process 12", 0, 0, 0, 0 },

    { "an unknown name otherwise", "printf(3) = 7", CG_LINE_FOREIGN, NONE },
    { "C text", "read(fd, buf, 10);", CG_LINE_FOREIGN, NONE },
    { "output", "/export/home/user", CG_LINE_FOREIGN, NONE },
    { "a detail after nothing", "\tAF_INET  name = 192.0.2.10  port = 443", CG_LINE_FOREIGN, NONE },
    { "a blank line", "", CG_LINE_FOREIGN, NONE },
    { "an echo alone", "^C", CG_LINE_FOREIGN, NONE },
    { "asleep", "read(0, 0x08047130, 1)\t\t(sleeping...)", CG_LINE_FIRST, NONE },
    { "an exec that is not followed", "execve(\"/usr/bin/su\", 0x08047CF8, 0x08047D00)", CG_LINE_FIRST, NONE },
    { "no result and no excuse", "close(3)", CG_LINE_OPEN, NONE },
    { "a wrapped line", "6428:\topen(\"/etc/passwd\",", CG_LINE_OPEN, NONE },
    { "strace's error", "open(\"/x\", O_RDONLY) = -1 ENOENT (No such file or directory)", CG_LINE_OPEN, NONE },
    { "a signal that is cut", "    Received signal #2", CG_LINE_UNREAD, NONE },
};

enum { ROWS = sizeof rows / sizeof *rows };

static void check_row(void **state)
{
    const struct row *row = *state;
    truss_parse of;
    truss_parse_begin(&of);
    assert_int_equal(truss_strict(&of, row->line), row->verdict);
    if (*row->subject != '\0' || row->kind == CALLGAUGE_EVENT_NOTICE) {
        const callgauge_event *event = &of.event;
        assert_int_equal(event->kind, row->kind);
        assert_true(event->call == NULL || cg_str_is(event->call->text, row->subject));
        assert_true(event->name == NULL || cg_str_is(event->name->text, row->subject));
        assert_true(cg_str_is(event->args, row->args));
        assert_true(cg_str_is(event->note, row->note));
        assert_int_equal(event->flags, row->flags);
        assert_int_equal(event->pid, row->pid);
        assert_int_equal(event->tid, row->tid);
        assert_int_equal(event->value, row->value);
        assert_int_equal(event->line, 1);
    }
    truss_parse_end(&of);
}

/* What a line is depends on the one before. */
static void check_details(void **state)
{
    static const struct {
        const char *line;
        cg_verdict verdict;
    } lines[] = {
        { "912:\twrite(4, 0x0806AC20, 36)\t\t\t= 36", CG_LINE_EVENT },
        { "912:\t   G E T   / i n d e x . h t m l   H T T P / 1 . 1\\r\\n H o s t :  ", CG_LINE_DETAIL },
        { "912:\t   a . b\\n", CG_LINE_DETAIL },
        { "912:\t   m o r e", CG_LINE_UNREAD },
        { "912:\tconnect(4, 0x08047DC0, 16, SOV_DEFAULT)\tErr#150 EINPROGRESS", CG_LINE_EVENT },
        { "912:\tAF_UNIX  name = /tmp/close(3) = 0", CG_LINE_DETAIL },
        { "912:\texecve(\"/bin/x\", 0x08047BD8, 0x08047BEC)  argc = 2", CG_LINE_EVENT },
        { "912:\t argv: x close(3) = 0", CG_LINE_DETAIL },
        { "912:\t  TZ=UTC close(3) = 0", CG_LINE_DETAIL },
        { "912:\tclose(3)\t\t\t\t\t= 0", CG_LINE_EVENT },
        { "912:\t      siginfo: SIGTERM pid=912 uid=0", CG_LINE_DETAIL },
        { "    -rw-r--r-- 1 root root 0 May  6 01:57 /tmp/x", CG_LINE_FOREIGN },
        { "912:\twhatever", CG_LINE_UNREAD },
        { "7:\twhatever", CG_LINE_UNREAD },
    };
    (void)state;
    truss_parse of;
    truss_parse_begin(&of);
    for (size_t i = 0; i < sizeof lines / sizeof *lines; i++) {
        assert_int_equal(truss_strict(&of, lines[i].line), lines[i].verdict);
    }
    truss_parse_end(&of);
}

static void check_sleepers(void **state)
{
    (void)state;
    truss_parse of;
    truss_parse_begin(&of);
    assert_int_equal(truss_strict(&of, "read(5, 0x08047130, 1024)\t(sleeping...)"), CG_LINE_FIRST);
    assert_int_equal(truss_strict(&of, "read(0, 0x08047130, 1024)\t(sleeping...)"), CG_LINE_FIRST);
    assert_int_equal(truss_strict(&of, "close(7)\t\t\t\t\t= 0"), CG_LINE_EVENT);
    assert_int_equal(of.event.flags, 0);
    assert_int_equal(truss_strict(&of, "read(0, \" x\", 1024)\t\t\t\t= 1"), CG_LINE_EVENT);
    assert_int_equal(of.event.flags, CALLGAUGE_CALL_SLEPT);
    assert_int_equal(of.event.first_line, 2);
    assert_int_equal(truss_strict(&of, "read(5, \" x\", 1024)\t\t\t\t= 1"), CG_LINE_EVENT);
    assert_int_equal(of.event.first_line, 1);
    assert_int_equal(of.parse.open.count, 0);
    truss_parse_end(&of);
}

/* With lwps printed a thread that goes on has lost its call. */
static void check_lost_sleeper(void **state)
{
    (void)state;
    truss_parse of;
    truss_parse_begin(&of);
    assert_int_equal(truss_strict(&of, "/2:\tlwp_park(0x00000000, 0)\t(sleeping...)"), CG_LINE_FIRST);
    assert_int_equal(truss_strict(&of, "/1:\tclose(3)\t\t\t\t\t= 0"), CG_LINE_EVENT);
    assert_false(of.parse.has_lost);
    assert_int_equal(truss_strict(&of, "/2:\tclose(4)\t\t\t\t\t= 0"), CG_LINE_EVENT);
    assert_true(of.parse.has_lost);
    assert_true(cg_str_is(of.parse.lost.call->text, "lwp_park"));
    assert_int_equal(of.parse.lost.flags, CALLGAUGE_CALL_UNRETURNED);
    assert_int_equal(of.parse.lost.tid, 2);
    assert_int_equal(of.event.flags, 0);
    truss_parse_end(&of);
}

/* The rest of a joined line is left, and reads as what it is. */
static void check_joined(void **state)
{
    static const char text[] =
        "Base time stamp:  1464310423.7650  [ Fri May 27 00:53:43 UTC 2016 ] 0.0027 listen(3, 1) = 0";
    (void)state;
    truss_parse of;
    truss_parse_begin(&of);
    assert_int_equal(truss_strict(&of, text), CG_LINE_NOTICE);
    assert_int_equal(of.parse.used, strlen("Base time stamp:  1464310423.7650  [ Fri May 27 00:53:43 UTC 2016 ]"));
    callgauge_str rest = cg_str(of.line.ptr + of.parse.used, of.line.len - of.parse.used);
    assert_int_equal(of.parse.dialect->strict(&of.parse, rest, &of.line, &of.event), CG_LINE_EVENT);
    assert_int_equal(of.parse.used, rest.len);
    assert_true(of.event.end_ns == INT64_C(1464310423767700000));
    assert_int_equal(of.parse.repairs[CG_REPAIR_JOINED], 1);
    truss_parse_end(&of);
}

/* A line of names that might be calls is tried at so many places and no more: its cost is not the square of its
 * length. */
static void check_attempts(void **state)
{
    enum { FEW = CG_TRUSS_ATTEMPTS - 1, MANY = 30000 };
    static const char open[] = "read(", call[] = "close(3) = 0";
    (void)state;
    for (size_t opens = FEW; opens <= MANY; opens += MANY - FEW) {
        cg_buf text;
        truss_parse of;
        truss_parse_begin(&of);
        cg_buf_init(&text, 1 << 20);
        assert_true(cg_buf_reserve(&text, CG_PAD));
        text.len = CG_PAD;
        for (size_t i = 0; i < opens; i++) {
            assert_true(cg_buf_add_z(&text, i == 0 ? "x read(" : open));
        }
        assert_true(cg_buf_add_z(&text, call) && cg_buf_reserve(&text, CG_PAD));
        memset(text.data + text.len, 0, CG_PAD);
        of.line = (cg_line){ .ptr = text.data + CG_PAD, .len = text.len - CG_PAD, .number = 1, .cut = true };
        cg_verdict verdict = of.parse.dialect->strict(&of.parse, cg_str(of.line.ptr, of.line.len), &of.line, &of.event);
        assert_int_equal(verdict, opens == FEW ? CG_LINE_EVENT : CG_LINE_FOREIGN);
        cg_buf_release(&text);
        truss_parse_end(&of);
    }
}

static void check_bids(void **state)
{
    static const struct {
        const char *line;
        int bid;
    } lines[] = {
        { "close(3)\t\t\t\t\t= 0", 10 },
        { "close(3) = 0", 1 },
        { "6428:\tclose(3) = 0", 10 },
        { "/1: close(3) = 0", 10 },
        { "open(\"/.htaccess\", O_RDONLY) Err#2 ENOENT", 10 },
        { "open(\"/.htaccess\", O_RDONLY) Err#2  ENOENT", 1 },
        { "mmap(0x00000000, 4096, 3, 2, -1, 0) = 0xFEDC0000", 10 },
        { "write(1, \" h e l l o\", 5) = 5", 10 },
        { "syscall               seconds   calls  errors", 10 },
        { "sys totals:             1.178   16801     25", 10 },
        { "Base time stamp:  1277716460.8580  [ Mon Jun 28 09:14:20 GMT 2010 ]", 10 },
        { "    Received signal #11, SIGSEGV [default]", 10 },
        { "# truss -E -p 12 0.0001 read(10, \" a b c d\", 4) = 4", 10 },
        { "open(\"/x\", O_RDONLY) = -1 ENOENT (No such file or directory)", 0 },
        { "mmap(NULL, 8192, PROT_READ, MAP_PRIVATE, 3, 0) = 5", 0 },
        { "read(3, \"abc\"..., 832) = 832", 0 },
        { "munmap(0x7f12ab000000, 8192) = 0", 0 },
        { "read(3, <unfinished ...>", 0 },
        { "--- SIGCHLD {si_signo=SIGCHLD} ---", 0 },
        { "kread(0, \" h e l l o\", 5) = 5", 0 },
        { "execve(\"./x\", 0x2FF228C8, 0x2FF228D0)       argc: 1", 0 },
        { "read(3,\"C\",1)  = 1 (0x1)", 0 },
        { "syscall                     seconds   calls  errors", 0 },
        { "hello world", 0 },
    };
    (void)state;
    truss_parse of;
    truss_parse_begin(&of);
    for (size_t i = 0; i < sizeof lines / sizeof *lines; i++) {
        assert_int_equal(of.parse.dialect->bid(&of.parse, truss_parse_line(&of, lines[i].line)), lines[i].bid);
    }
    truss_parse_end(&of);
}

int main(void)
{
    enum { OTHERS = 6 };
    struct CMUnitTest tests[ROWS + OTHERS] = {
        cmocka_unit_test(check_details), cmocka_unit_test(check_sleepers), cmocka_unit_test(check_lost_sleeper),
        cmocka_unit_test(check_joined),  cmocka_unit_test(check_bids),     cmocka_unit_test(check_attempts),
    };
    for (size_t i = 0; i < ROWS; i++) {
        tests[i + OTHERS] =
            (struct CMUnitTest){ .name = rows[i].name, .test_func = check_row, .initial_state = &rows[i] };
    }
    return cmocka_run_group_tests_name("truss_lines", tests, NULL, NULL);
}
