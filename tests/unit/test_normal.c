/* SPDX-License-Identifier: Apache-2.0 */
/* Calls as lines that are equal when a program does the same thing again: a row is a capture and the lines of its
 * calls, as one sequence. */
#include <setjmp.h>
#include <stdarg.h>
#include <stddef.h>
#include <stdint.h>
#include <stdio.h>
#include <string.h>

#include <cmocka.h>

#include <callgauge/callgauge.h>

#include "base/str.h"
#include "event/normal.h"

struct row {
    const char *name, *text, *expected;
};

#define ADDR "0x7ffd1c2b3a40"

static struct row rows[] = {
    /* descriptors */
    { "descriptors are numbered by their first appearance",
      "openat(AT_FDCWD, \"/etc/app.conf\", O_RDONLY) = 7\nread(7, \"secret\"..., 4096) = 120\ndup2(7, 1) = 1\n"
      "openat(7, \"x\", O_RDONLY) = 5\nclose(5) = 0\nclose(7) = 0\n",
      "openat(AT_FDCWD, \"/etc/app.conf\", O_RDONLY) = fd1\nread(fd1, \"…\", 4096) = 120\ndup2(fd1, 1) = 1\n"
      "openat(fd1, \"x\", O_RDONLY) = fd2\nclose(fd2) = 0\nclose(fd1) = 0\n" },
    { "decorations go",
      "openat(AT_FDCWD</root>, \"a\", O_RDONLY) = 3</root/a>\nread(3</root/a (deleted)>, \"\", 9) = 0\n"
      "fcntl(4<TCP:[127.0.0.1:80->127.0.0.1:9]>, F_GETFL) = 0x2 (flags O_RDWR)\n"
      "poll([{fd=3</root/a>, events=POLLIN}, {fd=5<pipe:[1]>, events=0}], 2, 0) = 1 ([{fd=3</root/a>, "
      "revents=POLLIN}])\n",
      "openat(AT_FDCWD, \"a\", O_RDONLY) = fd1\nread(fd1, \"…\", 9) = 0\nfcntl(fd2, F_GETFL) = 0x2\n"
      "poll([{fd=fd1, events=POLLIN}, {fd=fd3, events=0}], 2, 0) = 1\n" },
    { "descriptors that stand in arrays",
      "pipe2([3, 4], O_CLOEXEC) = 0\nsocketpair(AF_UNIX, SOCK_STREAM, 0, [5, 6]) = 0\n"
      "select(7, [3 5], NULL, NULL, NULL) = 1 (in [3])\nepoll_ctl(8, EPOLL_CTL_ADD, 3, {events=EPOLLIN, data={u32=3, "
      "u64=3}}) = 0\n"
      "mmap(NULL, 4096, PROT_READ, MAP_PRIVATE, 4, 0x20000) = 0x7f0000000000\n",
      "pipe2([fd1, fd2], O_CLOEXEC) = 0\nsocketpair(AF_UNIX, SOCK_STREAM, 0, [fd3, fd4]) = 0\n"
      "select(…, [fd1 fd3], NULL, NULL, NULL) = 1\nepoll_ctl(fd5, EPOLL_CTL_ADD, fd1, {events=EPOLLIN, data={...}}) = "
      "0\n"
      "mmap(NULL, 4096, PROT_READ, MAP_PRIVATE, fd2, 0x20000) = addr1\n" },
    { "fcntl that duplicates", "fcntl(3, F_DUPFD_CLOEXEC, 10) = 10\nfcntl(10, F_GETFD) = 0x1 (flags FD_CLOEXEC)\n",
      "fcntl(fd1, F_DUPFD_CLOEXEC, 10) = fd2\nfcntl(fd2, F_GETFD) = 0x1\n" },
    { "descriptors in messages",
      "sendmsg(5, {msg_name=NULL, msg_namelen=0, msg_iov=[{iov_base=\"key\", iov_len=3}], msg_iovlen=1, "
      "msg_control=[{cmsg_len=20, cmsg_level=SOL_SOCKET, cmsg_type=SCM_RIGHTS, cmsg_data=[9]}], msg_controllen=24, "
      "msg_flags=0}, 0) = 3\n",
      "sendmsg(fd1, {msg_name=NULL, msg_namelen=0, msg_iov=[{iov_base=\"…\", iov_len=3}], msg_iovlen=1, "
      "msg_control=[{cmsg_len=20, cmsg_level=SOL_SOCKET, cmsg_type=SCM_RIGHTS, cmsg_data=[fd2]}], msg_controllen=24, "
      "msg_flags=0}, 0) = 3\n" },
    /* processes */
    { "pids are numbered",
      "10 clone(child_stack=NULL, flags=CLONE_CHILD_SETTID|SIGCHLD, child_tidptr=0x7f45e6be5a10) = 4711\n"
      "10 kill(4711, SIGTERM) = 0\n10 kill(-4711, SIGTERM) = 0\n"
      "10 wait4(-1, [{WIFEXITED(s) && WEXITSTATUS(s) == 0}], WNOHANG, NULL) = 4711\n10 getpid() = 10\n"
      "10 prlimit64(0, RLIMIT_STACK, NULL, {rlim_cur=8192*1024, rlim_max=RLIM64_INFINITY}) = 0\n"
      "10 openat(AT_FDCWD, \"/proc/4711/fd/12\", O_RDONLY) = 3\n10 tgkill(10, 11, SIGUSR1<x>) = 0\n",
      "clone(NULL, CLONE_CHILD_SETTID|SIGCHLD, addr) = pid1\nkill(pid1, SIGTERM) = 0\nkill(-pid1, SIGTERM) = 0\n"
      "wait4(-1, [{WIFEXITED(s) && WEXITSTATUS(s) == 0}], WNOHANG, NULL) = pid1\ngetpid() = pid2\n"
      "prlimit64(0, RLIMIT_STACK, NULL, {...}) = 0\nopenat(AT_FDCWD, \"/proc/pid1/fd/fd1\", O_RDONLY) = fd2\n"
      "tgkill(pid2, pid3, SIGUSR1<x>) = 0\n" },
    { "a thread that is waited for",
      "10 clone3({flags=CLONE_VM|CLONE_THREAD, child_tid=0x7f1200000990, parent_tid=0x7f1200000990, exit_signal=0, "
      "stack=0x7f1100000000, stack_size=0x7fff80, tls=0x7f12000006c0} => {parent_tid=[4711]}, 88) = 4711\n"
      "10 futex(0x7f1200000990, FUTEX_WAIT_BITSET|FUTEX_CLOCK_REALTIME, 4711, NULL, FUTEX_BITSET_MATCH_ANY) = 0\n"
      "10 futex(0x7f1200000991, FUTEX_WAIT_PRIVATE, 4711, NULL) = 0\n",
      "clone3({flags=CLONE_VM|CLONE_THREAD, child_tid=addr, parent_tid=addr, exit_signal=0, stack=addr, "
      "stack_size=0x7fff80, tls=addr} => {parent_tid=[pid1]}, 88) = pid1\n"
      "futex(addr, FUTEX_WAIT_BITSET|FUTEX_CLOCK_REALTIME, pid1, NULL, FUTEX_BITSET_MATCH_ANY) = 0\n"
      "futex(addr, FUTEX_WAIT_PRIVATE, 4711, NULL) = 0\n" },
    { "groups of terminals", "ioctl(0, TIOCGPGRP, [4711]) = 0\nioctl(0, TCGETS, {c_iflag=ICRNL, ...}) = 0\n",
      "ioctl(0, TIOCGPGRP, [pid1]) = 0\nioctl(0, TCGETS, {...}) = 0\n" },
    /* addresses */
    { "what a call gives is told apart, other pointers are not",
      "brk(NULL) = 0x55d0c8a3f000\nmmap(NULL, 8192, PROT_READ, MAP_PRIVATE, -1, 0) = 0x7f0000002000\n"
      "mmap(0x7f0000003000, 4096, PROT_READ, MAP_FIXED, -1, 0) = 0x7f0000003000\nmunmap(0x7f0000002000, 8192) = 0\n"
      "mmap(NULL, 8192, PROT_READ, MAP_PRIVATE, -1, 0) = 0x7f0000002000\nbrk(0x55d0c8a60000) = 0x55d0c8a60000\n"
      "brk(NULL) = 0x55d0c8a60000\nread(0, " ADDR ", 1) = -1 EAGAIN (Resource temporarily unavailable)\n"
      "lseek(3, 65536, SEEK_SET) = 65536\nmprotect(0x7f0000003000, 4096, PROT_NONE) = 0\n"
      "mremap(0x7f0000003000, 4096, 8192, MREMAP_MAYMOVE) = 0x7f0000003000\n",
      "brk(NULL) = addr1\nmmap(NULL, 8192, PROT_READ, MAP_PRIVATE, -1, 0) = addr2\n"
      "mmap(addr, 4096, PROT_READ, MAP_FIXED, -1, 0) = addr3\nmunmap(addr2, 8192) = 0\n"
      "mmap(NULL, 8192, PROT_READ, MAP_PRIVATE, -1, 0) = addr4\nbrk(addr) = addr5\nbrk(NULL) = addr5\n"
      "read(0, addr, 1) = -1 EAGAIN\nlseek(fd1, 65536, SEEK_SET) = 65536\nmprotect(addr3, 4096, PROT_NONE) = 0\n"
      "mremap(addr3, 4096, 8192, MREMAP_MAYMOVE) = addr3\n" },
    { "small numbers and requests stay",
      "ioctl(3, 0x80045430, " ADDR ") = 0\narch_prctl(0x3001 /* ARCH_??? */, " ADDR ") = -1 EINVAL (Invalid argument)\n"
      "execve(\"/bin/x\", [\"x\", \"-v\"], " ADDR " /* 40 vars */) = 0\n",
      "ioctl(fd1, 0x80045430, addr) = 0\narch_prctl(0x3001, addr) = -1 EINVAL\n"
      "execve(\"/bin/x\", [\"x\", \"-v\"], addr) = 0\n" },
    { "names of flags behind their number", "openat(AT_FDCWD, \"/a\", 0x80000 /* O_RDONLY|O_CLOEXEC */) = 3\n",
      "openat(AT_FDCWD, \"/a\", O_RDONLY|O_CLOEXEC) = fd1\n" },
    { "an environment is not shown", "execve(\"/bin/x\", [\"x\"], [\"TOKEN=secret\", \"A=b\"]) = 0\n",
      "execve(\"/bin/x\", [\"x\"], [...]) = 0\n" },
    /* structures, strings, results */
    { "structures that the kernel fills in",
      "newfstatat(3, \"\", {st_mode=S_IFREG|0644, st_size=120, ...}, AT_EMPTY_PATH) = 0\n"
      "clock_gettime(CLOCK_MONOTONIC, {tv_sec=1, tv_nsec=2}) = 0\n"
      "getdents64(3, [{d_ino=1, d_name=\"a}\"}, {d_ino=2, d_name=\"b\"}], 32768) = 48\n"
      "rt_sigaction(SIGINT, {sa_handler=0x55d0c8a3f000, sa_mask=[], sa_flags=0}, NULL, 8) = 0\n"
      "rt_sigprocmask(SIG_BLOCK, ~[RTMIN RT_1], [], 8) = 0\n",
      "newfstatat(fd1, \"\", {...}, AT_EMPTY_PATH) = 0\nclock_gettime(CLOCK_MONOTONIC, {...}) = 0\n"
      "getdents64(fd1, [{...}], 32768) = 48\n"
      "rt_sigaction(SIGINT, {sa_handler=addr, sa_mask=[], sa_flags=0}, NULL, 8) = 0\n"
      "rt_sigprocmask(SIG_BLOCK, ~[RTMIN RT_1], [], 8) = 0\n" },
    { "results",
      "time(NULL) = 1700000000\nrt_sigreturn({mask=[]}) = 4711\nread(0, " ADDR
      ", 9) = ? ERESTARTSYS (To be restarted)\n"
      "getuid() = 1000\nexit_group(3) = ?\n",
      "time(NULL) = …\nrt_sigreturn({mask=[]}) = …\nread(0, addr, 9) = ? ERESTARTSYS\ngetuid() = 1000\n"
      "exit_group(3) = ?\n" },
    { "addresses of sockets",
      "connect(3, {sa_family=AF_INET, sin_port=htons(53), sin_addr=inet_addr(\"10.0.0.1\")}, 16) = 0\n"
      "accept4(4, {sa_family=AF_INET6, sin6_port=htons(2000), sin6_flowinfo=htonl(0), inet_pton(AF_INET6, \"::1\", "
      "&sin6_addr), sin6_scope_id=0}, [28], SOCK_CLOEXEC) = 5\n"
      "getsockname(5, {sa_family=AF_INET, sin_port=htons(40001), sin_addr=inet_addr(\"10.0.0.2\")}, [128 => 16]) = 0\n"
      "connect(6, {sa_family=AF_UNIX, sun_path=\"/run/x.sock\"}, 110) = 0\n"
      "bind(7, {sa_family=AF_NETLINK, nl_pid=4711, nl_groups=00000000}, 12) = 0\n",
      "connect(fd1, {sa_family=AF_INET, sin_port=htons(53), sin_addr=inet_addr(\"10.0.0.1\")}, 16) = 0\n"
      "accept4(fd2, {sa_family=AF_INET6, sin6_port=htons(port1), sin6_flowinfo=htonl(0), inet_pton(AF_INET6, \"::1\", "
      "&sin6_addr), sin6_scope_id=0}, [28], SOCK_CLOEXEC) = fd3\n"
      "getsockname(fd3, {sa_family=AF_INET, sin_port=htons(port2), sin_addr=inet_addr(\"10.0.0.2\")}, [128 => 16]) = "
      "0\n"
      "connect(fd4, {sa_family=AF_UNIX, sun_path=\"/run/x.sock\"}, 110) = 0\n"
      "bind(fd5, {sa_family=AF_NETLINK, nl_pid=pid1, nl_groups=00000000}, 12) = 0\n" },
    { "bytes that are not ASCII", "openat(AT_FDCWD, \"/\xc3\xa4\t\\303\", O_RDONLY) = 3\n",
      "openat(AT_FDCWD, \"/\\303\\244\\011\\303\", O_RDONLY) = fd1\n" },
    { "arguments with names", "openat(dirfd=AT_FDCWD, pathname=\"/a\", flags=O_RDONLY) = 3\n",
      "openat(AT_FDCWD, \"/a\", O_RDONLY) = fd1\n" },
    { "halves",
      "10 read(3, <unfinished ...>\n10 <... read resumed>\"x\", 10) = 1\n10 read(3, <unfinished ...>\n10 +++ exited "
      "with 0 +++\n",
      "read(fd1, \"…\", 10) = 1\nread(fd1) = ?\n" },
    /* temporary names */
    { "names that look like chance where such files lie",
      "openat(AT_FDCWD, \"/tmp/tmpab3d9xyz/out.txt\", O_RDONLY) = 3\nunlink(\"/var/tmp/ccAbCdEf.o\") = 0\n"
      "unlink(\"/tmp/ccAbCdEf.s\") = 0\nstat(\"/run/app/state\", {st_mode=0, ...}) = 0\n"
      "openat(AT_FDCWD, \"/tmp/go-build1234567890/b001\", O_RDONLY) = 4\nunlink(\"/tmp/fixed.txt\") = 0\n"
      "unlink(\"/tmp/550e8400-e29b-41d4-a716-446655440000.log\") = 0\n",
      "openat(AT_FDCWD, \"/tmp/tmp1/out.txt\", O_RDONLY) = fd1\nunlink(\"/var/tmp/tmp2.o\") = 0\n"
      "unlink(\"/tmp/tmp2.s\") = 0\nstat(\"/run/app/state\", {...}) = 0\n"
      "openat(AT_FDCWD, \"/tmp/go-buildtmp3/b001\", O_RDONLY) = fd2\nunlink(\"/tmp/fixed.txt\") = 0\n"
      "unlink(\"/tmp/tmp4.log\") = 0\n" },
    { "names elsewhere",
      "openat(AT_FDCWD, \"/var/lib/x/state.Ab3dE6\", O_RDONLY) = 3\nunlink(\"/usr/lib/libpython3.so.12\") = 0\n"
      "unlink(\"/srv/objects/0123456789abcdef0123456789abcdef01234567\") = 0\nunlink(\"/srv/MyApp2/x\") = 0\n",
      "openat(AT_FDCWD, \"/var/lib/x/state.tmp1\", O_RDONLY) = fd1\nunlink(\"/usr/lib/libpython3.so.12\") = 0\n"
      "unlink(\"/srv/objects/tmp2\") = 0\nunlink(\"/srv/MyApp2/x\") = 0\n" },
    { "files that were made as temporary ones are",
      "openat(AT_FDCWD, \"/tmp/sortabcdef\", O_RDWR|O_CREAT|O_EXCL|O_CLOEXEC, 0600) = 3\nunlink(\"/tmp/sortabcdef\") = "
      "0\n"
      "mkdir(\"/tmp/abcdefgh\", 0700) = 0\nopenat(AT_FDCWD, \"/tmp/abcdefgh/x\", O_RDONLY) = "
      "4\nmkdir(\"/tmp/plainname\", 0755) = 0\n"
      "openat(AT_FDCWD, \"/etc/app.confQwErTy\", O_RDWR|O_CREAT|O_EXCL, 0600) = 5\n"
      "rename(\"/etc/app.confQwErTy\", \"/etc/app.conf\") = 0\n",
      "openat(AT_FDCWD, \"/tmp/tmp1\", O_RDWR|O_CREAT|O_EXCL|O_CLOEXEC, 0600) = fd1\nunlink(\"/tmp/tmp1\") = 0\n"
      "mkdir(\"/tmp/tmp2\", 0700) = 0\nopenat(AT_FDCWD, \"/tmp/tmp2/x\", O_RDONLY) = fd2\nmkdir(\"/tmp/plainname\", "
      "0755) = 0\n"
      "openat(AT_FDCWD, \"/etc/app.tmp3\", O_RDWR|O_CREAT|O_EXCL, 0600) = fd3\n"
      "rename(\"/etc/app.tmp3\", \"/etc/app.conf\") = 0\n" },
    { "pids in names",
      "4711 unlink(\"/var/log/app.4711.log\") = 0\n4711 unlink(\"/tmp/app-4711\") = 0\n4711 unlink(\"/srv/app4711x\") "
      "= 0\n"
      "12 unlink(\"/lib/x.so.12\") = 0\n12 unlink(\"/run/x.12\") = 0\n",
      "unlink(\"/var/log/app.pid1.log\") = 0\nunlink(\"/tmp/app-pid1\") = 0\nunlink(\"/srv/apppid1x\") = 0\n"
      "unlink(\"/lib/x.so.12\") = 0\nunlink(\"/run/x.pid2\") = 0\n" },
    /* truss */
    { "truss",
      "open(\"/etc/passwd\", O_RDONLY)\t\t\t= 3\nfstat(3, 0xFFBFF8A0)\t\t\t\t= 0\n"
      "read(3, \" r o o t : x :\"..., 8192)\t\t= 7\nopen64(\"/.htaccess\", O_RDONLY)\t\t\tErr#2 ENOENT\n"
      "getpid()\t\t\t\t\t= 912 [911]\npipe()\t\t\t\t\t= 4 [5]\nmmap(0x00000000, 8192, PROT_READ, MAP_PRIVATE, 3, 0) = "
      "0xFEF70000\n"
      "munmap(0xFEF70000, 8192)\t\t\t= 0\nbrk(0x080678F8)\t\t\t\t\t= 0\nclose(3)\t\t\t\t\t= 0\n",
      "open(\"/etc/passwd\", O_RDONLY) = fd1\nfstat(fd1, addr) = 0\nread(fd1, \"…\", 8192) = 7\n"
      "open64(\"/.htaccess\", O_RDONLY) = -1 ENOENT\ngetpid() = pid1 [pid2]\npipe() = fd2 [fd3]\n"
      "mmap(0x00000000, 8192, PROT_READ, MAP_PRIVATE, fd1, 0) = addr1\nmunmap(addr1, 8192) = 0\nbrk(addr) = 0\n"
      "close(fd1) = 0\n" },
    { "truss with times and pids",
      "912/1:\t\t 0.0003  0.0001\topen(\"/etc/passwd\", O_RDONLY)\t= 3\n912/1:\t\t 0.0004  0.0000\tread(3, \" r\", "
      "1)\t= 1\n",
      "open(\"/etc/passwd\", O_RDONLY) = fd1\nread(fd1, \"…\", 1) = 1\n" },
};

/* Captures of the same calls under other options: their lines are equal. */
struct pair {
    const char *name, *one, *other;
};

static struct pair pairs[] = {
    { "strace -y -T -ttt",
      "openat(AT_FDCWD, \"/a\", O_RDONLY) = 3\nread(3, \"abcdef\", 4096) = 6\nkill(4711, SIGTERM) = 0\nclose(3) = 0\n",
      "7 1.5 openat(AT_FDCWD</>, \"/a\", O_RDONLY) = 8</a> <0.000012>\n7 1.6 read(8</a>, \"abc\"..., 4096) = 6 "
      "<0.000012>\n"
      "7 1.7 kill(12, SIGTERM) = 0 <0.000001>\n7 1.8 close(8</a>) = 0 <0.000001>\n" },
    { "strace -X verbose, -N",
      "openat(AT_FDCWD, \"/a\", O_RDONLY|O_CLOEXEC) = 3\nfcntl(3, F_GETFL) = 0x8000 (flags O_RDONLY|O_LARGEFILE)\n",
      "openat(dirfd=AT_FDCWD, pathname=\"/a\", flags=0x80000 /* O_RDONLY|O_CLOEXEC */) = 3\nfcntl(fd=3, cmd=0x3 /* "
      "F_GETFL */) "
      "= 0x8000 (flags O_RDONLY|O_LARGEFILE)\n" },
    { "strace -v", "fstat(3, {st_mode=S_IFREG|0644, st_size=1, ...}) = 0\n",
      "fstat(3, {st_dev=makedev(0x8, 0x1), st_ino=9, st_mode=S_IFREG|0644, st_size=1, st_mtime=1 /* x */}) = 0\n" },
    { "truss -f -l -d -D",
      "open(\"/etc/passwd\", O_RDONLY)\t\t\t= 3\nfstat(3, 0xFFBFF8A0)\t\t\t\t= 0\nread(3, \" r o o t\"..., 8192)\t= 7\n"
      "open(\"/x\", O_RDONLY)\t\t\tErr#2 ENOENT\nclose(3)\t\t= 0\n",
      "912/1:\t 0.0003  0.0001\topen(\"/etc/passwd\", O_RDONLY)\t= 5\n912/1:\t 0.0004  0.0000\tfstat(5, 0x08046F20)\t= "
      "0\n"
      "912/1:\t 0.0005  0.0001\tread(5, \" r o o t : x\"..., 8192)\t= 7\n"
      "912/1:\t 0.0006  0.0001\topen(\"/x\", O_RDONLY)\tErr#2 ENOENT\n912/1:\t 0.0007  0.0001\tclose(5)\t= 0\n" },
};

static void add_line(cg_buf *all, const callgauge_event *event, cg_normal_facts *facts, cg_normal_names *names)
{
    cg_buf line;
    cg_buf_init(&line, SIZE_MAX);
    assert_true(cg_normal_call(&line, event, facts, names));
    assert_true(line.len <= CG_NORMAL_LINE);
    assert_true(cg_buf_add_str(all, cg_buf_str(&line)) && cg_buf_add_char(all, '\n'));
    cg_buf_release(&line);
}

/* The lines of all calls of a capture, and a NUL. */
static void read_all(const char *name, const char *text, cg_buf *all)
{
    const callgauge_event *event;
    callgauge_reader_options options = { .size = sizeof options };
    callgauge_error error = CALLGAUGE_ERROR_INIT;
    callgauge_reader *reader;
    cg_normal_facts facts;
    cg_normal_names names = { 0 };
    cg_buf_init(all, SIZE_MAX);
    cg_normal_facts_init(&facts);
    options.dialect = cg_str_starts(cg_str_z(name), "truss") ? "truss-solaris" : "strace";
    assert_int_equal(callgauge_reader_new("t", &options, &reader, &error), CALLGAUGE_OK);
    assert_int_equal(callgauge_reader_feed(reader, text, strlen(text), &error), CALLGAUGE_OK);
    assert_int_equal(callgauge_reader_finish(reader, &error), CALLGAUGE_OK);
    while (callgauge_reader_next(reader, &event, &error) == CALLGAUGE_OK) {
        assert_true(cg_normal_facts_note(&facts, event));
        if (event->kind == CALLGAUGE_EVENT_CALL) {
            add_line(all, event, &facts, &names);
        }
    }
    assert_true(cg_buf_add_char(all, '\0'));
    cg_normal_names_release(&names);
    cg_normal_facts_release(&facts);
    callgauge_reader_free(reader);
}

static void check(void **state)
{
    const struct row *row = *state;
    cg_buf all;
    read_all(row->name, row->text, &all);
    assert_string_equal(all.data, row->expected);
    cg_buf_release(&all);
}

static void check_pair(void **state)
{
    const struct pair *pair = *state;
    cg_buf one, other;
    read_all(pair->name, pair->one, &one);
    read_all(pair->name, pair->other, &other);
    assert_true(one.len > 1);
    assert_string_equal(one.data, other.data);
    cg_buf_release(&one);
    cg_buf_release(&other);
}

/* A line never grows without bound, and its result is still there. */
static void check_long(void **state)
{
    (void)state;
    static char text[40000];
    size_t at = (size_t)sprintf(text, "execve(\"/bin/x\", [");
    while (at < sizeof text - 200) {
        at += (size_t)sprintf(text + at, "\"argument\xc3\xa4\", ");
    }
    sprintf(text + at, "\"last\"], 0x7ffd1c2b3a40 /* 3 vars */) = -1 ENOENT (No such file or directory)\n");
    cg_buf all;
    read_all("long", text, &all);
    assert_true(cg_str_ends(cg_str(all.data, all.len - 1), "…) = -1 ENOENT\n"));
    assert_true(all.len > CG_NORMAL_LINE / 2);
    cg_buf_release(&all);
}

int main(void)
{
    enum { ROWS = sizeof rows / sizeof *rows, PAIRS = sizeof pairs / sizeof *pairs };
    struct CMUnitTest tests[ROWS + PAIRS + 1];
    for (size_t i = 0; i < ROWS; i++) {
        tests[i] = (struct CMUnitTest){ .name = rows[i].name, .test_func = check, .initial_state = &rows[i] };
    }
    for (size_t i = 0; i < PAIRS; i++) {
        tests[ROWS + i] =
            (struct CMUnitTest){ .name = pairs[i].name, .test_func = check_pair, .initial_state = &pairs[i] };
    }
    tests[ROWS + PAIRS] = (struct CMUnitTest)cmocka_unit_test(check_long);
    return cmocka_run_group_tests_name("normal", tests, NULL, NULL);
}
