/* SPDX-License-Identifier: Apache-2.0 */
/* Runs a command with its output thrown away and prints what it cost: user + system time in microseconds
 * and the peak of its resident memory in KiB. A small program of its own, because the peak that the kernel
 * tells of a child counts the process that it was forked from. Exits as the command did. */
#define _DEFAULT_SOURCE /* wait4 */
#include <fcntl.h>
#include <stdio.h>
#include <stdlib.h>
#include <sys/resource.h>
#include <sys/time.h>
#include <sys/wait.h>
#include <unistd.h>

static void run(char **command)
{
    int null = open("/dev/null", O_RDWR);
    if (null < 0 || dup2(null, STDIN_FILENO) < 0 || dup2(null, STDOUT_FILENO) < 0) {
        perror("/dev/null");
        _exit(126);
    }
    execvp(command[0], command);
    perror(command[0]);
    _exit(127);
}

int main(int argc, char **argv)
{
    struct rusage usage;
    int status;
    if (argc < 2) {
        fprintf(stderr, "usage: measure COMMAND [ARGUMENT...]\n");
        return 2;
    }
    pid_t child = fork();
    if (child == 0) {
        run(argv + 1);
    }
    if (child < 0 || wait4(child, &status, 0, &usage) != child) {
        perror("measure");
        return 2;
    }
    long long seconds = (long long)usage.ru_utime.tv_sec + usage.ru_stime.tv_sec;
    long long micros = (long long)usage.ru_utime.tv_usec + usage.ru_stime.tv_usec;
    printf("%lld %ld\n", seconds * 1000000 + micros, usage.ru_maxrss);
    return WIFEXITED(status) ? WEXITSTATUS(status) : 2;
}
