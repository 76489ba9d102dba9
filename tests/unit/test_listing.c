/* SPDX-License-Identifier: Apache-2.0 */
/* state/listing: pfiles, ls -l /proc/PID/fd and lsof, each line of theirs, what is wrong with others and where. */
#include <setjmp.h>
#include <stdarg.h>
#include <stddef.h>
#include <stdint.h>
#include <stdlib.h>
#include <string.h>

#include <cmocka.h>

#include "base/str.h"
#include "listing_text.h"

enum { ROOM = 16384 };

static struct row {
    const char *name, *text;
    const char *rows;      /* as listing_text() writes them; NULL: it is refused */
    uint64_t line, column; /* where */
    const char *why;       /* part of the reason */
} rows[] = {
#define REG " S_IFREG mode:0644 dev:30,64 ino:6 uid:0 gid:0 size:1\n"
#define CHR " S_IFCHR mode:0620 dev:544,0 ino:6 uid:0 gid:7 rdev:24,1\n"
#define SOCK " S_IFSOCK mode:0666 dev:543,0 ino:38252 uid:0 gid:0 size:0\n"
    { "pfiles: a file",
      "77:\ta.out -x\n  Current rlimit: 256 file descriptors\n   3:" REG
      "      O_RDONLY|O_LARGEFILE\n      /data/a b\n      offset:1930555\n",
      "77:\n77/3 file /data/a b @1930555", 0, 0, NULL },
    { "pfiles: several processes", "77:\ta\n   3:" REG "      /x\n5:\tsched\n  [system process]\n12:\tb\n   0:" REG,
      "5 12 77:\n12/0 file\n77/3 file /x", 0, 0, NULL },
    { "pfiles: lost indentation",
      "77: a\nCurrent rlimit: unlimited file descriptors\n3:" REG "O_RDONLY\n/data/x\n4:" SOCK
      "O_RDWR\nSOCK_STREAM\nSO_SNDBUF(1),IP_NEXTHOP(0.1.0.0)\n"
      "sockname: AF_INET 1.2.3.4  port: 80\npeername: AF_INET 5.6.7.8  port: 9\n",
      "77:\n77/3 file /data/x\n77/4 socket local=1.2.3.4,80 peer=5.6.7.8,9", 0, 0, NULL },
    { "pfiles: carriage returns, blank lines", "77:\ta\r\n\r\n   3:" REG "      /x\r\n", "77:\n77/3 file /x", 0, 0,
      NULL },
    { "pfiles: a core", "core 'a' of b/core' of 6:\t./a\n   0:" REG, "6:\n6/0 file", 0, 0, NULL },
    { "pfiles: terminals and devices",
      "7:\ta\n0:" CHR "/dev/pts/11\n1:" CHR "/devices/pseudo/mm@0:null\n2:" CHR "/dev/console\n3:" CHR "O_RDWR\n",
      "7:\n7/0 tty /dev/pts/11\n7/1 device /devices/pseudo/mm@0:null\n7/2 tty /dev/console\n7/3 device", 0, 0, NULL },
    { "pfiles: types",
      "7:\ta\n0: S_IFDIR mode:0755 dev:1,1 ino:1 uid:0 gid:0 size:5\n/\n"
      "1: S_IFIFO mode:0000 dev:2,0 ino:5 uid:0 gid:0 rdev:0,0\n\tpeer: cat[77]\n"
      "2: S_IFDOOR mode:0444 dev:250,0 ino:5 uid:0 gid:0 size:0\nO_RDONLY FD_CLOEXEC  door to a b[328]\n/var/run/d\n"
      "3: S_IFPORT mode:0000 dev:541,0 uid:0 gid:0 size:0\n"
      "4: 0x7000 mode:0000 dev:541,0 uid:0 gid:0 size:0\n"
      "5: S_IFBLK mode:0600 dev:5,4 ino:1 uid:0 gid:0 rdev:32,8\nO_RDWR|0x100000\nadvisory write lock set by process "
      "7\n",
      "7:\n7/0 dir /\n7/1 pipe\n7/2 anon /var/run/d\n7/3 anon\n7/4 unknown\n7/5 device", 0, 0, NULL },
    { "pfiles: sockets",
      "7:\ta\n0:" SOCK "\tsockname: AF_INET6 ::  port: 80\n"
      "1:" SOCK
      "\tsockname: AF_INET6 ::ffff:192.168.0.1  port: 80\n\tpeername: AF_INET6 ::ffff:192.168.0.2  port: 41043\n"
      "2:" SOCK "\tsockname: AF_UNIX \n3:" SOCK "\tsockname: AF_UNIX /tmp/.X 0\n\tpeername: AF_UNIX\n"
      "4:" SOCK "\tSOCK_DGRAM\n\tsockname: AF_UNIX\n\tpeername: AF_UNIX /dev/log\n\tpeer: syslogd[4] zone: global[0]\n"
      "5:" SOCK "\tfilters: httpf(auto,\b)\n\tcongestion control: newreno\n\tsockname: AF_ROUTE\n",
      "7:\n7/0 socket local=::,80\n7/1 socket local=192.168.0.1,80 peer=192.168.0.2,41043\n7/2 socket\n"
      "7/3 socket /tmp/.X 0\n7/4 socket /dev/log\n7/5 socket",
      0, 0, NULL },
    { "pfiles: no header", "   0:" REG "      /x\n", "?:\n?/0 file /x", 0, 0, NULL },
    { "pfiles: what a shell and pfiles say",
      "root@a:~# pfiles 7 8\n7:\ta\n0:" REG "pfiles: cannot examine 8: no such process\n", "7:\n7/0 file", 0, 0, NULL },
    { "pfiles: foreign line", "77:\ta\n   3:" REG "      O_RDONLY\n  hello\n", NULL, 4, 3,
      "a line that pfiles does not" },
    { "pfiles: a path of two lines", "77:\ta\n   3:" REG "      /a\nb\n", NULL, 4, 1, "a line that pfiles does not" },
    { "pfiles: two paths", "77:\ta\n   3:" REG "      /a\n      /b\n", NULL, 4, 7, "a second path" },
    { "pfiles: unknown type", "77:\ta\n0:" REG "   3: S_IFWHT mode:0644 size:1\n", NULL, 3, 4,
      "a line that pfiles does not" },
    { "pfiles: unknown attribute", "77:\ta\n3: S_IFREG mode:0644 colour:3\n", NULL, 2, 22, "no attribute" },
    { "pfiles: a cut line", "77:\ta\n0:" REG "   3: S_IFREG mod", NULL, 3, 4, "a line that pfiles does not" },
    { "pfiles: a line cut at its number", "77:\ta\n0:" REG "   3:", NULL, 3, 4, "a line that pfiles does not" },
    { "pfiles: address of a file", "77:\ta\n0:" REG "\tsockname: AF_INET 1.2.3.4  port: 80\n", NULL, 3, 11,
      "no socket" },
    { "pfiles: port", "77:\ta\n0:" SOCK "\tsockname: AF_INET 1.2.3.4  port: 80808\n", NULL, 3, 12, "cannot be read" },
    { "pfiles: family", "77:\ta\n0:" SOCK "\tsockname: 1.2.3.4\n", NULL, 3, 11, "family" },
    { "pfiles: offset", "77:\ta\n0:" REG "      offset:x\n", NULL, 3, 14, "offset" },
    { "pfiles: a process twice", "77:\ta\n0:" REG "77:\ta\n1:" REG, NULL, 3, 1, "process 77 is listed a second time" },
    { "pfiles: a descriptor twice", "77:\ta\n0:" REG "/a\n0:" REG "/b\n", NULL, 4, 1, "descriptor 0 is listed" },
    { "pfiles: the same twice", "77:\ta\n0:" REG "/a\n0:" REG "/a\n", "77:\n77/0 file /a", 0, 0, NULL },
    { "pfiles: too large a descriptor", "77:\ta\n0:" REG "2147483648:" REG, NULL, 3, 1, "a line that pfiles does not" },

#define LINK "lrwx------ 1 root root 64 Nov 30 12:00 "
    { "ls: without heading", "total 0\n" LINK "0 -> /dev/null\n" LINK "10 -> /a b\n" LINK "3 -> /dev/pts/0\n",
      "?:\n?/0 device /dev/null\n?/3 tty /dev/pts/0\n?/10 file /a b", 0, 0, NULL },
    { "ls: headings",
      "/proc/12/fd:\ntotal 0\n" LINK "0 -> /x\n\n/proc/7/fd/:\ntotal 0\n\n\"/proc/9/fd\":\n" LINK "1 -> /y\n",
      "7 9 12:\n9/1 file /y\n12/0 file /x", 0, 0, NULL },
    { "ls: kinds",
      LINK "0 -> socket:[123]\n" LINK "1 -> pipe:[124]\n" LINK "2 -> anon_inode:[eventpoll]\n" LINK
           "3 -> /memfd:m (deleted)\n" LINK "4 -> net:[4026531840]\n" LINK "5 -> anon_inode:inotify\n" LINK
           "6 -> /dev/shm/x\n" LINK "7 -> /a (deleted)\n" LINK "8 -> (unreachable)/a\n" LINK "9 -> /dev/ttyS0\n",
      "?:\n?/0 socket socket:[123]\n?/1 pipe pipe:[124]\n?/2 anon anon_inode:[eventpoll]\n?/3 anon /memfd:m\n"
      "?/4 anon net:[4026531840]\n?/5 anon anon_inode:inotify\n?/6 file /dev/shm/x\n?/7 file /a deleted\n"
      "?/8 unknown (unreachable)/a\n?/9 tty /dev/ttyS0",
      0, 0, NULL },
    { "ls: -la, other times, carriage returns",
      "dr-x------ 2 root root  3 2026-11-30 12:00:00.000000000 +0000 .\r\n"
      "dr-xr-xr-x 9 root root  0 2026-11-30 12:00:00.000000000 +0000 ..\r\n"
      "lr-x------. 1 u g 64 2026-11-30 12:00:00.676290945 +0000 4 -> /x\r\n",
      "?:\n?/4 file /x", 0, 0, NULL },
    { "ls: inodes, blocks, no owner", "971807 0 lr-x------ 1 64 1796076514 4 -> /x\n", "?:\n?/4 file /x", 0, 0, NULL },
    { "ls: names with their directories",
      LINK "/proc/8/fd/0 -> /x\n" LINK "/proc/8/fd/1 -> /y\n" LINK "/proc/9/task/11/fd/1 -> /y\n",
      "8 9:\n8/0 file /x\n8/1 file /y\n9/1 file /y", 0, 0, NULL },
    { "ls: threads", "/proc/9/task/9/fd:\n" LINK "0 -> /x\n\n/proc/9/task/10/fd:\n" LINK "0 -> /x\n", "9:\n9/0 file /x",
      0, 0, NULL },
    { "ls: -Q", LINK "\"0\" -> \"/a\\n\\\"b\\\\ -> \\303\\251 (deleted)\"\n",
      "?:\n?/0 file /a\n\"b\\ -> \303\251 deleted", 0, 0, NULL },
    { "ls: quoted for shells", LINK "0 -> '/a b'$'\\n''c'\\''d'\n" LINK "1 -> \"/it's\"\n" LINK "2 -> 'socket:[5]'\n",
      "?:\n?/0 file /a b\nc'd\n?/1 file /it's\n?/2 socket socket:[5]", 0, 0, NULL },
    { "ls: -b", LINK "0 -> /a\\ b\\\\c\\ (deleted)\n", "?:\n?/0 file /a b\\c deleted", 0, 0, NULL },
    { "ls: backslashes of the name", LINK "0 -> /dev-by\\x2dlabel\n" LINK "1 -> /a\\n b\n",
      "?:\n?/0 file /dev-by\\x2dlabel\n?/1 file /a\\n b", 0, 0, NULL },
    { "ls: -F", LINK "0 -> /tmp/\n" LINK "1 -> /bin/x*\n" LINK "2 -> /\n" LINK "3 -> '/a b'/\n" LINK "4 -> /fifo|\n",
      "?:\n?/0 dir /tmp\n?/1 file /bin/x\n?/2 file /\n?/3 dir /a b\n?/4 file /fifo", 0, 0, NULL },
    { "ls: no -F", LINK "1 -> /bin/x*\n", "?:\n?/1 file /bin/x*", 0, 0, NULL },
    { "ls: colours", LINK "\033[0m\033[01;36m0\033[0m -> \033[40;33m/dev/null\033[0m\n", "?:\n?/0 device /dev/null", 0,
      0, NULL },
    { "ls: no targets", "/proc/1/fd:\ntotal 0\n" LINK "0\n" LINK "1\n", "1:\n1/0 unknown\n1/1 unknown", 0, 0, NULL },
    { "ls: what a shell and ls say",
      "$ ls -l /proc/31/fd\ntotal 0\nls: cannot read symbolic link: x\n" LINK "0 -> /x\n", "31:\n31/0 file /x", 0, 0,
      NULL },
    { "ls: other language", "insgesamt 0\nlrwx------ 1 a b 64 30. Nov 12:00 0 -> /x\n", "?:\n?/0 file /x", 0, 0, NULL },
    { "ls: /proc/self", "/proc/self/fd:\n" LINK "0 -> /x\n", "?:\n?/0 file /x", 0, 0, NULL },
    { "ls: a name of two lines", LINK "0 -> /a\nb\n", NULL, 2, 1, "a line that is not of" },
    { "ls: another directory", LINK "0 -> /a\n" LINK "passwd -> /b\n", NULL, 2, 40, "no descriptor" },
    { "ls: no links", LINK "0 -> /a\ncrw-rw-rw- 1 root root 1, 3 Nov 30 12:00 1\n", NULL, 2, 1, "no link" },
    { "ls: cut in the time", LINK "0 -> /a\nlrwx------ 1 root root 64 Nov 30\n", NULL, 2, 31, "cut" },
    { "ls: cut in the name", LINK "0\n" LINK "1", NULL, 2, 40, "cut" },
    { "ls: cut in the arrow", LINK "0 -> /a\n" LINK "1 ->", NULL, 2, 42, "no descriptor" },
    { "ls: an open quote", LINK "0 -> '/a\n", NULL, 1, 45, "no end" },
    { "ls: text behind a quote", LINK "0 -> '/a'b\n", NULL, 1, 49, "behind a quoted name" },
    { "ls: two without heading", "total 0\n" LINK "0 -> /a\n/proc/8/fd:\n\n/proc/self/fd:\n", NULL, 5, 1,
      "a second listing" },
    { "ls: a process twice", "/proc/8/fd:\n\n/proc/8/fd:\n", NULL, 3, 1, "process 8 is listed a second time" },
    { "ls: fdinfo", LINK "0 -> /a\n/proc/8/fdinfo:\n", NULL, 2, 1, "a line that is not of" },

#define HEADING "COMMAND   PID USER   FD      TYPE             DEVICE SIZE/OFF     NODE NAME\n"
#define OF "python3 12890 root"
    { "lsof: files",
      HEADING OF "  cwd       DIR              254,0     4096 11207592 /tmp\n" OF
                 "    0r      CHR                1,3      0t0        3 /dev/null\n" OF
                 "   10uW     REG              254,0        5 11207628 /a b (deleted)\n" OF
                 "   11r      DIR              254,0    12288   247066 /tmp\n",
      "12890:\n12890/0 device /dev/null @0\n12890/10 file /a b deleted\n12890/11 dir /tmp", 0, 0, NULL },
    { "lsof: sockets",
      HEADING OF
      "   12u     IPv4             971360      0t0      TCP 127.0.0.1:53453 (LISTEN)\n" OF
      "   13u     IPv4             971361      0t0      TCP 127.0.0.1:33708->10.0.0.2:80 (ESTABLISHED)\n" OF
      "   15u     IPv6             971363      0t0      TCP [::1]:39532->[::ffff:1.2.3.4]:ssh (CLOSE_WAIT)\n" OF
      "   17u     IPv4             971365      0t0      UDP *:46494 \n" OF
      "   18u     IPv6             971365      0t0      UDP *:* \n" OF
      "   19u     sock                0,9      0t0   971366 protocol: TCP\n" OF
      "   20u     IPv4             971365      0t0      TCP a-b.example:http-alt->c.example:41320\n",
      "12890:\n12890/12 socket local=127.0.0.1,53453 @0\n12890/13 socket local=127.0.0.1,33708 peer=10.0.0.2,80 @0\n"
      "12890/15 socket local=::1,39532 peer=1.2.3.4,-1 @0\n12890/17 socket local=0.0.0.0,46494 @0\n"
      "12890/18 socket local=::,-1 @0\n12890/19 socket socket:[971366] @0\n"
      "12890/20 socket local=a-b.example,-1 peer=c.example,41320 @0",
      0, 0, NULL },
    { "lsof: Unix sockets",
      HEADING OF
      "   19u     unix 0x00000000700efbc9      0t0   971367 /a b.sock type=STREAM (LISTEN)\n" OF
      "   20u     unix 0x00000000f1dad968      0t0   971368 @abstract type=STREAM (UNCONNECTED)\n" OF
      "   23u     unix 0x00000000f6efd4af      0t0   971370 type=STREAM ->INO=971371 12890,python3,24u (CONNECTED)\n" OF
      "   24u     unix 0x000000001b0ab98a      0t0   971371 socket\n" OF
      "   25u     unix 0x000000001b0ab98a      0t0   971372 /x\n",
      "12890:\n12890/19 socket /a b.sock @0\n12890/20 socket @abstract @0\n12890/23 socket socket:[971370] @0\n"
      "12890/24 socket socket:[971371] @0\n12890/25 socket /x @0",
      0, 0, NULL },
    { "lsof: pipes and others",
      HEADING OF "   21r     FIFO               0,15      0t0   971369 pipe 12890,python3,22w\n" OF
                 "   29u     FIFO              254,0      0t0 11207635 /fi.fo\n" OF
                 "   30u  a_inode               0,16        0     1044 [eventfd:1]\n" OF
                 "   31u  a_inode               0,16        0     1044 inotify\n" OF
                 "   25u      REG                0,1        0     1025 /memfd:mem (deleted)\n" OF
                 "   27u      CHR                5,2      0t0       91 /dev/ptmx ->/dev/pts/0 12890,python3,28u\n" OF
                 "   28u      CHR              136,0      0t0        3 /dev/pts/0 12890,python3,27u\n" OF
                 "    7u   KQUEUE                                      count=0, state=0xa\n" OF
                 "    8    unknown                                     /proc/1/fd/8 (readlink: Permission denied)\n",
      "12890:\n12890/7 anon\n12890/8 unknown\n12890/21 pipe pipe:[971369] @0\n12890/25 anon /memfd:mem\n"
      "12890/27 device /dev/ptmx @0\n12890/28 tty /dev/pts/0 @0\n12890/29 pipe /fi.fo @0\n"
      "12890/30 anon anon_inode:[eventfd]\n12890/31 anon anon_inode:inotify",
      0, 0, NULL },
    { "lsof: escapes, mounts, no name",
      HEADING OF "    4w      REG              254,0        0        1 /a\\n\\\\b\\xc3\\xa9\\x2d\\q\n" OF
                 "    5w      REG              254,0        0        1 /mnt/x (server:/export)\n" OF
                 "    6w      REG              254,0        0        1 /home (/dev/sda3)\n" OF
                 "    7w      REG              254,0        0        1 /x (1)\n",
      "12890:\n12890/4 file /a\n\\b\303\251\\x2d\\q\n12890/5 file /mnt/x\n12890/6 file\n12890/7 file /x (1)", 0, 0,
      NULL },
    { "lsof: threads, long commands, offsets",
      "COMMAND     PID   TID TASKCMD   USER   FD      TYPE             DEVICE OFFSET     NODE NAME\n"
      "process_a     1                 root    3u      REG              254,0    0t3       57 /x\n"
      "process_a     1    58 vsock-con root    3u      REG              254,0    0x4       57 /x\n"
      "process_a     1    58 vsock-con root  txt       REG              254,0              57 /y\n",
      "1:\n1/3 file /x @3", 0, 0, NULL },
    { "lsof: lost blanks",
      "COMMAND PID USER FD TYPE DEVICE SIZE/OFF NODE NAME\nsshd 7 root 3u IPv4 12345 0t0 TCP *:22 (LISTEN)\n"
      "sshd 7 root 4w REG 8,1 1234 99 /var/a b\n",
      "7:\n7/3 socket local=0.0.0.0,22 @0\n7/4 file /var/a b", 0, 0, NULL },
    { "lsof: lost blanks under a heading that has them", HEADING "sshd 7 root 4w REG 8,1 1234 99 /var/a b\n",
      "7:\n7/4 file /var/a b", 0, 0, NULL },
    { "lsof: two headings, no descriptors, what lsof says",
      "lsof: WARNING: can't stat() fuse file system /x\n      Output information may be incomplete.\n" HEADING OF
      "  cwd       DIR              254,0     4096 11207592 /tmp\n" HEADING
      "python3     7 root NOFD                                                /proc/7/fd (opendir: Permission "
      "denied)\n",
      "12890:", 0, 0, NULL },
    { "lsof: lost blanks and a blank cell",
      "COMMAND PID USER FD TYPE DEVICE SIZE/OFF NODE NAME\nx 7 root 3u KQUEUE count=0, state=0xa\n", NULL, 2, 1,
      "do not fit the heading" },
    { "lsof: foreign line", HEADING "  hello world\n", NULL, 2, 3, "do not fit the heading" },
    { "lsof: no such FD", HEADING OF "    3q      REG              254,0        0        1 /a\n", NULL, 2, 1,
      "do not fit" },
    { "lsof: a cut line", HEADING OF "    3u      RE", "12890:\n12890/3 unknown", 0, 0, NULL },
    { "lsof: before the heading", "hello\n" HEADING, NULL, 1, 1, "before the heading" },
    { "lsof: only a heading", HEADING, NULL, 0, 0, "no process" },
    { "lsof: changed in between",
      HEADING OF "    3u      REG              254,0        0        1 /a\n" OF
                 "    3u      REG              254,0        0        1 /b\n",
      NULL, 3, 1, "descriptor 3 is listed a second time" },
    { "lsof: a second round",
      HEADING OF "  cwd       DIR              254,0     4096 11207592 /tmp\n"
                 "=======\n",
      NULL, 3, 1, "do not fit" },

    { "nothing", "", NULL, 0, 0, "empty" },
    { "blank lines", "\n  \r\n", NULL, 0, 0, "empty" },
    { "a trace", "\n\nexecve(\"/bin/true\", [\"true\"], 0x0) = 0\n", NULL, 3, 1,
      "none of pfiles, ls -l /proc/PID/fd, lsof" },
    { "a mark in front", "\xef\xbb\xbf/proc/8/fd:\n", "8:", 0, 0, NULL },
};
enum { ROWS = sizeof rows / sizeof *rows };

/* A copy on the heap without a NUL behind it, so that a read past its end is seen. */
static callgauge_status read_copy(const char *text, size_t len, cg_listing *out, callgauge_error *err)
{
    char *copy = malloc(len > 0 ? len : 1);
    assert_non_null(copy);
    memcpy(copy, text, len);
    callgauge_status status = cg_listing_read("fds", cg_str(copy, len), out, err);
    free(copy);
    return status;
}

static void check_row(void **state)
{
    const struct row *row = *state;
    callgauge_error err = CALLGAUGE_ERROR_INIT;
    cg_listing listing = { 0 };
    callgauge_status status = read_copy(row->text, strlen(row->text), &listing, &err);
    if (row->rows != NULL) {
        static char text[ROOM];
        assert_string_equal(err.message, "");
        assert_int_equal(status, CALLGAUGE_OK);
        listing_text(&listing, text, sizeof text);
        assert_string_equal(text, row->rows);
    } else {
        assert_int_equal(status, CALLGAUGE_E_FORMAT);
        assert_string_equal(err.source, "fds");
        if (strstr(err.message, row->why) == NULL) {
            assert_string_equal(err.message, row->why);
        }
        assert_int_equal(err.line, row->line);
        assert_int_equal(err.column, row->column);
        assert_null(listing.rows);
    }
    cg_listing_release(&listing);
}

static void check_nul(void **state)
{
    static const char text[] = "77:\ta\n0: S_IFREG mode:0644\n/a\0b\n";
    callgauge_error err = CALLGAUGE_ERROR_INIT;
    cg_listing listing = { 0 };
    (void)state;
    assert_int_equal(read_copy(text, sizeof text - 1, &listing, &err), CALLGAUGE_E_FORMAT);
    assert_int_equal(err.line, 3);
    assert_int_equal(err.column, 3);
    assert_int_equal(err.offset, 29);
}

static void check_find(void **state)
{
    cg_listing listing = { 0 };
    (void)state;
    assert_null(cg_listing_find(&listing, 7, 3));
    assert_false(cg_listing_has_pid(&listing, 7));
    cg_listing_release(&listing);
    const char *text = "/proc/9/fd:\n" LINK "3 -> /x\n" LINK "0 -> /y\n/proc/7/fd:\n";
    assert_int_equal(cg_listing_read(NULL, cg_str_z(text), &listing, NULL), CALLGAUGE_OK);
    assert_true(cg_str_is(cg_listing_find(&listing, 9, 3)->path, "/x"));
    assert_true(cg_str_is(cg_listing_find(&listing, 9, 0)->path, "/y"));
    assert_null(cg_listing_find(&listing, 9, 1));
    assert_null(cg_listing_find(&listing, 7, 0));
    assert_true(cg_listing_has_pid(&listing, 7));
    assert_true(cg_listing_has_pid(&listing, 9));
    assert_false(cg_listing_has_pid(&listing, 8));
    cg_listing_release(&listing);
}

/* --- whole listings */

static struct fixture {
    const char *file;
    size_t pids, rows;
    const char *part; /* of listing_text() */
} fixtures[] = {
    { "httpd-10gbe.pfiles", 1, 13,
      "\n1481/9 file /data/web/001\n1481/10 file /data/web/001\n1481/256 socket local=::,80\n"
      "1481/257 socket local=192.168.0.1,80 peer=192.168.0.2,41043" },
    { "posted-40-solaris8.pfiles", 1, 5, "\n15481/2 device\n15481/3 anon\n15481/10 device" },
    { "posted-43-sockets.pfiles", 1, 5,
      "\n12284/0 socket\n12284/1 file /var/log/01.log\n12284/2 file /var/log/01.log\n12284/3 socket "
      "local=0.0.0.0,1980\n" },
    { "linux.ls", 1, 28,
      "\n?/3 file /tmp/listing/plain.txt\n?/4 file /tmp/listing/with space.txt\n?/5 file /tmp/listing/gone.txt "
      "deleted\n"
      "?/6 file /tmp/listing/a -> b.txt\n?/7 file /tmp/listing/tab\t'q\".txt\n?/8 file /tmp\n?/9 anon "
      "anon_inode:[eventpoll]\n?/10 socket socket:[993486]\n" },
    { "linux-two.ls", 2, 31,
      "\n7733/27 anon anon_inode:[eventfd]\n7734/0 device /dev/null\n7734/1 device /dev/null\n7734/2 device" },
    { "linux-quoted.ls", 1, 28,
      "\n?/3 file /tmp/listing/plain.txt\n?/4 file /tmp/listing/with space.txt\n?/5 file /tmp/listing/gone.txt "
      "deleted\n"
      "?/6 file /tmp/listing/a -> b.txt\n?/7 file /tmp/listing/tab\t'q\".txt\n?/8 dir /tmp\n" },
    { "linux.lsof", 2, 31,
      "\n7733/3 file /tmp/listing/plain.txt\n7733/4 file /tmp/listing/with space.txt\n"
      "7733/5 file /tmp/listing/gone.txt deleted\n7733/6 file /tmp/listing/a -> b.txt\n"
      "7733/7 file /tmp/listing/tab\t'q\".txt\n7733/8 dir /tmp\n7733/9 anon anon_inode:[eventpoll]\n"
      "7733/10 socket local=127.0.0.1,8080 @0\n7733/11 socket local=127.0.0.1,41320 peer=127.0.0.1,8080 @0\n" },
    { "linux-names.lsof", 1, 28,
      "\n7733/3 file /tmp/listing/plain.txt @3\n7733/4 file /tmp/listing/with space.txt @0\n" },
};
enum { FIXTURES = sizeof fixtures / sizeof *fixtures };

static void check_fixture(void **state)
{
    const struct fixture *fixture = *state;
    static char data[ROOM], text[ROOM];
    char path[512];
    snprintf(path, sizeof path, "%s/listings/%s", CG_FIXTURES, fixture->file);
    FILE *file = fopen(path, "rb");
    assert_non_null(file);
    size_t len = fread(data, 1, sizeof data, file);
    fclose(file);
    assert_in_range(len, 1, sizeof data - 1);
    callgauge_error err = CALLGAUGE_ERROR_INIT;
    cg_listing listing = { 0 };
    callgauge_status status = cg_listing_read(fixture->file, cg_str(data, len), &listing, &err);
    assert_string_equal(err.message, "");
    assert_int_equal(status, CALLGAUGE_OK);
    assert_int_equal(listing.pid_count, fixture->pids);
    assert_int_equal(listing.count, fixture->rows);
    listing_text(&listing, text, sizeof text);
    if (strstr(text, fixture->part) == NULL) {
        assert_string_equal(text, fixture->part);
    }
    cg_listing_release(&listing);
}

int main(void)
{
    struct CMUnitTest tests[ROWS + FIXTURES + 2];
    size_t count = 0;
    for (size_t i = 0; i < ROWS; i++) {
        tests[count++] = (struct CMUnitTest){ .name = rows[i].name, .test_func = check_row, .initial_state = &rows[i] };
    }
    for (size_t i = 0; i < FIXTURES; i++) {
        tests[count++] =
            (struct CMUnitTest){ .name = fixtures[i].file, .test_func = check_fixture, .initial_state = &fixtures[i] };
    }
    tests[count++] = (struct CMUnitTest)cmocka_unit_test(check_nul);
    tests[count++] = (struct CMUnitTest)cmocka_unit_test(check_find);
    return cmocka_run_group_tests_name("listing", tests, NULL, NULL);
}
