/* SPDX-License-Identifier: Apache-2.0 */
/* dialect/strace, strictly: each kind of line alone and in the sequences that belong together. A letter for each line
 * says what became of it (E: an event, F: a first half, R: the rest of a call, D: a detail, N: a notice, f: foreign,
 * O: begins and does not end, U: unread), `said` what was told, `used` how much of the last line was taken. */
#include <setjmp.h>
#include <stdarg.h>
#include <stddef.h>
#include <stdint.h>

#include <cmocka.h>

#include "reading.h"

#define ALL SIZE_MAX

static struct row {
    const char *name, *text, *verdicts, *said;
    size_t used; /* ALL: the whole last line */
} rows[] = {
    /* whole calls */
    { "call at column 40", "read(3, \"abc\", 3)                       = 3", "E",
      "1: call read args=<3, \"abc\", 3> result=<3> value=3\n", ALL },
    { "call with -a0", "close(3) = 0", "E", "1: call close args=<3> result=<0> value=0\n", ALL },
    { "call without arguments", "getpid()                                = 4242", "E",
      "1: call getpid result=<4242> value=4242\n", ALL },
    { "error", "access(\"/x\", F_OK)                      = -1 ENOENT (No such file or directory)", "E",
      "1: call access args=<\"/x\", F_OK> result=<-1> value=-1 error=<ENOENT> note=<(No such file or directory)>\n",
      ALL },
    { "error in the tracer's language", "close(9) = -1 EBADF (\xe9\x94\x99\xe8\xaf\xaf) <0.000002>", "E",
      "1: call close args=<9> result=<-1> value=-1 error=<EBADF> note=<(\xe9\x94\x99\xe8\xaf\xaf)> wall=2000\n", ALL },
    { "unknown error", "close(9) = -1 (errno 999)", "E",
      "1: call close args=<9> result=<-1> value=-1 error=<errno 999> note=<(errno 999)>\n", ALL },
    { "minus one that is no error", "fcntl(3, F_GETOWN) = -1", "E",
      "1: call fcntl args=<3, F_GETOWN> result=<-1> value=-1\n", ALL },
    { "restored register like an error", "rt_sigreturn({mask=[]}) = -1 EINTR (Interrupted system call)", "E",
      "1: call rt_sigreturn args=<{mask=[]}> result=<-1> value=-1 error=<EINTR> note=<(Interrupted system call)>\n",
      ALL },
    { "restored register like a pid", "rt_sigreturn({mask=[]}) = 24035", "E",
      "1: call rt_sigreturn args=<{mask=[]}> result=<24035> value=24035\n", ALL },
    { "exit", "exit_group(0)                           = ?", "E", "1: call exit_group args=<0> result=<?> unreturned\n",
      ALL },
    { "result not available", "read(3, 0x7ffd, 1) = ? <unavailable>", "E",
      "1: call read args=<3, 0x7ffd, 1> result=<?> unreturned\n", ALL },
    { "to be restarted", "pause() = ? ERESTARTNOHAND (To be restarted if no handler) <0.500000>", "E",
      "1: call pause result=<?> error=<ERESTARTNOHAND> note=<(To be restarted if no handler)> wall=500000000 restart\n",
      ALL },
    { "injected", "openat(AT_FDCWD, \"f\", O_RDONLY) = -1 EACCES (Permission denied) (INJECTED)", "E",
      "1: call openat args=<AT_FDCWD, \"f\", O_RDONLY> result=<-1> value=-1 error=<EACCES> note=<(Permission denied)> "
      "injected\n",
      ALL },
    { "delayed", "close(3) = 0 (DELAYED) <0.002>", "E",
      "1: call close args=<3> result=<0> value=0 note=<(DELAYED)> wall=2000000 delayed\n", ALL },
    { "time and duration", "17:45:29.155364 close(3) = 0 <0.000023>", "E",
      "1: call close start=63929155364000 args=<3> result=<0> value=0 wall=23000 end=63929155387000\n", ALL },
    { "time without duration", "1796060731.102865 close(3) = 0", "E",
      "1: call close start=1796060731102865000 args=<3> result=<0> value=0\n", ALL },
    { "gap", "     0.002040 close(3) = 0", "E", "1: call close gap=2040000 args=<3> result=<0> value=0\n", ALL },
    { "pid", "4242  close(3) = 0", "E", "1: call close pid=4242 args=<3> result=<0> value=0\n", ALL },
    { "command and translated pid", "7209<unshare> getpid() = 1<sh> /* 7209 in strace's PID NS */", "E",
      "1: call getpid pid=7209 comm=<unshare> result=<1<sh>> value=1 note=</* 7209 in strace's PID NS */>\n", ALL },
    { "command like a call", "77<a(b) = c> close(3) = 0", "E",
      "1: call close pid=77 comm=<a(b) = c> args=<3> result=<0> value=0\n", ALL },
    { "number and address", "[   3] [00007efdfe984ca3] close(3) = 0", "E",
      "1: call close args=<3> result=<0> value=0\n", ALL },
    { "names of arguments", "openat(dirfd=AT_FDCWD, pathname=\"x\", flags=O_RDONLY) = 3", "E",
      "1: call openat args=<dirfd=AT_FDCWD, pathname=\"x\", flags=O_RDONLY> result=<3> value=3\n", ALL },
    { "raw", "openat(0xffffff9c, 0x7f85a617e0b1, 0x80000, 0) = 0x3", "E",
      "1: call openat args=<0xffffff9c, 0x7f85a617e0b1, 0x80000, 0> result=<0x3> value=3\n", ALL },
    { "security context", "openat(AT_FDCWD, \"f\" [user_home_t], O_RDONLY) = 3 [user_home_t]", "E",
      "1: call openat args=<AT_FDCWD, \"f\" [user_home_t], O_RDONLY> result=<3> value=3 note=<[user_home_t]>\n", ALL },
    { "decorated", "openat(AT_FDCWD</w (x>, \"f\", O_RDONLY) = 3</w (x/f) = 1>", "E",
      "1: call openat args=<AT_FDCWD</w (x>, \"f\", O_RDONLY> result=<3</w (x/f) = 1>> value=3\n", ALL },
    { "a closed descriptor like a result", "close(3</tmp/a) = 5>) = 0", "E",
      "1: call close args=<3</tmp/a) = 5>> result=<0> value=0\n", ALL },
    { "shifted flag", "mmap(NULL, 4096, MAP_HUGETLB|21<<MAP_HUGE_SHIFT, -1, 0) = 0x7f0000000000", "E",
      "1: call mmap args=<NULL, 4096, MAP_HUGETLB|21<<MAP_HUGE_SHIFT, -1, 0> result=<0x7f0000000000> "
      "value=139637976727552\n",
      ALL },
    { "poll", "poll([{fd=0, events=POLLIN}], 1, 10) = 1 ([{fd=0, revents=POLLIN}])", "E",
      "1: call poll args=<[{fd=0, events=POLLIN}], 1, 10> result=<1> value=1 note=<([{fd=0, revents=POLLIN}])>\n",
      ALL },
    { "result inside a string", "open(\"/tmp/w/ => arrow) = -1 ENOENT\", O_RDONLY) = 3", "E",
      "1: call open args=<\"/tmp/w/ => arrow) = -1 ENOENT\", O_RDONLY> result=<3> value=3\n", ALL },
    { "result inside a comment", "time([1 /* a) = 2 */]) = 1", "E",
      "1: call time args=<[1 /* a) = 2 */]> result=<1> value=1\n", ALL },
    { "old positions", "rt_sigaction(SIGINT, {SIG_DFL, [], SA_RESTORER, 0x7f52eaa0f860}, (nil), 8) = 0", "E",
      "1: call rt_sigaction args=<SIGINT, {SIG_DFL, [], SA_RESTORER, 0x7f52eaa0f860}, (nil), 8> result=<0> value=0\n",
      ALL },
    { "unknown call", "syscall_0x3e8(0x1, 0x2, 0x3, 0x4, 0x5, 0x6) = -1 ENOSYS (Function not implemented)", "E",
      "1: call syscall_0x3e8 args=<0x1, 0x2, 0x3, 0x4, 0x5, 0x6> result=<-1> value=-1 error=<ENOSYS> "
      "note=<(Function not implemented)>\n",
      ALL },
    { "unknown call, old", "SYS_313(0x1, 0x2) = 0", "E", "1: call SYS_313 args=<0x1, 0x2> result=<0> value=0\n", ALL },
    { "call of x32", "read#64(3, \"\", 1) = 0", "E", "1: call read#64 args=<3, \"\", 1> result=<0> value=0\n", ALL },
    { "name that no table has", "frobnicate(1) = 2", "E", "1: call frobnicate args=<1> result=<2> value=2\n", ALL },
    { "attached in the middle", "restart_syscall(<... resuming interrupted read ...>) = 0", "E",
      "1: call restart_syscall args=<<... resuming interrupted read ...>> result=<0> value=0\n", ALL },
    { "detached", "read(0,  <detached ...>", "E", "1: call read args=<0,> unreturned\n", ALL },
    { "attached and detached", "restart_syscall(<... resuming interrupted read ...> <detached ...>", "E",
      "1: call restart_syscall args=<<... resuming interrupted read ...>> unreturned\n", ALL },
    { "program output inside", "write(2, \"x\\n\", 2x y \"z) = 2", "E",
      "1: call write args=<2, \"x\\n\", 2x y \"z> result=<2> value=2\n", ALL },

    /* halves */
    { "two halves",
      "4242  read(9,  <unfinished ...>\n4243  write(11, \"g\", 1)  = 1\n4242  <... read resumed>\"g\", 1) = 1", "FER",
      "2: call write pid=4243 args=<11, \"g\", 1> result=<1> value=1\n"
      "1-3: call read pid=4242 args=<9, \"g\", 1> result=<1> value=1 resumed\n",
      ALL },
    { "a blank up to 4.26", "4242  read(9,  <unfinished ...>\n4242  <... read resumed> \"g\", 1) = 1", "FR",
      "1-2: call read pid=4242 args=<9, \"g\", 1> result=<1> value=1 resumed\n", ALL },
    { "no argument in the first half", "4242  vfork( <unfinished ...>\n4242  <... vfork resumed>)  = 4243", "FR",
      "1-2: call vfork pid=4242 result=<4243> value=4243 resumed\n", ALL },
    { "all arguments in the first half",
      "4242  futex(0x7f, FUTEX_WAIT, 1, NULL <unfinished ...>\n4242  <... futex resumed>) = 0", "FR",
      "1-2: call futex pid=4242 args=<0x7f, FUTEX_WAIT, 1, NULL> result=<0> value=0 resumed\n", ALL },
    { "struct in the second half",
      "4242  wait4(-1,  <unfinished ...>\n"
      "4242  <... wait4 resumed>[{WIFEXITED(s) && WEXITSTATUS(s) == 0}], 0, NULL) = 24054",
      "FR",
      "1-2: call wait4 pid=4242 args=<-1, [{WIFEXITED(s) && WEXITSTATUS(s) == 0}], 0, NULL> result=<24054> value=24054 "
      "resumed\n",
      ALL },
    { "error in the second half",
      "4242  read(9,  <unfinished ...>\n4242  <... read resumed>0x7f, 1) = -1 EAGAIN (Resource temporarily "
      "unavailable)",
      "FR",
      "1-2: call read pid=4242 args=<9, 0x7f, 1> result=<-1> value=-1 error=<EAGAIN> "
      "note=<(Resource temporarily unavailable)> resumed\n",
      ALL },
    { "times of halves",
      "4242 17:45:29.000001 read(9,  <unfinished ...>\n4242 17:45:31.000003 <... read resumed>\"g\", 1) = 1 <2.000002>",
      "FR",
      "1-2: call read pid=4242 start=63929000001000 args=<9, \"g\", 1> result=<1> value=1 wall=2000002000 "
      "end=63931000003000 resumed\n",
      ALL },
    { "exit in halves", "4242  exit_group(5 <unfinished ...>\n4242  <... exit_group resumed>) = ?", "FR",
      "1-2: call exit_group pid=4242 args=<5> result=<?> unreturned resumed\n", ALL },
    { "both words on one line",
      "4242  nanosleep({tv_sec=1},  <unfinished ...>\n4242  <... nanosleep resumed> <unfinished ...>) = ?", "FR",
      "1-2: call nanosleep pid=4242 args=<{tv_sec=1},> result=<?> unreturned resumed\n", ALL },
    { "resumed, and detached", "4242  read(9,  <unfinished ...>\n4242  <... read resumed> <detached ...>", "FR",
      "1-2: call read pid=4242 args=<9,> unreturned resumed\n", ALL },
    { "blank before the bracket, 4.5",
      "25499 set_robust_list(0x7f, 0x18 <unfinished ...>\n"
      "25499 <... set_robust_list resumed> ) = 0",
      "FR", "1-2: call set_robust_list pid=25499 args=<0x7f, 0x18> result=<0> value=0 resumed\n", ALL },
    { "no bracket at all, 4.5", "25499 exit_group(0 <unfinished ...>\n25499 <... exit_group resumed> = ?", "FR",
      "1-2: call exit_group pid=25499 args=<0> result=<?> unreturned resumed\n", ALL },
    { "exit status, 4.6", "25499 exit_group(0 <unfinished ... exit status 0>\n25499 close(3) = 0", "FE",
      "1: call exit_group pid=25499 args=<0> unreturned\n"
      "2: call close pid=25499 args=<3> result=<0> value=0\n",
      ALL },
    { "interrupted call in halves",
      "4242  restart_syscall(<... resuming interrupted futex ...> <unfinished ...>\n"
      "4242  <... restart_syscall resumed>) = 0",
      "FR",
      "1-2: call restart_syscall pid=4242 args=<<... resuming interrupted futex ...>> result=<0> value=0 resumed\n",
      ALL },
    { "second half alone", "<... futex resumed>)                    = 0", "R",
      "1: call futex result=<0> value=0 orphan\n", ALL },
    { "second half alone, with arguments", "4242  <... read resumed>\"g\", 1) = 1", "R",
      "1: call read pid=4242 args=<\"g\", 1> result=<1> value=1 orphan\n", ALL },
    { "another call begins", "4242  read(9,  <unfinished ...>\n4242  close(3) = 0", "FE",
      "1: call read pid=4242 args=<9,> unreturned\n"
      "2: call close pid=4242 args=<3> result=<0> value=0\n",
      ALL },
    { "another first half", "4242  read(9,  <unfinished ...>\n4242  read(8,  <unfinished ...>", "FF",
      "1: call read pid=4242 args=<9,> unreturned\n", ALL },
    { "another call is resumed", "4242  read(9,  <unfinished ...>\n4242  <... write resumed>) = 1", "FR",
      "1: call read pid=4242 args=<9,> unreturned\n"
      "2: call write pid=4242 result=<1> value=1 orphan\n",
      ALL },
    { "threads keep apart",
      "4242  read(9,  <unfinished ...>\n4243  read(8,  <unfinished ...>\n4243  <... read resumed>\"b\", 1) = 1\n"
      "4242  <... read resumed>\"a\", 1) = 1",
      "FFRR",
      "2-3: call read pid=4243 args=<8, \"b\", 1> result=<1> value=1 resumed\n"
      "1-4: call read pid=4242 args=<9, \"a\", 1> result=<1> value=1 resumed\n",
      ALL },
    { "the pid has gone", "[pid 29648] read(9,  <unfinished ...>\n<... read resumed>\"k\", 1)               = 1", "FR",
      "1-2: call read pid=29648 args=<9, \"k\", 1> result=<1> value=1 resumed\n", ALL },
    { "the pid has come", "read(9,  <unfinished ...>\n[pid 29648] <... read resumed>\"k\", 1) = 1", "FR",
      "1-2: call read pid=29648 args=<9, \"k\", 1> result=<1> value=1 resumed\n", ALL },
    { "nobody knows whose",
      "[pid     7] read(9,  <unfinished ...>\n[pid     8] read(8,  <unfinished ...>\n<... read resumed>\"k\", 1) = 1",
      "FFR", "3: call read args=<\"k\", 1> result=<1> value=1 orphan\n", ALL },
    { "killed while it waits", "4242  read(9,  <unfinished ...>\n4242  +++ killed by SIGKILL +++", "FE",
      "1: call read pid=4242 args=<9,> unreturned\n"
      "2: exit pid=4242 note=<killed by SIGKILL>\n",
      ALL },
    { "a thread execs",
      "4301  execve(\"/x\", [\"x\"], 0x7ffd /* 0 vars */ <unfinished ...>\n"
      "4300  +++ superseded by execve in pid 4301 +++\n"
      "4300  <... execve resumed>)             = 0",
      "FER",
      "2: notice pid=4300 note=<superseded by execve in pid 4301>\n"
      "1-3: call execve pid=4300 args=<\"/x\", [\"x\"], 0x7ffd /* 0 vars */> result=<0> value=0 resumed\n",
      ALL },
    { "a thread execs while the first one waits",
      "4300  read(0,  <unfinished ...>\n"
      "4301  execve(\"/x\", [\"x\"], 0x7ffd /* 0 vars */ <unfinished ...>\n"
      "4300  +++ superseded by execve in pid 4301 +++\n"
      "4300  <... execve resumed>)             = 0",
      "FFER",
      "1: call read pid=4300 args=<0,> unreturned\n"
      "3: notice pid=4300 note=<superseded by execve in pid 4301>\n"
      "2-4: call execve pid=4300 args=<\"/x\", [\"x\"], 0x7ffd /* 0 vars */> result=<0> value=0 resumed\n",
      ALL },
    { "a thread execs, in a file of its own",
      "execve(\"/x\", [\"x\"], 0x7ffd /* 0 vars */ <pid changed to 4300 ...>\n+++ exited with 0 +++", "FE",
      "1: call execve args=<\"/x\", [\"x\"], 0x7ffd /* 0 vars */> unreturned\n"
      "2: exit note=<exited with 0>\n",
      ALL },
    { "resumed without a name", "4242  <... resumed>) = 1", "U", "", ALL },

    /* signals and exits */
    { "signal", "--- SIGCHLD {si_signo=SIGCHLD, si_code=CLD_EXITED, si_stime=1 /* 0.01 s */} ---", "E",
      "1: signal SIGCHLD note=<{si_signo=SIGCHLD, si_code=CLD_EXITED, si_stime=1 /* 0.01 s */}>\n", ALL },
    { "signal with leader", "4242  17:45:28 --- SIGSEGV {si_addr=0x1234} ---", "E",
      "1: signal SIGSEGV pid=4242 start=63928000000000 note=<{si_addr=0x1234}>\n", ALL },
    { "signal with number and address", "[  39] [????????????????] --- SIGUSR1 {si_signo=SIGUSR1} ---", "E",
      "1: signal SIGUSR1 note=<{si_signo=SIGUSR1}>\n", ALL },
    { "real-time signals", "--- SIGRT_1 {si_int=77} ---\n--- SIGRTMIN {si_int=7} ---", "EE",
      "1: signal SIGRT_1 note=<{si_int=77}>\n2: signal SIGRTMIN note=<{si_int=7}>\n", ALL },
    { "signal without name", "--- SIG_65 {si_int=7} ---\n4242  --- 65 {si_int=7} ---", "EE",
      "1: signal SIG_65 note=<{si_int=7}>\n2: signal 65 pid=4242 note=<{si_int=7}>\n", ALL },
    { "signal, 4.6", "--- SIGCHLD (Child exited) @ 0 (0) ---\n--- SIGSTOP (Stopped (signal)) ---", "EE",
      "1: signal SIGCHLD note=<(Child exited) @ 0 (0)>\n2: signal SIGSTOP note=<(Stopped (signal))>\n", ALL },
    { "stopped", "4242  --- stopped by SIGSTOP ---", "E", "1: notice pid=4242 note=<stopped by SIGSTOP>\n", ALL },
    { "signal cut off", "--- SIGCHLD {si_signo=SIGCH", "O", "", ALL },
    { "a signal does not end a call",
      "4242  read(9,  <unfinished ...>\n4242  --- SIGALRM {} ---\n4242  <... read resumed>\"g\", 1) = 1", "FER",
      "2: signal SIGALRM pid=4242 note=<{}>\n"
      "1-3: call read pid=4242 args=<9, \"g\", 1> result=<1> value=1 resumed\n",
      ALL },
    { "exited", "+++ exited with 0 +++", "E", "1: exit note=<exited with 0>\n", ALL },
    { "exited, with all of a leader", "[pid 29935] 17:45:23.288287 [ 231] [????????????????] +++ exited with 5 +++",
      "E", "1: exit pid=29935 start=63923288287000 note=<exited with 5>\n", ALL },
    { "killed", "4242  +++ killed by SIGABRT (core dumped) +++", "E",
      "1: exit pid=4242 note=<killed by SIGABRT (core dumped)>\n", ALL },
    { "exit cut off", "+++ exited with", "f", "", ALL },
    { "exit cut off behind its number", "+++ exited with 0 +", "O", "", ALL },
    { "other marks", "--- a/lib/x.c\n+++ b/lib/x.c", "ff", "", ALL },

    /* notices */
    { "mode", "[ Process PID=4242 runs in 32 bit mode. ]", "N",
      "1: notice note=<[ Process PID=4242 runs in 32 bit mode. ]>\n", ALL },
    { "mode with leader", "4242  [ Process PID=4242 runs in x32 mode. ]", "N",
      "1: notice pid=4242 note=<[ Process PID=4242 runs in x32 mode. ]>\n", ALL },
    { "mode said on stderr", "strace: [ Process PID=4242 runs in 64 bit mode. ]", "N",
      "1: notice note=<strace: [ Process PID=4242 runs in 64 bit mode. ]>\n", ALL },
    { "attached", "strace: Process 4242 attached", "N", "1: notice note=<strace: Process 4242 attached>\n", ALL },
    { "attached, by other names",
      "/usr/bin/strace: Process 4242 attached with 3 threads\n./strace: Process 4242 detached\n"
      "../../strace: Can't initiate libunwind",
      "NNN",
      "1: notice note=</usr/bin/strace: Process 4242 attached with 3 threads>\n"
      "2: notice note=<./strace: Process 4242 detached>\n"
      "3: notice note=<../../strace: Can't initiate libunwind>\n",
      ALL },
    { "attached, 4.6",
      "Process 4242 attached - interrupt to quit\nProcess 4243 attached (waiting for parent)\n"
      "Process 4243 resumed (parent 4242 ready)\nProcess 4242 suspended\nProcess 4243 detached",
      "NNNNN",
      "1: notice note=<Process 4242 attached - interrupt to quit>\n"
      "2: notice note=<Process 4243 attached (waiting for parent)>\n"
      "3: notice note=<Process 4243 resumed (parent 4242 ready)>\n"
      "4: notice note=<Process 4242 suspended>\n"
      "5: notice note=<Process 4243 detached>\n",
      ALL },
    { "path resolved", "strace: Requested path \"a\" resolved into \"/tmp/a\"", "N",
      "1: notice note=<strace: Requested path \"a\" resolved into \"/tmp/a\">\n", ALL },
    { "cannot attach", "strace: attach: ptrace(PTRACE_SEIZE, 999999): No such process", "N",
      "1: notice note=<strace: attach: ptrace(PTRACE_SEIZE, 999999): No such process>\n", ALL },
    { "unknown pids", "strace: Exit of unknown pid 77 ignored\nstrace: Detached unknown pid 77", "NN",
      "1: notice note=<strace: Exit of unknown pid 77 ignored>\n"
      "2: notice note=<strace: Detached unknown pid 77>\n",
      ALL },
    { "limit of calls", "strace: System call limit has been reached, detaching tracees", "N",
      "1: notice note=<strace: System call limit has been reached, detaching tracees>\n", ALL },
    { "words of -d", " [wait(0x057f) = 23] WIFSTOPPED,sig=SIGTRAP", "N",
      "1: notice note=< [wait(0x057f) = 23] WIFSTOPPED,sig=SIGTRAP>\n", ALL },
    { "others that speak", "make: Process 4242 attached\nProcess 4242 is done\nProcess x attached\nstrace is a tool",
      "ffff", "", ALL },

    /* details */
    { "stack frames",
      "close(3) = 0\n > /usr/lib/libc.so.6(__read+0x10) [0xfb1a0]\n"
      " > /opt/app(foo(std::vector<int> const&)+0x3) [0x1139] main.c:12\n > [vdso](__vdso_gettimeofday+0x10) [0x6d0]\n"
      " > unexpected_backtracing_error [0x7f3c]",
      "EDDDD",
      "1: call close args=<3> result=<0> value=0\n"
      "2: detail note=<> /usr/lib/libc.so.6(__read+0x10) [0xfb1a0]>\n"
      "3: detail note=<> /opt/app(foo(std::vector<int> const&)+0x3) [0x1139] main.c:12>\n"
      "4: detail note=<> [vdso](__vdso_gettimeofday+0x10) [0x6d0]>\n"
      "5: detail note=<> unexpected_backtracing_error [0x7f3c]>\n",
      ALL },
    { "frames behind a signal and an exit",
      "--- SIGUSR1 {} ---\n > /x() [0x688]\n+++ exited with 0 +++\n > BUG IN print_call_cb", "EDED",
      "1: signal SIGUSR1 note=<{}>\n"
      "2: detail note=<> /x() [0x688]>\n"
      "3: exit note=<exited with 0>\n"
      "4: detail note=<> BUG IN print_call_cb>\n",
      ALL },
    { "dumps",
      "read(3, \"\\177ELF\", 4) = 4\n"
      " | 00000  7f 45 4c 46                                      .ELF             |\n"
      " | 100000  41                                               A                |\n"
      " * 3 bytes in buffer 0\n = 2 buffers in vector 0\n | <Cannot fetch 10 bytes from pid 5 @0x1>",
      "EDDDDD",
      "1: call read args=<3, \"\\177ELF\", 4> result=<4> value=4\n"
      "2: detail note=<| 00000  7f 45 4c 46                                      .ELF             |>\n"
      "3: detail note=<| 100000  41                                               A                |>\n"
      "4: detail note=<* 3 bytes in buffer 0>\n"
      "5: detail note=<= 2 buffers in vector 0>\n"
      "6: detail note=<| <Cannot fetch 10 bytes from pid 5 @0x1>>\n",
      ALL },
    { "a detail of nothing", " > /usr/lib/libc.so.6(__read+0x10) [0xfb1a0]", "f", "", ALL },
    { "a detail of output", "close(3) = 0\nhello\n > /x() [0x688]", "Eff",
      "1: call close args=<3> result=<0> value=0\n", ALL },
    { "other marks in front", "close(3) = 0\n > quoted words\n | a table |\n * a list\n = 5", "Effff",
      "1: call close args=<3> result=<0> value=0\n", ALL },

    /* what the program writes */
    { "blank line", "\n", "f", "", ALL },
    { "words", "hello, world", "f", "", ALL },
    { "a call of no known name that does not end", "foo(bar)", "f", "", ALL },
    { "words behind a result", "read(3) = 4 from program 5", "f", "", ALL },
    { "words behind a result, with leader", "4242  read(3) = 4 from program 5", "U", "", ALL },
    { "no name", "(3) = 4\n3(4) = 5\n= 6", "fff", "", ALL },
    { "box of tips",
      "  ______________________________________________\n /                                              \\", "ff", "",
      ALL },

    /* calls that do not end here */
    { "output in a write", "write(2, \"x\\n\", 2x", "O", "", ALL },
    { "notice in a clone",
      "clone(child_stack=NULL, flags=CLONE_CHILD_CLEARTID|CLONE_CHILD_SETTID|SIGCHLDstrace: Process 29653 attached",
      "O", "", ALL },
    { "a string does not end", "openat(AT_FDCWD, \"abc", "O", "", ALL },
    { "result cut off", "close(3) = ", "O", "", ALL },
    { "error cut off", "close(3) = -1 EBADF (Bad fi", "O", "", ALL },
    { "unknown name with a leader", "4242  frobnicate(1", "O", "", ALL },

    /* lines joined */
    { "joined", "close(3) = 0read(3, \"\", 1) = 0", "E", "1: call close args=<3> result=<0> value=0\n", 12 },
    { "joined with a leader", "close(3) = 0 [pid    77] read(3, \"\", 1) = 0", "E",
      "1: call close args=<3> result=<0> value=0\n", 12 },
    { "joined with an exit", "4242  exit_group(0) = ?4242  +++ exited with 0 +++", "E",
      "1: call exit_group pid=4242 args=<0> result=<?> unreturned\n", 23 },
    { "joined behind a second half", "<... read resumed>) = -1 EIO (Input/output error)close(3) = 0", "R",
      "1: call read result=<-1> value=-1 error=<EIO> note=<(Input/output error)> orphan\n", 49 },

    /* time over lines */
    { "midnight", "23:59:59 close(3) = 0\n00:00:01 close(4) = 0\n00:00:00 close(5) = 0", "EEE",
      "1: call close start=86399000000000 args=<3> result=<0> value=0\n"
      "2: call close start=86401000000000 args=<4> result=<0> value=0\n"
      "3: call close start=86400000000000 args=<5> result=<0> value=0\n",
      ALL },
};

enum { ROWS = sizeof rows / sizeof *rows };

static void check_row(void **state)
{
    const struct row *row = *state;
    char verdicts[64];
    scene s;
    scene_begin(&s, &cg_dialect_strace);
    scene_read(&s, row->text, verdicts, sizeof verdicts);
    assert_string_equal(verdicts, row->verdicts);
    assert_string_equal(said_text(&s.said), row->said);
    assert_int_equal(s.parse.used, row->used == ALL ? s.line.len : row->used);
    scene_end(&s);
}

/* The pid of a file's name stands for the one that its lines lack. */
static void check_pid_of_file(void **state)
{
    (void)state;
    char verdicts[8];
    scene s;
    scene_begin(&s, &cg_dialect_strace);
    s.options.pid = 77;
    scene_read(&s, "close(3) = 0\n4242  close(3) = 0\nread(0,  <unfinished ...>\n<... read resumed>\"\", 1) = 0\n",
               verdicts, sizeof verdicts);
    assert_string_equal(verdicts, "EEFR");
    assert_string_equal(said_text(&s.said), "1: call close pid=77 args=<3> result=<0> value=0\n"
                                            "2: call close pid=4242 args=<3> result=<0> value=0\n"
                                            "3-4: call read pid=77 args=<0, \"\", 1> result=<0> value=0 resumed\n");
    scene_end(&s);
}

static struct reason_row {
    const char *name, *text, *reason; /* NULL: none */
} reason_rows[] = {
    { "reason: nothing is wrong", "close(3) = 0", NULL },
    { "reason: no result", "close(3", "a call without a result" },
    { "reason: cut", "openat(AT_FDCWD, \"abc", "a call that is cut: a string or bracket does not end" },
    { "reason: text behind", "4242  read(3) = 4 from program 5", "text behind the result of a call" },
    { "reason: resumed", "4242  <... resumed>) = 1", "a resumed call without its name" },
    { "reason: signal", "--- SIGCHLD {si", "a signal that is cut" },
    { "reason: exit", "+++ exited with 0 ++", "an exit that is cut" },
};

enum { REASON_ROWS = sizeof reason_rows / sizeof *reason_rows };

static void check_reason(void **state)
{
    const struct reason_row *row = *state;
    char verdicts[8];
    scene s;
    scene_begin(&s, &cg_dialect_strace);
    scene_read(&s, row->text, verdicts, sizeof verdicts);
    if (row->reason == NULL) {
        assert_null(s.parse.reason);
    } else {
        assert_string_equal(s.parse.reason, row->reason);
    }
    scene_end(&s);
}

/* Where the tracer's own words begin at the end of a line that they broke into. */
static struct notice_row {
    const char *name, *text, *notice; /* NULL: nowhere */
} notice_rows[] = {
    { "notice: none", "clone(child_stack=NULL, flags=SIGCHLD", NULL },
    { "notice: glued to a name", "clone(flags=CLONE_CHILD_SETTID|SIGCHLDstrace: Process 29653 attached",
      "strace: Process 29653 attached" },
    { "notice: glued to a number", "wait4(8063/usr/local/bin/strace: Process 8063 attached",
      "/usr/local/bin/strace: Process 8063 attached" },
    { "notice: behind a comma", "read(3, strace: Process 8063 attached", "strace: Process 8063 attached" },
    { "notice: of a path", "clone(flags=SIGCHLD./strace: Process 9 attached", "./strace: Process 9 attached" },
    { "notice: without a name, 4.10", "clone(Process 25499 attached", "Process 25499 attached" },
    { "notice: words of -d", "brk(0 [wait(0x057f) = 23] WIFSTOPPED,sig=SIGTRAP",
      " [wait(0x057f) = 23] WIFSTOPPED,sig=SIGTRAP" },
    { "notice: another sentence", "write(1, \"Process 12 is done", NULL },
};

enum { NOTICE_ROWS = sizeof notice_rows / sizeof *notice_rows };

static void check_notice(void **state)
{
    const struct notice_row *row = *state;
    callgauge_str text = cg_str_z(row->text);
    size_t wanted = row->notice == NULL ? text.len : text.len - strlen(row->notice);
    assert_int_equal(cg_dialect_strace.notice_in(text), wanted);
}

/* Whether a text begins an event: where output ends and a joined line is cut. */
static struct start_row {
    const char *name, *text;
    bool starts;
} start_rows[] = {
    { "starts: a call", "close(3) = 0", true },
    { "starts: a call cut off", "close(", true },
    { "starts: a call of an unknown number", "syscall_0x3e8(", true },
    { "starts: a leader and a call", "[pid  1234] 17:45:28 close(3)", true },
    { "starts: a second half", "<... read resumed>", true },
    { "starts: a signal", "--- SIGCHLD {", true },
    { "starts: an exit", "4242  +++ exited with 0 +++", true },
    { "starts not: a name that is not known", "frobnicate(3) = 0", false },
    { "starts not: a name alone", "close", false },
    { "starts not: a leader alone", "4242  ", false },
    { "starts not: words", "hello(world)", false },
    { "starts not: nothing", "", false },
};

enum { START_ROWS = sizeof start_rows / sizeof *start_rows };

static void check_start(void **state)
{
    const struct start_row *row = *state;
    assert_int_equal(cg_dialect_strace.starts(NULL, cg_str_z(row->text)), row->starts);
}

int main(void)
{
    struct CMUnitTest tests[ROWS + REASON_ROWS + NOTICE_ROWS + START_ROWS + 1] = { cmocka_unit_test(
        check_pid_of_file) };
    size_t at = 1;
    for (size_t i = 0; i < ROWS; i++) {
        tests[at++] = row_test(rows[i].name, check_row, &rows[i]);
    }
    for (size_t i = 0; i < REASON_ROWS; i++) {
        tests[at++] = row_test(reason_rows[i].name, check_reason, &reason_rows[i]);
    }
    for (size_t i = 0; i < NOTICE_ROWS; i++) {
        tests[at++] = row_test(notice_rows[i].name, check_notice, &notice_rows[i]);
    }
    for (size_t i = 0; i < START_ROWS; i++) {
        tests[at++] = row_test(start_rows[i].name, check_start, &start_rows[i]);
    }
    return cmocka_run_group_tests_name("strace_lines", tests, NULL, NULL);
}
