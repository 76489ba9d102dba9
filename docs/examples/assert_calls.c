/* SPDX-License-Identifier: Apache-2.0 */
/* A test that asserts which system calls a function makes, with libcallgauge and strace.
 *
 *     cc assert_calls.c $(pkg-config --cflags --libs callgauge) -o assert_calls
 *     ./assert_calls                 traces itself with strace, then judges what strace wrote
 *     ./assert_calls app.strace      judges a capture that is there
 *
 * The function under test is load_words(). getppid() before and after it marks where it begins and ends: a call
 * that costs nothing, and that nothing else here makes. The budget says what may happen in between. */
#define _POSIX_C_SOURCE 200809L
#include <fcntl.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>
#include <sys/wait.h>
#include <unistd.h>

#include <callgauge/callgauge.h>

/* --- what is tested */

/* Reads a small file to its end: the last read, of nothing, tells that it is there. */
static long load_words(const char *path, char *into, size_t room)
{
    size_t length = 0;
    ssize_t got = -1;
    int fd = open(path, O_RDONLY | O_CLOEXEC);
    while (fd >= 0 && length < room && (got = read(fd, into + length, room - length)) > 0) {
        length += (size_t)got;
    }
    if (fd >= 0) {
        close(fd);
    }
    return got < 0 ? -1 : (long)length;
}

static int run_function(void)
{
    char words[4096];
    getppid();
    long length = load_words("/etc/passwd", words, sizeof words);
    getppid();
    return length < 0;
}

/* --- what it may do */

static const char budget_text[] = "budget: 1\n"
                                  "limits:\n"
                                  "  - name: two-reads\n"
                                  "    where: class == read and path == '/etc/passwd'\n"
                                  "    at_most: { calls: 2 }\n"
                                  "calls:\n"
                                  "  forbid: [fork, vfork, clone, clone3]\n"
                                  "expect:\n"
                                  "  - name: load-words\n"
                                  "    after: call == getppid\n"
                                  "    before: call == getppid\n"
                                  "    show: names\n"
                                  "    times: 1\n"
                                  "    calls: |\n"
                                  "      openat\n"
                                  "      read\n"
                                  "      read\n"
                                  "      close\n";

/* --- the capture */

/* Runs this program again under strace. False: there is no strace, or it may not trace here. */
static int trace_self(const char *program, const char *capture)
{
    pid_t child = fork();
    if (child == 0) {
        execlp("strace", "strace", "-f", "-o", capture, program, "--run", (char *)NULL);
        _exit(127);
    }
    int status = 0;
    return child > 0 && waitpid(child, &status, 0) == child && WIFEXITED(status) && WEXITSTATUS(status) == 0;
}

/* --- the judgement */

static int print(void *ctx, const char *data, size_t length)
{
    return fwrite(data, 1, length, ctx) == length ? 0 : 1;
}

/* Gives 0 when all limits are kept, 1 when one is not, 2 when that cannot be told. */
static int judge(const char *capture)
{
    callgauge_error err = CALLGAUGE_ERROR_INIT;
    callgauge_budget *budget = NULL;
    callgauge_report *report = NULL;
    callgauge_comparison *result = NULL;
    int code = 2;
    callgauge_status status = callgauge_budget_load("budget in assert_calls.c", budget_text, sizeof budget_text - 1,
                                                    NULL, NULL, &budget, &err);
    if (status == CALLGAUGE_OK) {
        const callgauge_analysis_options options = { .size = sizeof options, .follow = true, .budget = budget };
        status = callgauge_analyze_files(&capture, 1, &options, &report, &err);
    }
    if (status == CALLGAUGE_OK) {
        status = callgauge_budget_check(budget, report, NULL, NULL, &result, &err);
    }
    if (status == CALLGAUGE_OK) {
        const callgauge_output to = { print, stdout };
        status = callgauge_write_comparison(result, "text", NULL, &to, &err);
    }
    if (status == CALLGAUGE_OK) {
        const callgauge_limit_result *worst = callgauge_comparison_limit(result, 0);
        code = worst->state == CALLGAUGE_LIMIT_KEPT ? 0 : worst->state == CALLGAUGE_LIMIT_BROKEN ? 1 : 2;
    } else {
        fprintf(stderr, "%s:%llu: %s\n", err.source, (unsigned long long)err.line, err.message);
    }
    callgauge_comparison_free(result);
    callgauge_report_free(report);
    callgauge_budget_free(budget);
    return code;
}

int main(int argc, char **argv)
{
    if (argc > 1 && strcmp(argv[1], "--run") == 0) {
        return run_function();
    }
    if (argc > 1) {
        return judge(argv[1]);
    }
    char capture[] = "/tmp/assert_calls.XXXXXX";
    int fd = mkstemp(capture);
    if (fd < 0 || close(fd) != 0 || !trace_self(argv[0], capture)) {
        fputs("assert_calls: strace cannot trace here\n", stderr);
        return 77;
    }
    int code = judge(capture);
    unlink(capture);
    return code;
}
