/* SPDX-License-Identifier: Apache-2.0 */
/* Does one wasteful thing, for tests/truth/wasteful to trace: wasteful CASE, in an empty folder. Each case makes an
 * exact number of the calls that a rule of the catalogue counts. Linux only, as strace is. */
#define _GNU_SOURCE
#include <arpa/inet.h>
#include <dirent.h>
#include <fcntl.h>
#include <linux/futex.h>
#include <netinet/in.h>
#include <poll.h>
#include <pthread.h>
#include <sched.h>
#include <signal.h>
#include <stdint.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>
#include <sys/mman.h>
#include <sys/random.h>
#include <sys/socket.h>
#include <sys/stat.h>
#include <sys/syscall.h>
#include <sys/un.h>
#include <time.h>
#include <unistd.h>

static char buffer[65536];

static void need(int held, const char *what)
{
    if (!held) {
        perror(what);
        exit(1);
    }
}

static void make_file(const char *name)
{
    int fd = open(name, O_WRONLY | O_CREAT | O_CLOEXEC, 0666);
    need(fd >= 0 && write(fd, buffer, 100) == 100 && close(fd) == 0, name);
}

static void close_all(void)
{
    for (int fd = 100; fd < 356; fd++) {
        close(fd);
    }
}

static void ask_all(void)
{
    fcntl(0, F_GETFD); /* or the call would never work */
    for (int fd = 100; fd < 356; fd++) {
        fcntl(fd, F_GETFD);
    }
}

static void send_files(void)
{
    int ends[2];
    need(socketpair(AF_UNIX, SOCK_STREAM, 0, ends) == 0, "socketpair");
    make_file("page");
    for (int i = 0; i < 60; i++) {
        int fd = open("page", O_RDONLY | O_CLOEXEC);
        need(read(fd, buffer, 4096) == 100 && write(ends[0], buffer, 100) == 100 && close(fd) == 0, "page");
    }
}

static void ask_zone(void)
{
    struct stat st;
    for (int i = 0; i < 120; i++) {
        stat("/etc/localtime", &st);
    }
}

static void ask_access(void)
{
    for (int i = 0; i < 100; i++) {
        need(access("/proc/self/maps", R_OK) == 0, "access");
        close(open("/proc/self/maps", O_RDONLY | O_CLOEXEC));
    }
}

static void change_mode(void)
{
    int ends[2];
    need(pipe(ends) == 0, "pipe");
    for (int i = 0; i < 100; i++) {
        fcntl(ends[0], F_SETFL, i % 2 == 0 ? O_NONBLOCK : 0);
    }
}

static void spin_on_pipe(void)
{
    int ends[2];
    need(pipe2(ends, O_NONBLOCK) == 0, "pipe2");
    for (int i = 0; i < 50; i++) {
        need(read(ends[0], buffer, 512) < 0, "read");
    }
}

static void wake_idly(void)
{
    for (int i = 0; i < 60; i++) {
        poll(NULL, 0, 10);
    }
}

static void leave_event(void)
{
    int ends[2];
    need(pipe(ends) == 0 && write(ends[1], "x", 1) == 1, "pipe");
    struct pollfd one = { .fd = ends[0], .events = POLLIN };
    for (int i = 0; i < 150; i++) {
        need(poll(&one, 1, -1) == 1, "poll");
    }
}

static void poll_many(void)
{
    int ends[2];
    struct pollfd many[300];
    need(pipe(ends) == 0, "pipe");
    for (int i = 0; i < 300; i++) {
        many[i] = (struct pollfd){ .fd = ends[0], .events = POLLIN };
    }
    for (int i = 0; i < 100; i++) {
        need(write(ends[1], "x", 1) == 1 && poll(many, 300, -1) == 300 && read(ends[0], buffer, 4096) == 1, "poll");
        getppid(); /* or it would look like a copy */
    }
}

static void poll_for_bytes(void)
{
    int ends[2];
    need(pipe(ends) == 0 && write(ends[1], buffer, 250) == 250, "pipe");
    struct pollfd one = { .fd = ends[0], .events = POLLIN };
    for (int i = 0; i < 250; i++) {
        need(poll(&one, 1, -1) == 1 && read(ends[0], buffer, 1) == 1, "poll");
    }
}

static void hang_on_daemon(void)
{
    struct sockaddr_un to = { .sun_family = AF_UNIX, .sun_path = "nscd.socket" };
    int daemon = socket(AF_UNIX, SOCK_STREAM, 0);
    need(bind(daemon, (struct sockaddr *)&to, sizeof to) == 0 && listen(daemon, 1) == 0, "bind");
    int fd = socket(AF_UNIX, SOCK_STREAM, 0);
    need(connect(fd, (struct sockaddr *)&to, sizeof to) == 0, "connect");
    struct pollfd one = { .fd = fd, .events = POLLIN };
    poll(&one, 1, 1000);
}

static void open_users(void)
{
    for (int i = 0; i < 30; i++) {
        close(open("/etc/passwd", O_RDONLY | O_CLOEXEC));
    }
}

static void ask_ids(void)
{
    for (int i = 0; i < 750; i++) {
        getpid();
        getppid();
    }
}

static void ask_clock(void)
{
    struct timespec now;
    for (int i = 0; i < 1500; i++) {
        syscall(SYS_clock_gettime, CLOCK_MONOTONIC, &now); /* past the page that answers without a call */
    }
}

static void ask_random(void)
{
    for (int i = 0; i < 150; i++) {
        need(getrandom(buffer, 8, 0) == 8, "getrandom");
    }
}

static void write_synchronously(void)
{
    int fd = open("log", O_WRONLY | O_CREAT | O_DSYNC, 0666);
    for (int i = 0; i < 60; i++) {
        need(write(fd, buffer, 512) == 512, "log");
    }
}

static void make_directory(void)
{
    mkdir("cache", 0777);
    for (int i = 0; i < 60; i++) {
        need(mkdir("cache", 0777) < 0, "cache");
    }
}

static void split_writes(void)
{
    int ends[2];
    need(socketpair(AF_UNIX, SOCK_STREAM, 0, ends) == 0, "socketpair");
    for (int i = 0; i < 200; i++) {
        need(write(ends[0], buffer, 4) == 4 && write(ends[0], buffer, 28) == 28, "write");
        need(read(ends[1], buffer, 4096) == 32, "read");
    }
}

static void connect_anew(void)
{
    struct sockaddr_in to = { .sin_family = AF_INET, .sin_addr = { htonl(INADDR_LOOPBACK) } };
    socklen_t size = sizeof to;
    int server = socket(AF_INET, SOCK_STREAM, 0);
    need(bind(server, (struct sockaddr *)&to, sizeof to) == 0 && listen(server, 8) == 0, "bind");
    need(getsockname(server, (struct sockaddr *)&to, &size) == 0, "getsockname");
    for (int i = 0; i < 60; i++) {
        int fd = socket(AF_INET, SOCK_STREAM, 0);
        need(connect(fd, (struct sockaddr *)&to, sizeof to) == 0, "connect");
        close(accept(server, NULL, NULL));
        close(fd);
    }
}

static void move_heap(void)
{
    for (int i = 0; i < 120; i++) {
        need(sbrk(1 << 20) != (void *)-1 && sbrk(-(1 << 20)) != (void *)-1, "sbrk");
    }
}

static void map_anew(void)
{
    for (int i = 0; i < 160; i++) {
        void *at = mmap(NULL, 266240, PROT_READ | PROT_WRITE, MAP_PRIVATE | MAP_ANONYMOUS, -1, 0);
        need(at != MAP_FAILED && munmap(at, 266240) == 0, "mmap");
    }
}

static void give_back(void)
{
    void *at = mmap(NULL, 65536, PROT_READ | PROT_WRITE, MAP_PRIVATE | MAP_ANONYMOUS, -1, 0);
    for (int i = 0; i < 250; i++) {
        need(madvise(at, 65536, MADV_DONTNEED) == 0, "madvise");
    }
}

static uint32_t lock;

static void *wait_for_lock(void *unused)
{
    for (int i = 0; i < 600; i++) {
        syscall(SYS_futex, &lock, FUTEX_WAIT_PRIVATE, 1, NULL); /* it is 0: EAGAIN at once */
    }
    return unused;
}

static void contend(void)
{
    pthread_t threads[2];
    for (int i = 0; i < 2; i++) {
        need(pthread_create(&threads[i], NULL, wait_for_lock, NULL) == 0, "pthread_create");
    }
    for (int i = 0; i < 2; i++) {
        pthread_join(threads[i], NULL);
    }
}

static void yield_often(void)
{
    for (int i = 0; i < 150; i++) {
        sched_yield();
    }
}

static void mask_signals(void)
{
    sigset_t set;
    sigemptyset(&set);
    sigaddset(&set, SIGINT);
    for (int i = 0; i < 1200; i++) {
        sigprocmask(i % 2 == 0 ? SIG_BLOCK : SIG_UNBLOCK, &set, NULL);
    }
}

static void set_alarms(void)
{
    for (int i = 0; i < 120; i++) {
        alarm(30);
        alarm(0);
    }
}

static void leak(void)
{
    for (int i = 0; i < 150; i++) {
        need(open("/dev/null", O_RDONLY) >= 0, "/dev/null");
    }
}

static void list_slowly(void)
{
    char name[16];
    for (int i = 0; i < 150; i++) {
        snprintf(name, sizeof name, "f%d", i);
        need(mkdir(name, 0777) == 0, name);
    }
    int fd = open(".", O_RDONLY | O_DIRECTORY);
    for (int i = 0; i < 150; i++) {
        need(syscall(SYS_getdents64, fd, buffer, 32) > 0, "getdents64");
    }
}

static void scan_processes(void)
{
    char name[64];
    snprintf(name, sizeof name, "/proc/%d/stat", (int)getpid());
    for (int i = 0; i < 600; i++) {
        close(open(name, O_RDONLY | O_CLOEXEC));
    }
}

static void require_ruby(void)
{
    char name[64];
    for (int i = 0; i < 1000; i++) {
        snprintf(name, sizeof name, "/nonexistent/gems/g%d/lib/json.rb", i);
        need(open(name, O_RDONLY | O_CLOEXEC) < 0, name);
    }
}

static void resolve_links(void)
{
    for (int i = 0; i < 500; i++) {
        need(readlink("/proc/self/exe", buffer, 4096) > 0 && readlink("/proc/self/cwd", buffer, 4096) > 0, "readlink");
    }
}

static void ask_prefixes(void)
{
    struct stat st;
    for (int i = 0; i < 300; i++) {
        need(lstat("/usr", &st) == 0 && lstat("/usr/bin", &st) == 0 && lstat("/usr/bin/env", &st) == 0, "lstat");
    }
}

static void wait_for_acknowledgement(void)
{
    int ends[2];
    need(socketpair(AF_UNIX, SOCK_STREAM, 0, ends) == 0, "socketpair");
    pid_t peer = fork();
    for (int i = 0; peer == 0 && i < 20; i++) {
        size_t got = 0;
        while (got < 420) {
            ssize_t more = read(ends[1], buffer, 420 - got);
            need(more > 0, "read");
            got += (size_t)more;
        }
        nanosleep(&(struct timespec){ .tv_nsec = 37000000 }, NULL);
        need(write(ends[1], buffer, 100) == 100, "write");
    }
    for (int i = 0; peer > 0 && i < 20; i++) {
        need(write(ends[0], buffer, 120) == 120 && write(ends[0], buffer, 300) == 300, "write");
        need(read(ends[0], buffer, 4096) == 100, "read");
    }
}

static void walk_twice(void)
{
    char name[16];
    struct stat st;
    for (int i = 0; i < 15000; i++) {
        snprintf(name, sizeof name, "d%d", i % 5000);
        need(i < 5000 ? mkdir(name, 0777) == 0 : lstat(name, &st) == 0, name);
    }
}

static const struct {
    const char *name;
    void (*run)(void);
} cases[] = {
    { "close_all", close_all },
    { "ask_all", ask_all },
    { "send_files", send_files },
    { "ask_zone", ask_zone },
    { "ask_access", ask_access },
    { "change_mode", change_mode },
    { "spin_on_pipe", spin_on_pipe },
    { "wake_idly", wake_idly },
    { "leave_event", leave_event },
    { "poll_many", poll_many },
    { "poll_for_bytes", poll_for_bytes },
    { "hang_on_daemon", hang_on_daemon },
    { "open_users", open_users },
    { "ask_ids", ask_ids },
    { "ask_clock", ask_clock },
    { "ask_random", ask_random },
    { "write_synchronously", write_synchronously },
    { "make_directory", make_directory },
    { "split_writes", split_writes },
    { "connect_anew", connect_anew },
    { "move_heap", move_heap },
    { "map_anew", map_anew },
    { "give_back", give_back },
    { "contend", contend },
    { "yield_often", yield_often },
    { "mask_signals", mask_signals },
    { "set_alarms", set_alarms },
    { "leak", leak },
    { "list_slowly", list_slowly },
    { "scan_processes", scan_processes },
    { "require_ruby", require_ruby },
    { "resolve_links", resolve_links },
    { "ask_prefixes", ask_prefixes },
    { "wait_for_acknowledgement", wait_for_acknowledgement },
    { "walk_twice", walk_twice },
};

int main(int argc, char **argv)
{
    for (size_t i = 0; i < sizeof cases / sizeof *cases; i++) {
        if (argc == 2 && strcmp(argv[1], cases[i].name) == 0) {
            cases[i].run();
            return 0;
        }
    }
    return 2;
}
