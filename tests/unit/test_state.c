/* SPDX-License-Identifier: Apache-2.0 */
/* lib/state: captures of fixtures/ and short texts, with what is known of each line; see following.h for the form. */
#include <setjmp.h>
#include <stdarg.h>
#include <stddef.h>
#include <stdint.h>

#include <cmocka.h>

#include "following.h"

static struct row {
    const char *name, *text; /* a text that ends in no newline: a file of fixtures/dialects */
    const char *known;
} rows[] = {
    { "a child before its parent's result", "strace/good/follow-child-first.strace",
      "1 p100 path /usr/bin/make\n"
      "2 p100 path /w/Makefile made /w/Makefile\n"
      "5 p100 child p101\n"
      "6 p101 path /bin/sh\n"
      "7 p100 fd 3=/w/Makefile#1\n"
      "8 p100 path /w/jobs made /w/jobs\n"
      "11 p102 fd 3=/w/jobs#2 @0+\n"
      "13 p102 path /usr/bin/cc\n"
      "14 p101 child p102\n"
      "15 p103 fd 3=/w/jobs#2 @1+\n"
      "16 p100 child p103\n"
      "17 p102 fd 3=/w/Makefile#1 @0+\n"
      "18 p103 fd 3=/w/jobs#2\n"
      "21 p100 child p103\n"
      "p100 /usr/bin/make exit 0\n"
      "p101 of p100 /bin/sh exit 1\n"
      "p102 of p101 /usr/bin/cc killed SIGTERM\n"
      "p103 of p100 /usr/bin/make exit 0\n" },
    { "exec by a thread", "strace/good/follow-thread-exec.strace",
      "1 p200 path /a made /a\n"
      "2 p200 path /b made /b\n"
      "6 p200 fd 3=/a#1 @0+\n"
      "9 p200 fd 4=/b#2 @0+\n"
      "11 p200 path /bin/true\n"
      "12 p200 fd 4=/b#2 @0+\n"
      "13 p200 path /c made /c\n"
      "p200 /bin/true exit 0\n" },
    { "exec by a thread, captured", "strace/good/threadexec.f.strace",
      "1 p16018 path /tmp/app/bin/threadexec\n"
      "4 p16018 path /etc/ld.so.preload\n"
      "5 p16018 path /etc/ld.so.cache made /etc/ld.so.cache\n"
      "6 p16018 fd 3=/etc/ld.so.cache#1 path /etc/ld.so.cache\n"
      "7 p16018 fd 3=/etc/ld.so.cache#1\n"
      "8 p16018 fd 3=/etc/ld.so.cache#1\n"
      "9 p16018 path /lib/x86_64-linux-gnu/libc.so.6 made /lib/x86_64-linux-gnu/libc.so.6\n"
      "10 p16018 fd 3=/lib/x86_64-linux-gnu/libc.so.6#2 @0+\n"
      "11 p16018 fd 3=/lib/x86_64-linux-gnu/libc.so.6#2 @64\n"
      "12 p16018 fd 3=/lib/x86_64-linux-gnu/libc.so.6#2 path /lib/x86_64-linux-gnu/libc.so.6\n"
      "13 p16018 fd 3=/lib/x86_64-linux-gnu/libc.so.6#2 @64\n"
      "14 p16018 fd 3=/lib/x86_64-linux-gnu/libc.so.6#2\n"
      "15 p16018 fd 3=/lib/x86_64-linux-gnu/libc.so.6#2\n"
      "16 p16018 fd 3=/lib/x86_64-linux-gnu/libc.so.6#2\n"
      "17 p16018 fd 3=/lib/x86_64-linux-gnu/libc.so.6#2\n"
      "19 p16018 fd 3=/lib/x86_64-linux-gnu/libc.so.6#2\n"
      "62 p16018 path /bin/true\n"
      "65 p16018 path /etc/ld.so.preload\n"
      "66 p16018 path /etc/ld.so.cache made /etc/ld.so.cache\n"
      "67 p16018 fd 3=/etc/ld.so.cache#3 path /etc/ld.so.cache\n"
      "68 p16018 fd 3=/etc/ld.so.cache#3\n"
      "69 p16018 fd 3=/etc/ld.so.cache#3\n"
      "70 p16018 path /lib/x86_64-linux-gnu/libc.so.6 made /lib/x86_64-linux-gnu/libc.so.6\n"
      "71 p16018 fd 3=/lib/x86_64-linux-gnu/libc.so.6#4 @0+\n"
      "72 p16018 fd 3=/lib/x86_64-linux-gnu/libc.so.6#4 @64\n"
      "73 p16018 fd 3=/lib/x86_64-linux-gnu/libc.so.6#4 path /lib/x86_64-linux-gnu/libc.so.6\n"
      "74 p16018 fd 3=/lib/x86_64-linux-gnu/libc.so.6#4 @64\n"
      "75 p16018 fd 3=/lib/x86_64-linux-gnu/libc.so.6#4\n"
      "76 p16018 fd 3=/lib/x86_64-linux-gnu/libc.so.6#4\n"
      "77 p16018 fd 3=/lib/x86_64-linux-gnu/libc.so.6#4\n"
      "78 p16018 fd 3=/lib/x86_64-linux-gnu/libc.so.6#4\n"
      "80 p16018 fd 3=/lib/x86_64-linux-gnu/libc.so.6#4\n"
      "p16018 /bin/true exit 0\n" },
    { "vfork", "strace/good/follow-vfork.strace",
      "1 p300 path /bin/sh\n"
      "2 p300 made pipe1\n"
      "3 p300 child p301\n"
      "4 p301 fd 4=pipe1#2 to 1=closed\n"
      "5 p301 fd 3=pipe1#1\n"
      "6 p301 fd 4=pipe1#2\n"
      "7 p301 path /bin/ls\n"
      "8 p301 fd 1=pipe1#2+\n"
      "9 p300 fd 4=pipe1#2\n"
      "10 p300 fd 3=pipe1#1+\n"
      "13 p300 fd 3=pipe1#1+\n"
      "p300 /bin/sh exit 0\n"
      "p301 of p300 /bin/ls exit 2\n" },
    { "a lost close", "strace/good/follow-lost-close.strace",
      "1 p? path /a made /a\n"
      "2 p? fd 3=/a#1 @0+\n"
      "3 p? path /b made /b\n"
      "4 p? fd 3=/b#2 @0+\n"
      "5 p? fd 3=/b#2\n"
      "6 p? fd 3=closed\n"
      "7 p? fd 3=unknown:#3+\n"
      "p? exit 0\n" },
    { "numbers of descriptors", "strace/good/follow-big-fds.strace",
      "1 p? fd 0=(before 0)#1\n"
      "2 p? fd 70000=(before 0)#1 to 2147483647=closed\n"
      "3 p? fd 2147483647=(before 0)#1+\n"
      "4 p? path /a\n"
      "8 p? fd 2147483647=(before 0)#1\n"
      "9 p? fd 70000=(before 0)#1+\n"
      "p? exit 0 emfile 2\n" },
    { "directories", "strace/good/follow-directories.strace",
      "1 p? path ~f made ~f\n"
      "2 p? path ~sub\n"
      "3 p? path ~sub/f made ~sub/f\n"
      "4 p? path ~f made ~f\n"
      "5 p? path /srv/www/htdocs\n"
      "6 p? path /srv/www/conf/x made /srv/www/conf/x\n"
      "7 p? path dir:/srv/www/htdocs\n"
      "8 p? path /srv/www/htdocs/g made /srv/www/htdocs/g\n"
      "9 p? path dir:/var/log made dir:/var/log\n"
      "10 p? fd 8=dir:/var/log#6 path /var/log/syslog made /var/log/syslog\n"
      "11 p? fd 9=/var/log/syslog#7 path /var/log/syslog\n"
      "12 p? fd 8=dir:/var/log#6\n"
      "13 p? path /var/log/syslog\n"
      "14 p? fd 8=dir:/var/log#6\n"
      "15 p? fd 8=closed path ~syslog\n"
      "16 p? fd 20=(before 20)#8 path ~x\n"
      "17 p? path dir:/var/log\n"
      "18 p? path /var/log/a path /b\n"
      "19 p? path /a\tb\"\n"
      "20 p? path /cut...\n"
      "21 p? path ~cut...\n"
      "p? exit 0\n" },
    { "a pid that is used again", "strace/good/follow-pid-reuse.strace",
      "1 p400 path /bin/sh\n"
      "2 p400 path /a made /a\n"
      "3 p400 child p401\n"
      "4 p401 path /one made /one\n"
      "7 p400 fd 3=/a#1\n"
      "8 p400 child p401.2\n"
      "9 p401.2 fd 4=closed\n"
      "10 p401.2 path /two made /two\n"
      "12 p400 child p401.3\n"
      "13 p401.3 fd 3=closed\n"
      "14 p401.3 path /bin/true\n"
      "p400 /bin/sh exit 0\n"
      "p401 of p400 /bin/sh exit 1\n"
      "p401.2 of p400 /bin/sh exit 0\n"
      "p401.3 of p400 /bin/true exit 0\n" },
    { "truss", "truss-solaris/good/made-follow.truss",
      "1 p1200 path /bin/sh\n"
      "2 p1200 path /etc/motd made /etc/motd\n"
      "3 p1200 made pipe1\n"
      "4 p1200 fd 3=/etc/motd#1\n"
      "5 p1200 fd 3=/etc/motd#1\n"
      "7 p1201 fd 5=pipe1#3\n"
      "8 p1200 child p1201\n"
      "9 p1200 fd 5=pipe1#3\n"
      "10 p1201 fd 4=pipe1#2\n"
      "11 p1201 path /bin/date\n"
      "12 p1201 fd 3=closed\n"
      "13 p1201 fd 7=/etc/motd#1 @0+\n"
      "14 p1201 fd 1=pipe1#3+\n"
      "16 p1200 fd 4=pipe1#2+\n"
      "p1200 /bin/sh exit 3\n"
      "p1201 of p1200 /bin/date exit 0\n" },
    { "calls of threads that run into each other",
      "1 openat(AT_FDCWD, \"/old\", O_RDONLY) = 3\n"
      "1 clone3({flags=CLONE_VM|CLONE_FILES|CLONE_THREAD}, 88) = 2\n"
      "1 close(3 <unfinished ...>\n"
      "2 openat(AT_FDCWD, \"/new\", O_RDONLY) = 3\n"
      "1 <... close resumed>) = 0\n"
      "2 read(3, \"n\", 1) = 1\n"
      "2 read(3,  <unfinished ...>\n"
      "1 close(3) = 0\n"
      "1 openat(AT_FDCWD, \"/third\", O_RDONLY) = 3\n"
      "2 <... read resumed>\"m\", 1) = 1\n"
      "2 read(3, \"t\", 1) = 1\n",
      "1 p1 path /old made /old\n"
      "4 p1 path /new made /new\n"
      "5 p1 fd 3=/old#1\n"
      "6 p1 fd 3=/new#2 @0+\n"
      "8 p1 fd 3=/new#2\n"
      "9 p1 path /third made /third\n"
      "10 p1 fd 3=/new#2 @1+\n"
      "11 p1 fd 3=/third#3 @0+\n"
      "p1\n" },
    { "offsets",
      "openat(AT_FDCWD, \"/a\", O_RDWR|O_CREAT, 0644) = 3\n"
      "read(3, \"a\", 100) = 100\n"
      "dup(3) = 4\n"
      "read(4, \"a\", 50) = 50\n"
      "lseek(3, 0, SEEK_CUR) = 150\n"
      "read(3, \"a\", 50) = 50\n"
      "lseek(3, 4096, SEEK_SET) = 4096\n"
      "write(4, \"b\", 10) = 10\n"
      "pread64(3, \"c\", 10, 200) = 10\n"
      "pread64(3, \"c\", 10, 300) = 10\n"
      "read(3, \"\", 10) = 0\n"
      "openat(AT_FDCWD, \"/log\", O_WRONLY|O_APPEND) = 5\n"
      "write(5, \"x\", 1) = 1\n"
      "write(5, \"y\", 1) = 1\n"
      "sendfile(5, 3, NULL, 20) = 20\n"
      "sendfile(5, 3, [1000] => [1020], 20) = 20\n"
      "copy_file_range(3, [64], 4, NULL, 16, 0) = 16\n"
      "_llseek(3, 500, [500], SEEK_SET) = 0\n"
      "read(3, \"q\", 1) = 1\n"
      "read(0, \"i\", 5) = 5\n"
      "read(0, \"i\", 5) = 5\n"
      "lseek(0, 0, SEEK_CUR) = 110\n"
      "read(0, \"i\", 5) = 5\n"
      "lseek(0, 0, SEEK_SET) = 0\n"
      "read(0, \"i\", 5) = 5\n",
      "1 p? path /a made /a\n"
      "2 p? fd 3=/a#1 @0+\n"
      "3 p? fd 3=/a#1\n"
      "4 p? fd 4=/a#1 @100+\n"
      "5 p? fd 3=/a#1\n"
      "6 p? fd 3=/a#1 @150+\n"
      "7 p? fd 3=/a#1\n"
      "8 p? fd 4=/a#1 @4096+\n"
      "9 p? fd 3=/a#1 @200+\n"
      "10 p? fd 3=/a#1 @300\n"
      "11 p? fd 3=/a#1 @4106\n"
      "12 p? path /log made /log\n"
      "13 p? fd 5=/log#2+\n"
      "14 p? fd 5=/log#2+\n"
      "15 p? fd 3=/a#1 @4106 to 5=/log#2+\n"
      "16 p? fd 3=/a#1 @1000 to 5=/log#2+\n"
      "17 p? fd 3=/a#1 @64 to 4=/a#1 @4126\n"
      "18 p? fd 3=/a#1\n"
      "19 p? fd 3=/a#1 @500\n"
      "20 p? fd 0=(before 0)#3+\n"
      "21 p? fd 0=(before 0)#3+\n"
      "22 p? fd 0=(before 0)#3\n"
      "23 p? fd 0=(before 0)#3 @110+\n"
      "24 p? fd 0=(before 0)#3\n"
      "25 p? fd 0=(before 0)#3 @0\n"
      "p?\n" },
    { "sockets",
      "socket(AF_INET, SOCK_STREAM|SOCK_CLOEXEC, IPPROTO_TCP) = 3\n"
      "bind(3, {sa_family=AF_INET, sin_port=htons(8080), sin_addr=inet_addr(\"127.0.0.1\")}, 16) = 0\n"
      "listen(3, 5) = 0\n"
      "accept4(3, {sa_family=AF_INET, sin_port=htons(4711), sin_addr=inet_addr(\"127.0.0.2\")}, [16], SOCK_CLOEXEC) = "
      "4\n"
      "read(4, \"x\", 1) = 1\n"
      "accept4(3, NULL, NULL, 0) = 5\n"
      "getpeername(5, {sa_family=AF_INET6, sin6_port=htons(80), sin6_flowinfo=htonl(0), inet_pton(AF_INET6, \"::1\", "
      "&sin6_addr), sin6_scope_id=0}, [28]) = 0\n"
      "read(5, \"x\", 1) = 1\n"
      "socket(AF_INET, SOCK_DGRAM, IPPROTO_IP) = 6\n"
      "connect(6, {sa_family=AF_INET, sin_port=htons(53), sin_addr=inet_addr(\"127.0.0.53\")}, 16) = -1 EINPROGRESS "
      "(Operation now in progress)\n"
      "poll([{fd=6, events=POLLIN}], 1, 1000) = 1 ([{fd=6, revents=POLLIN}])\n"
      "connect(6, {sa_family=AF_INET, sin_port=htons(54), sin_addr=inet_addr(\"127.0.0.53\")}, 16) = 0\n"
      "poll([{fd=6, events=POLLIN}, {fd=5, events=POLLIN}], 2, 1000) = 1 ([{fd=6, revents=POLLIN}])\n"
      "poll([{fd=6, events=POLLIN}, {fd=-1}], 2, 1000) = 0 (Timeout)\n"
      "select(7, [6], NULL, NULL, NULL) = 1 (in [6])\n"
      "select(7, [5 6], NULL, NULL, NULL) = 1 (in [6])\n"
      "connect(6, {sa_family=AF_UNSPEC, sa_data=\"\\0\"}, 16) = 0\n"
      "send(6, \"x\", 1, 0) = 1\n"
      "socket(AF_INET, SOCK_DGRAM, IPPROTO_IP) = 7\n"
      "sendto(7, \"q\", 1, 0, {sa_family=AF_INET, sin_port=htons(514), sin_addr=inet_addr(\"10.0.0.1\")}, 16) = 1\n"
      "socket(AF_UNIX, SOCK_STREAM, 0) = 8\n"
      "connect(8, {sa_family=AF_UNIX, sun_path=\"/run/x.sock\"}, 110) = 0\n"
      "write(8, \"x\", 1) = 1\n"
      "socket(AF_UNIX, SOCK_STREAM, 0) = 9\n"
      "connect(9, {sa_family=AF_UNIX, sun_path=@\"abc\"}, 110) = 0\n"
      "write(9, \"x\", 1) = 1\n"
      "socketpair(AF_UNIX, SOCK_STREAM, 0, [10, 11]) = 0\n"
      "write(10, \"x\", 1) = 1\n"
      "read(11, \"x\", 1) = 1\n"
      "recvmsg(10, {msg_name=NULL, msg_namelen=0, msg_iov=[{iov_base=\"x\", iov_len=1}], msg_iovlen=1, "
      "msg_control=[{cmsg_len=24, cmsg_level=SOL_SOCKET, cmsg_type=SCM_RIGHTS, cmsg_data=[12, 13]}], "
      "msg_controllen=24, msg_flags=0}, 0) = 1\n"
      "read(13, \"x\", 1) = 1\n"
      "pidfd_getfd(20, 3, 0) = 14\n"
      "close(14) = 0\n",
      "1 p? made socket:\n"
      "2 p? fd 3=socket:#1\n"
      "3 p? fd 3=socket:127.0.0.1:8080->#1\n"
      "4 p? fd 3=socket:127.0.0.1:8080->#1 made socket:127.0.0.1:8080->127.0.0.2:4711\n"
      "5 p? fd 4=socket:127.0.0.1:8080->127.0.0.2:4711#2+\n"
      "6 p? fd 3=socket:127.0.0.1:8080->#1 made socket:127.0.0.1:8080->\n"
      "7 p? fd 5=socket:127.0.0.1:8080->#3\n"
      "8 p? fd 5=socket:127.0.0.1:8080->::1:80#3+\n"
      "9 p? made socket:\n"
      "10 p? fd 6=socket:#4 made socket:->127.0.0.53:53\n"
      "11 p? fd 6=socket:->127.0.0.53:53#4\n"
      "12 p? fd 6=socket:->127.0.0.53:53#4 made socket:->127.0.0.53:54\n"
      "14 p? fd 6=socket:->127.0.0.53:54#4\n"
      "15 p? fd 6=socket:->127.0.0.53:54#4\n"
      "17 p? fd 6=socket:->127.0.0.53:54#4 made socket:\n"
      "18 p? fd 6=socket:#4+\n"
      "19 p? made socket:\n"
      "20 p? fd 7=socket:->10.0.0.1:514#5+ peer socket:->10.0.0.1:514\n"
      "21 p? made socket:\n"
      "22 p? fd 8=socket:#6 made socket:/run/x.sock\n"
      "23 p? fd 8=socket:/run/x.sock#6+\n"
      "24 p? made socket:\n"
      "25 p? fd 9=socket:#7 made socket:@abc\n"
      "26 p? fd 9=socket:@abc#7+\n"
      "27 p? made socket1\n"
      "28 p? fd 10=socket1#8+\n"
      "29 p? fd 11=socket1#9+\n"
      "30 p? fd 10=socket1#8+\n"
      "31 p? fd 13=unknown:#11+\n"
      "32 p? fd 20=(before 20)#12 made unknown:\n"
      "33 p? fd 14=unknown:#13\n"
      "p?\n" },
    { "what has no path",
      "epoll_create1(EPOLL_CLOEXEC) = 3\n"
      "epoll_wait(3, [], 1, 0) = 0\n"
      "eventfd2(0, EFD_CLOEXEC) = 4\n"
      "read(4, \"x\", 8) = 8\n"
      "memfd_create(\"m\", MFD_CLOEXEC) = 5\n"
      "write(5, \"x\", 1) = 1\n"
      "openat(AT_FDCWD, \"/dev/pts/0\", O_RDWR) = 6\n"
      "openat(AT_FDCWD, \"/dev/null\", O_RDWR) = 7\n"
      "openat(AT_FDCWD, \"/tmp\", O_RDWR|O_TMPFILE, 0600) = 8\n"
      "write(8, \"x\", 1) = 1\n"
      "pipe([9, 10]) = 0\n"
      "read(9, \"x\", 1) = 1\n"
      "getdents64(6, [], 32768) = 0\n"
      "mmap(NULL, 4096, PROT_READ, MAP_SHARED, 8, 0) = 0x7f00\n"
      "open_by_handle_at(7, {handle_bytes=8}, O_RDONLY) = 11\n"
      "read(11, \"x\", 1) = 1\n",
      "1 p? made anon:anon_inode:[eventpoll]\n"
      "2 p? fd 3=anon:anon_inode:[eventpoll]#1\n"
      "3 p? made anon:anon_inode:[eventfd]\n"
      "4 p? fd 4=anon:anon_inode:[eventfd]#2+\n"
      "5 p? made anon:/memfd:m\n"
      "6 p? fd 5=anon:/memfd:m#3+\n"
      "7 p? path tty:/dev/pts/0 made tty:/dev/pts/0\n"
      "8 p? path device:/dev/null made device:/dev/null\n"
      "9 p? path /tmp made file:\n"
      "10 p? fd 8=file:#6 @0+\n"
      "11 p? made pipe1\n"
      "12 p? fd 9=pipe1#7+\n"
      "13 p? fd 6=tty:/dev/pts/0#4\n"
      "14 p? fd 8=file:#6\n"
      "15 p? fd 7=device:/dev/null#5 made file:\n"
      "16 p? fd 11=file:#9 @0+\n"
      "p?\n" },
    { "close-on-exec and shared tables",
      "1 openat(AT_FDCWD, \"/a\", O_RDONLY|O_CLOEXEC) = 3\n"
      "1 openat(AT_FDCWD, \"/b\", O_RDONLY) = 4\n"
      "1 fcntl(4, F_SETFD, FD_CLOEXEC) = 0\n"
      "1 openat(AT_FDCWD, \"/c\", O_RDONLY|O_CLOEXEC) = 5\n"
      "1 fcntl(5, F_SETFD, 0) = 0\n"
      "1 fcntl(5, F_DUPFD_CLOEXEC, 10) = 10\n"
      "1 fcntl(3, F_DUPFD, 11) = 11\n"
      "1 dup3(5, 12, O_CLOEXEC) = 12\n"
      "1 openat(AT_FDCWD, \"/d\", O_RDONLY) = 13\n"
      "1 ioctl(13, FIOCLEX) = 0\n"
      "1 openat(AT_FDCWD, \"/e\", O_RDONLY) = 14\n"
      "1 close_range(14, 14, CLOSE_RANGE_CLOEXEC) = 0\n"
      "1 execve(\"/bin/x\", [\"x\", \"-v\"], 0x7ff /* 1 var */) = 0\n"
      "1 read(3, \"\", 1) = -1 EBADF (Bad file descriptor)\n"
      "1 read(4, \"\", 1) = -1 EBADF (Bad file descriptor)\n"
      "1 read(5, \"\", 1) = 0\n"
      "1 read(11, \"\", 1) = 0\n"
      "1 fork() = 2\n"
      "1 close_range(3, 4294967295, 0) = 0\n"
      "2 read(5, \"\", 1) = 0\n"
      "1 read(5, \"\", 1) = -1 EBADF (Bad file descriptor)\n"
      "1 openat(AT_FDCWD, \"/f\", O_RDONLY) = 3\n"
      "1 clone(child_stack=NULL, flags=CLONE_FILES|SIGCHLD) = 3\n"
      "3 openat(AT_FDCWD, \"/g\", O_RDONLY) = 4\n"
      "1 read(4, \"\", 1) = 0\n"
      "3 unshare(CLONE_FILES) = 0\n"
      "3 close(4) = 0\n"
      "1 read(4, \"\", 1) = 0\n"
      "1 close_range(50, 60, CLOSE_RANGE_CLOEXEC) = 0\n"
      "1 execve(\"/bin/y\", [\"y\"], 0x7ff /* 1 var */) = 0\n"
      "1 read(55, \"\", 1) = -1 EBADF (Bad file descriptor)\n"
      "1 read(61, \"\", 1) = 0\n",
      "1 p1 path /a made /a\n"
      "2 p1 path /b made /b\n"
      "3 p1 fd 4=/b#2\n"
      "4 p1 path /c made /c\n"
      "5 p1 fd 5=/c#3\n"
      "6 p1 fd 5=/c#3\n"
      "7 p1 fd 3=/a#1\n"
      "8 p1 fd 5=/c#3 to 12=closed\n"
      "9 p1 path /d made /d\n"
      "10 p1 fd 13=/d#4\n"
      "11 p1 path /e made /e\n"
      "13 p1 path /bin/x\n"
      "14 p1 fd 3=closed\n"
      "15 p1 fd 4=closed\n"
      "16 p1 fd 5=/c#3 @0+\n"
      "17 p1 fd 11=/a#1 @0+\n"
      "18 p1 child p2\n"
      "20 p2 fd 5=/c#3 @0+\n"
      "21 p1 fd 5=closed\n"
      "22 p1 path /f made /f\n"
      "23 p1 child p3\n"
      "24 p3 path /g made /g\n"
      "25 p1 fd 4=/g#7 @0+\n"
      "27 p3 fd 4=/g#7\n"
      "28 p1 fd 4=/g#7 @0+\n"
      "30 p1 path /bin/y\n"
      "31 p1 fd 55=closed\n"
      "32 p1 fd 61=unknown:#8+\n"
      "p1 /bin/y\n"
      "p2 of p1 /bin/x\n"
      "p3 of p1 /bin/x\n" },
    { "decorations win",
      "openat(AT_FDCWD</tmp>, \"a\", O_RDONLY) = 3</tmp/a>\n"
      "read(3</tmp/a>, \"x\", 1) = 1\n"
      "read(3</tmp/b>, \"x\", 1) = 1\n"
      "read(3</tmp/b>, \"x\", 1) = 1\n"
      "read(4<socket:[77]>, \"x\", 1) = 1\n"
      "read(4<TCP:[10.0.0.1:80->10.0.0.2:999]>, \"x\", 1) = 1\n"
      "read(4<TCP:[10.0.0.1:80->10.0.0.3:999]>, \"x\", 1) = 1\n"
      "read(5<pipe:[99]>, \"x\", 1) = 1\n"
      "read(6</dev/null<char 1:3>>, \"\", 1) = 0\n"
      "read(7</tmp/a\\74b\\76>, \"\", 1) = 0\n"
      "read(8</tmp/gone>(deleted), \"\", 1) = 0\n"
      "read(9<anon_inode:[eventpoll]>, 0x1, 1) = -1 EINVAL (Invalid argument)\n"
      "rename(\"/tmp/b\", \"/tmp/c\") = 0\n"
      "read(3</tmp/c>, \"x\", 1) = 1\n"
      "socket(AF_UNIX, SOCK_STREAM, 0) = 10<UNIX-STREAM:[263959]>\n"
      "connect(10<UNIX-STREAM:[263959]>, {sa_family=AF_UNIX, sun_path=\"/run/s\"}, 110) = 0\n"
      "write(10<UNIX-STREAM:[263959->263960]>, \"x\", 1) = 1\n"
      "read(11<TCPv6:[[::1]:80->[::1]:999]>, \"x\", 1) = 1\n",
      "1 p? path /tmp/a made /tmp/a\n"
      "2 p? fd 3=/tmp/a#1 @0+\n"
      "3 p? fd 3=/tmp/b#2+\n"
      "4 p? fd 3=/tmp/b#2+\n"
      "5 p? fd 4=(before 4)#3+\n"
      "6 p? fd 4=socket:10.0.0.1:80->10.0.0.2:999#3+\n"
      "7 p? fd 4=socket:10.0.0.1:80->10.0.0.3:999#4+\n"
      "8 p? fd 5=pipe:pipe:[99]#5+\n"
      "9 p? fd 6=device:/dev/null#6+\n"
      "10 p? fd 7=/tmp/a<b>#7+\n"
      "11 p? fd 8=/tmp/gone#8+\n"
      "12 p? fd 9=anon:anon_inode:[eventpoll]#9+\n"
      "13 p? path /tmp/b path /tmp/c\n"
      "14 p? fd 3=/tmp/b#2+\n"
      "15 p? made socket:\n"
      "16 p? fd 10=socket:#10 made socket:/run/s\n"
      "17 p? fd 10=socket:/run/s#10+\n"
      "18 p? fd 11=socket:::1:80->::1:999#11+\n"
      "p?\n" },
    { "names of arguments (strace -N)",
      "openat(dirfd=AT_FDCWD, pathname=\"/x\", flags=O_RDONLY|O_CLOEXEC) = 3\n"
      "read(fd=3, buf=\"x\", count=1) = 1\n"
      "fcntl(fd=3, cmd=F_DUPFD, arg=10) = 10\n"
      "close(fd=3) = 0\n"
      "+++ exited with 0 +++\n",
      "1 p? path /x made /x\n"
      "2 p? fd 3=/x#1 @0+\n"
      "3 p? fd 3=/x#1\n"
      "4 p? fd 3=/x#1\n"
      "p? exit 0\n" },
    { "arguments as registers (strace -e raw)",
      "openat(AT_FDCWD, \"/x\", O_RDONLY) = 3\n"
      "read(0x3, 0x7ffd10, 0x10) = 0x10\n"
      "dup2(0x3, 0xa) = 0xa\n"
      "write(0xa, 0x7ffd10, 0x1) = 0x1\n"
      "mmap(0, 0x1000, 0x1, 0x22, 0xffffffff, 0) = 0x7f0000000000\n"
      "close(0xffffffff) = -1 EBADF (Bad file descriptor)\n"
      "close(0x3) = 0\n"
      "read(0x3, 0x7ffd10, 0x10) = -1 EBADF (Bad file descriptor)\n",
      "1 p? path /x made /x\n"
      "2 p? fd 3=/x#1 @0+\n"
      "3 p? fd 3=/x#1 to 10=closed\n"
      "4 p? fd 10=/x#1 @16+\n"
      "7 p? fd 3=/x#1\n"
      "8 p? fd 3=closed\n"
      "p?\n" },
    { "numbers for flags (strace -X raw)",
      "openat(-100 /* AT_FDCWD */, \"/x\", 0x80000 /* O_RDONLY|O_CLOEXEC */) = 3\n"
      "fcntl(3, 0, 10) = 10\n"
      "execve(\"/bin/true\", [\"true\"], 0x7ffc /* 1 var */) = 0\n"
      "read(3, 0x1, 1) = -1 EBADF (Bad file descriptor)\n"
      "read(10, \"x\", 1) = 1\n",
      "1 p? path /x made /x\n"
      "2 p? fd 3=/x#1\n"
      "3 p? path /bin/true\n"
      "4 p? fd 3=closed\n"
      "5 p? fd 10=/x#1 @0+\n"
      "p? /bin/true\n" },
    { "descriptors from before the capture",
      "7 openat(AT_FDCWD, \"/x\", O_RDONLY) = 3\n"
      "8 read(0, \"x\", 1) = 1\n"
      "7 fork() = 9\n"
      "9 read(1, \"x\", 1) = 1\n"
      "7 read(1, \"x\", 1) = 1\n"
      "9 close(1) = 0\n"
      "7 read(1, \"x\", 1) = 1\n"
      "9 read(1, \"x\", 1) = -1 EBADF (Bad file descriptor)\n",
      "1 p7 path /x made /x\n"
      "2 p8 fd 0=(before 8/0)#2+\n"
      "3 p7 child p9\n"
      "4 p9 fd 1=(before 7/1)#3+\n"
      "5 p7 fd 1=(before 7/1)#3+\n"
      "6 p9 fd 1=(before 7/1)#3\n"
      "7 p7 fd 1=(before 7/1)#3+\n"
      "8 p9 fd 1=closed\n"
      "p7\n"
      "p8\n"
      "p9 of p7\n" },
    { "halves of calls",
      "<... openat resumed>) = 3\n"
      "read(3, \"x\", 1) = 1\n"
      "read(4,  <unfinished ...>\n"
      "<... read resumed>\"y\", 1) = 1\n"
      "openat(AT_FDCWD, \"/x\", O_RDONLY <unfinished ...>\n"
      "+++ killed by SIGKILL (core dumped) +++\n",
      "1 p? made file:\n"
      "2 p? fd 3=file:#1 @0+\n"
      "4 p? fd 4=(before 4)#2+\n"
      "5 p? path /x\n"
      "p? killed SIGKILL\n" },
    { "chroot and ranges",
      "chroot(\"/jail\") = 0\n"
      "openat(AT_FDCWD, \"/etc/passwd\", O_RDONLY) = 3\n"
      "close_range(3, 20, 0) = 0\n"
      "read(3, 0x1, 1) = -1 EBADF (Bad file descriptor)\n"
      "read(19, 0x1, 1) = -1 EBADF (Bad file descriptor)\n"
      "read(21, \"x\", 1) = 1\n"
      "+++ exited with 0 +++\n",
      "1 p? path /jail\n"
      "2 p? path /jail/etc/passwd made /jail/etc/passwd\n"
      "4 p? fd 3=closed\n"
      "5 p? fd 19=closed\n"
      "6 p? fd 21=(before 21)#2+\n"
      "p? exit 0\n" },
    { "no exit lines",
      "1 fork() = 2\n"
      "2 exit_group(3) = ?\n"
      "1 fork() = 2\n"
      "2 close(0) = 0\n"
      "2 exit_group(4) = ?\n"
      "1 wait4(-1, NULL, 0, NULL) = 2\n",
      "1 p1 child p2\n"
      "3 p1 child p2.2\n"
      "4 p2.2 fd 0=(before 1/0)#1\n"
      "6 p1 child p2.2\n"
      "p1\n"
      "p2 of p1 exit 3\n"
      "p2.2 of p1 exit 4\n" },
    { "two threads fork",
      "1 openat(AT_FDCWD, \"/one\", O_RDONLY) = 3\n"
      "1 clone(child_stack=0x7f, flags=CLONE_VM|CLONE_FILES|CLONE_SIGHAND|CLONE_THREAD) = 2\n"
      "1 clone(child_stack=NULL, flags=SIGCHLD <unfinished ...>\n"
      "2 clone(child_stack=NULL, flags=SIGCHLD <unfinished ...>\n"
      "3 read(3, \"x\", 1) = 1\n"
      "4 close(3) = 0\n"
      "1 <... clone resumed>) = 4\n"
      "2 <... clone resumed>) = 3\n"
      "4 read(3, 0x1, 1) = -1 EBADF (Bad file descriptor)\n",
      "1 p1 path /one made /one\n"
      "5 p3 fd 3=/one#1 @0+\n"
      "6 p4 fd 3=/one#1\n"
      "7 p1 child p4\n"
      "8 p1 child p3\n"
      "9 p4 fd 3=closed\n"
      "p1\n"
      "p3 of p1\n"
      "p4 of p1\n" },
    { "children that are not traced",
      "pipe2([3, 4], 0) = 0\n"
      "vfork() = 11\n"
      "close(4) = 0\n"
      "clone(child_stack=NULL, flags=SIGCHLD) = 12\n"
      "wait4(-1, [{WIFEXITED(s) && WEXITSTATUS(s) == 3}], 0, NULL) = 11\n"
      "wait4(-1, [{WIFSIGNALED(s) && WTERMSIG(s) == SIGKILL}], 0, NULL) = 12\n"
      "read(3, \"\", 1) = 0\n"
      "+++ exited with 0 +++\n",
      "1 p? made pipe1\n"
      "2 p? child p11\n"
      "3 p? fd 4=pipe1#2\n"
      "4 p? child p12\n"
      "5 p? child p11\n"
      "6 p? child p12\n"
      "7 p? fd 3=pipe1#1+\n"
      "p? exit 0\n"
      "p11 of p? exit 3\n"
      "p12 of p? killed SIGKILL\n" },
    { "threads from before the capture",
      "1 accept4(5, {sa_family=AF_INET, sin_port=htons(1001), sin_addr=inet_addr(\"10.0.0.1\")}, [16], 0) = 8\n"
      "2 read(8, \"x\", 1) = 1\n"
      "2 close(8) = 0\n"
      "1 accept4(5, {sa_family=AF_INET, sin_port=htons(1002), sin_addr=inet_addr(\"10.0.0.1\")}, [16], 0) = 8\n"
      "2 read(8, \"x\", 1) = 1\n"
      "3 read(8, \"x\", 1) = 1\n"
      "3 close(8) = 0\n"
      "1 accept4(5, {sa_family=AF_INET, sin_port=htons(1003), sin_addr=inet_addr(\"10.0.0.1\")}, [16], 0) = 8\n"
      "3 read(8, \"x\", 1) = 1\n",
      "1 p1 fd 5=(before 1/5)#1 made socket:->10.0.0.1:1001\n"
      "2 p2 fd 8=(before 2/8)#3+\n"
      "3 p2 fd 8=(before 2/8)#3\n"
      "4 p1 fd 5=(before 1/5)#1 made socket:->10.0.0.1:1002\n"
      "5 p1 fd 8=socket:->10.0.0.1:1002#4+\n"
      "6 p3 fd 8=(before 3/8)#5+\n"
      "7 p3 fd 8=(before 3/8)#5\n"
      "8 p1 fd 5=(before 1/5)#1 made socket:->10.0.0.1:1003\n"
      "9 p1 fd 8=socket:->10.0.0.1:1003#6+\n"
      "p1\n"
      "p2 is p1\n"
      "p3 is p1\n" },
};

static char *read_fixture(const char *name)
{
    char path[512];
    snprintf(path, sizeof path, "%s/dialects/%s", CG_FIXTURES, name);
    FILE *file = fopen(path, "rb");
    assert_non_null(file);
    char *text = calloc(1, 65536);
    assert_non_null(text);
    size_t len = fread(text, 1, 65535, file);
    assert_true(len < 65535);
    fclose(file);
    return text;
}

static void check_row(void **context)
{
    const struct row *row = *context;
    bool is_text = row->text[strlen(row->text) - 1] == '\n';
    char *file = is_text ? NULL : read_fixture(row->text);
    cg_state_options options = follow_options();
    cg_state *state = cg_state_new(&options);
    cg_buf said;
    cg_buf_init(&said, 1 << 20);
    assert_non_null(state);
    assert_true(follow_text(state, cg_str_z(is_text ? row->text : file), 0, &said));
    say_processes(&said, state);
    assert_true(cg_buf_add_char(&said, 0));
    assert_string_equal(said.data, row->known);
    cg_buf_release(&said);
    cg_state_free(state);
    free(file);
}

/* ---- what needs more than one capture, or options ---- */

static const char forks[] = "execve(\"/bin/sh\", [\"sh\"], 0x7ffd0 /* 9 vars */) = 0\n"
                            "openat(AT_FDCWD, \"/a\", O_RDONLY) = 3\n"
                            "clone(child_stack=NULL, flags=SIGCHLD) = 11\n"
                            "close(3) = 0\n"
                            "clone(child_stack=0x7f, flags=CLONE_VM|CLONE_FILES|CLONE_SIGHAND|CLONE_THREAD) = 12\n"
                            "exit_group(0) = ?\n"
                            "+++ exited with 0 +++\n";
static const char child[] = "read(3, \"x\", 1) = 1\n"
                            "+++ exited with 4 +++\n";
static const char thread[] = "openat(AT_FDCWD, \"/b\", O_RDONLY) = 3\n"
                             "read(3, \"x\", 1) = 1\n"
                             "+++ exited with 0 +++\n";

/* The files of an -ff set, one after the other: lines of different files do not follow each other. */
static void check_set(void **context)
{
    (void)context;
    cg_state_options options = follow_options();
    cg_state *state = cg_state_new(&options);
    cg_buf said;
    cg_buf_init(&said, 1 << 16);
    assert_true(follow_text(state, cg_str_z(forks), 10, &said));
    assert_true(follow_text(state, cg_str_z(child), 11, &said));
    assert_true(follow_text(state, cg_str_z(thread), 12, &said));
    say_processes(&said, state);
    assert_true(cg_buf_add_char(&said, 0));
    assert_string_equal(said.data, "1 p10 path /bin/sh\n"
                                   "2 p10 path /a made /a\n"
                                   "3 p10 child p11\n"
                                   "4 p10 fd 3=/a#1\n"
                                   "1 p11 fd 3=/a#1 @0+\n"
                                   "1 p10 path /b made /b\n"
                                   "2 p10 fd 3=/b#2 @0+\n"
                                   "p10 /bin/sh exit 0\n"
                                   "p11 of p10 /bin/sh exit 4\n");
    cg_buf_release(&said);
    cg_state_free(state);
}

static cg_listed listed[] = {
    { .pid = 7,
      .fd = 0,
      .kind = CALLGAUGE_FILE_DEVICE,
      .path = { "/dev/null", 9 },
      .offset = INT64_MIN,
      .local_port = -1,
      .peer_port = -1 },
    { .pid = 7,
      .fd = 8,
      .kind = CALLGAUGE_FILE_SOCKET,
      .local = { "192.168.0.1", 11 },
      .peer = { "192.168.0.2", 11 },
      .local_port = 80,
      .peer_port = 41043,
      .offset = INT64_MIN },
    { .pid = 7,
      .fd = 10,
      .kind = CALLGAUGE_FILE_FILE,
      .path = { "/data/web/001", 13 },
      .offset = 8192,
      .local_port = -1,
      .peer_port = -1 },
};
static int64_t listed_pids[] = { 7 };
static const cg_listing listing = { .rows = listed, .count = 3, .pids = listed_pids, .pid_count = 1 };

static const char with_pid[] = "7 read(10, \"x\", 8192) = 8192\n"
                               "7 write(8, \"x\", 8192) = 8192\n"
                               "7 read(11, \"x\", 1) = 1\n"
                               "7 openat(AT_FDCWD, \"/x\", O_RDONLY) = 0\n"
                               "7 read(0, \"x\", 1) = 1\n";
static const char other_pid[] = "9 read(10, \"x\", 8192) = 8192\n";
static const char no_pid[] = "read(10, \"x\", 8192) = 8192\n"
                             "openat(AT_FDCWD, \"/x\", O_RDONLY) = 0\n"
                             "+++ exited with 0 +++\n";

static struct listing_row {
    const char *name, *text;
    bool any_pid, used;
    int64_t taken;
    const char *known;
} listing_rows[] = {
    { "listing of the process", with_pid, false, true, CG_UNKNOWN,
      "1 p7 fd 10=/data/web/001#3 @8192+\n"
      "2 p7 fd 8=socket:192.168.0.1:80->192.168.0.2:41043#2+\n"
      "3 p7 fd 11=(before 7/11)#4+\n"
      "4 p7 path /x made /x\n"
      "5 p7 fd 0=/x#5 @0+\n" },
    { "listing of another process", other_pid, false, false, CG_UNKNOWN, "1 p9 fd 10=(before 9/10)#1+\n" },
    { "listing taken for any process", other_pid, true, true, CG_UNKNOWN, "1 p9 fd 10=/data/web/001#3 @8192+\n" },
    { "listing for lines without a pid", no_pid, false, true, 7,
      "1 p? fd 10=/data/web/001#3 @8192+\n"
      "2 p? path /x made /x\n" },
};

static void check_listing(void **context)
{
    const struct listing_row *row = *context;
    cg_state_options options = follow_options();
    options.listing = &listing;
    options.any_pid = row->any_pid;
    cg_state *state = cg_state_new(&options);
    cg_buf said;
    cg_buf_init(&said, 1 << 16);
    assert_true(follow_text(state, cg_str_z(row->text), 0, &said));
    assert_true(cg_buf_add_char(&said, 0));
    assert_string_equal(said.data, row->known);
    assert_true(cg_state_counts_of(state)->listing_used == row->used);
    assert_true(cg_state_counts_of(state)->listing_taken == row->taken);
    cg_buf_release(&said);
    cg_state_free(state);
}

static bool say_fd(void *ctx, const cg_process *process, int64_t fd, const cg_file *file)
{
    cg_buf *out = ctx;
    return say_process(out, "", process) && cg_buf_printf(out, " %" PRId64, fd) && say_file(out, "=", file) &&
           cg_buf_add_char(out, '\n');
}

static void check_each_fd(void **context)
{
    (void)context;
    cg_state_options options = follow_options();
    options.listing = &listing;
    cg_state *state = cg_state_new(&options);
    cg_buf said;
    cg_buf_init(&said, 1 << 16);
    assert_true(follow_text(state, cg_str_z(with_pid), 0, NULL));
    assert_true(cg_state_each_fd(state, say_fd, &said));
    assert_true(cg_buf_add_char(&said, 0));
    assert_string_equal(said.data, "p7 0=/x\n"
                                   "p7 8=socket:192.168.0.1:80->192.168.0.2:41043\n"
                                   "p7 10=/data/web/001\n"
                                   "p7 11=(before 7/11)\n");
    const cg_process *process = cg_state_process(state, 0);
    assert_int_equal(process->open_at_start, 4);
    assert_int_equal(process->open_peak, 4);
    assert_int_equal(process->open_now, 4);
    cg_buf_release(&said);
    cg_state_free(state);
}

static void check_limits(void **context)
{
    (void)context;
    cg_state_options options = follow_options();
    options.limits.paths = 3;
    options.limits.descriptors = 2;
    options.limits.processes = 2;
    cg_state *state = cg_state_new(&options);
    const cg_state_counts *counts = cg_state_counts_of(state);
    assert_true(follow_text(state,
                            cg_str_z("1 openat(AT_FDCWD, \"/a\", O_RDONLY) = 3\n"
                                     "1 openat(AT_FDCWD, \"/b\", O_RDONLY) = 4\n"
                                     "1 openat(AT_FDCWD, \"/c\", O_RDONLY) = 5\n"
                                     "1 openat(AT_FDCWD, \"/d\", O_RDONLY) = 3\n"
                                     "2 openat(AT_FDCWD, \"/a\", O_RDONLY) = 3\n"
                                     "3 openat(AT_FDCWD, \"/a\", O_RDONLY) = 3\n"),
                            0, NULL));
    assert_int_equal(counts->kept_files, 3);
    assert_int_equal(counts->dropped_files, 1);
    assert_int_equal(counts->kept_fds, 2);
    assert_int_equal(counts->dropped_fds, 2);
    assert_int_equal(counts->kept_processes, 2);
    assert_int_equal(counts->dropped_processes, 1);
    cg_state_free(state);
}

static void check_counts(void **context)
{
    (void)context;
    cg_state_options options = follow_options();
    cg_state *state = cg_state_new(&options);
    assert_true(follow_text(state,
                            cg_str_z("openat(AT_FDCWD, \"/a\", O_RDONLY) = 3</a>\n"
                                     "read(3</b>, \"x\", 1) = 1\n"
                                     "recvmsg(4, {msg_control=[{cmsg_len=24, cmsg_level=SOL_SOCKET, "
                                     "cmsg_type=SCM_RIGHTS, cmsg_data=[5</x>, 6]}]}, 0) = 1\n"
                                     "+++ exited with 0 +++\n"),
                            0, NULL));
    assert_int_equal(cg_state_counts_of(state)->contradictions, 1);
    assert_int_equal(cg_state_counts_of(state)->received, 2);
    cg_state_free(state);
}

/* Children of which no line comes hold no table for good. */
static void check_silent_children(void **context)
{
    (void)context;
    enum { MANY = 500 };
    cg_state_options options = follow_options();
    options.limits.descriptors = 100;
    cg_buf text;
    cg_buf_init(&text, 1 << 20);
    for (int i = 1; i <= MANY; i++) {
        assert_true(cg_buf_printf(&text, "openat(AT_FDCWD, \"/%d\", O_RDONLY) = 3\nfork() = %d\n", i, 1000 + i));
    }
    assert_true(cg_buf_add_z(&text, "+++ exited with 0 +++\n"));
    cg_state *state = cg_state_new(&options);
    assert_true(follow_text(state, cg_buf_str(&text), 0, NULL));
    assert_int_equal(cg_state_counts_of(state)->dropped_fds, 0);
    cg_state_free(state);
    cg_buf_release(&text);
}

/* What hostile captures could make slow: many open spawn calls and many new pids, deep families, one path of many
 * parts. */
static void check_floods(void **context)
{
    (void)context;
    enum { MANY = 20000 };
    cg_state_options options = follow_options();
    cg_buf text;
    cg_buf_init(&text, (size_t)64 << 20);
    for (int i = 1; i <= MANY; i++) {
        assert_true(cg_buf_printf(&text, "%d vfork( <unfinished ...>\n", i));
    }
    for (int i = 1; i <= MANY; i++) {
        assert_true(cg_buf_printf(&text, "%d close(3) = 0\n", i + MANY));
    }
    for (int i = 1; i < MANY; i++) {
        assert_true(cg_buf_printf(&text, "%d fork() = %d\n", i + MANY, i + MANY + 1));
    }
    assert_true(cg_buf_add_z(&text, "1 stat(\""));
    for (int i = 0; i < MANY; i++) {
        assert_true(cg_buf_add_z(&text, "/a/.."));
    }
    assert_true(cg_buf_add_z(&text, "\", 0x1) = 0\n"));
    cg_state *state = cg_state_new(&options);
    assert_true(follow_text(state, cg_buf_str(&text), 0, NULL));
    cg_state_free(state);
    cg_buf_release(&text);
}

int main(void)
{
    enum { ROWS = sizeof rows / sizeof *rows, LISTINGS = sizeof listing_rows / sizeof *listing_rows };
    struct CMUnitTest tests[ROWS + LISTINGS + 6];
    size_t count = 0;
    for (size_t i = 0; i < ROWS; i++) {
        tests[count++] = (struct CMUnitTest){ .name = rows[i].name, .test_func = check_row, .initial_state = &rows[i] };
    }
    for (size_t i = 0; i < LISTINGS; i++) {
        tests[count++] = (struct CMUnitTest){ .name = listing_rows[i].name,
                                              .test_func = check_listing,
                                              .initial_state = &listing_rows[i] };
    }
    tests[count++] = (struct CMUnitTest)cmocka_unit_test(check_set);
    tests[count++] = (struct CMUnitTest)cmocka_unit_test(check_each_fd);
    tests[count++] = (struct CMUnitTest)cmocka_unit_test(check_limits);
    tests[count++] = (struct CMUnitTest)cmocka_unit_test(check_counts);
    tests[count++] = (struct CMUnitTest)cmocka_unit_test(check_silent_children);
    tests[count++] = (struct CMUnitTest)cmocka_unit_test(check_floods);
    return _cmocka_run_group_tests("state", tests, count, NULL, NULL);
}
