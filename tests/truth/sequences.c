/* SPDX-License-Identifier: Apache-2.0 */
/* Holds recorded sequences against what is known of the runs: captures of a corpus that are repeats of one program must
 * give one and the same sequence, as often and as long as its notes say; and programs that run twice under the strace
 * of this machine must give the same lines both times. Prints a line for each case, and the first lines that differ.
 *
 *     truth_sequences CORPUS
 *
 * Exit: 0, 1 when a case fails, 77 where there is neither a corpus nor an strace that may trace. */
#define _XOPEN_SOURCE 700

#include <inttypes.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>
#include <unistd.h>

#include <callgauge/callgauge.h>

enum { SKIPPED = 77, MOST_CAPTURES = 6, ROOM = 1024 };

/* --- captures of the corpus */

typedef struct known {
    const char *title, *markers;
    const char *captures[MOST_CAPTURES + 1];
    uint64_t times;      /* in each */
    const char *call;    /* of its sequence */
    size_t count, calls; /* how often that call is in it; calls in all, 0: not known */
} known;

#define REQUEST "    from: call == accept4\n    to: call == read and failed\n"
#define COPY "    from: call == openat and path endswith 'seed.bin'\n    show: names\n"

/* apache/static-none: 100 requests of 16 calls, INDEX.md; the six captures have other options of strace.
 * blockio/bulk-*: pieces of 4,194,304 bytes, and the call that finds the end. */
static const known corpus[] = {
    { "one request, again and again",
      REQUEST,
      { "apache/static-none.full.strace", "apache/static-none.full2.strace", "apache/static-none.full3.strace",
        "apache/static-none.tt.strace", "apache/static-none.plain.strace", "apache/static-none.r.strace" },
      100,
      "read",
      3,
      16 },
    { "bulk-sendfile", COPY, { "blockio/bulk-sendfile.full.strace" }, 1, "sendfile", 1025, 0 },
    { "bulk-mmapwrite", COPY, { "blockio/bulk-mmapwrite.full.strace" }, 1, "write", 1024, 0 },
    { "bulk-copy_file_range", COPY, { "blockio/bulk-copy_file_range.full.strace" }, 1, "copy_file_range", 65, 0 },
    { "bulk-splice", COPY, { "blockio/bulk-splice.full.strace" }, 1, "splice", 2049, 0 },
    { "bulk-readwrite-8k", COPY, { "blockio/bulk-readwrite-8k.full.strace" }, 1, "read", 513, 0 },
};

/* --- programs that run here */

typedef struct live {
    const char *title, *needs, *markers, *options, *again, *command; /* `again`: strace's options of the second run */
} live;

#define WHOLE "    from: class == exec and ok\n    to: call == exit_group\n"
#define MARKED "    from: path endswith 'begin-mark'\n    to: path endswith 'end-mark'\n    skip: class == memory\n"

static const live programs[] = {
    { "cat", "cat", WHOLE, "-f", "-f -y -ttt -T", "cat /etc/hostname >/dev/null" },
    { "a shell that starts programs", "sh", WHOLE "    skip: class == signal\n", "-f", "-f -r -y",
      "sh -c 'true; (exit 3); cat /nonexistent/file; :' 2>/dev/null" },
    { "names that are new each time", "python3", MARKED, "-f", "-f -yy -s 200",
      "python3 -I -S -c '\nimport os, tempfile\ndef mark(name):\n    try:\n        os.stat(name)\n    except "
      "OSError:\n        pass\n"
      "with tempfile.NamedTemporaryFile() as f:\n    pass\nmark(\"/begin-mark\")\n"
      "with tempfile.NamedTemporaryFile(prefix=\"x-\", suffix=\".txt\") as f:\n    f.write(b\"x\" * 99)\n    "
      "f.flush()\n"
      "d = tempfile.mkdtemp()\np = os.path.join(d, \"%d.pid\" % os.getpid())\nos.close(os.open(p, os.O_CREAT | "
      "os.O_WRONLY))\n"
      "os.unlink(p)\nos.rmdir(d)\nr, w = os.pipe()\npid = os.fork()\nif pid == 0:\n    os._exit(0)\nos.waitpid(pid, "
      "0)\n"
      "mark(\"/end-mark\")\n'" },
};

/* --- budgets and reports */

static callgauge_budget *budget_of(const char *markers)
{
    char yaml[ROOM];
    callgauge_error error = CALLGAUGE_ERROR_INIT;
    callgauge_budget *budget = NULL;
    int len = snprintf(yaml, sizeof yaml, "budget: 1\nexpect:\n  - name: it\n%s", markers);
    if (callgauge_budget_load("truth", yaml, (size_t)len, NULL, NULL, &budget, &error) != CALLGAUGE_OK) {
        printf("%s\n", error.message);
    }
    return budget;
}

/* NULL: it cannot be read, or is not there. */
static callgauge_report *report_of(const callgauge_budget *budget, const char *path)
{
    const callgauge_analysis_options options = { .size = sizeof options, .budget = budget };
    callgauge_error error = CALLGAUGE_ERROR_INIT;
    callgauge_report *report = NULL;
    if (callgauge_analyze_files(&path, 1, &options, &report, &error) != CALLGAUGE_OK) {
        printf("%s: %s\n", path, error.message);
    }
    return report;
}

static bool equal_str(callgauge_str a, callgauge_str b)
{
    return a.len == b.len && memcmp(a.ptr, b.ptr, a.len) == 0;
}

/* Says the first call that differs. */
static bool same_row(const callgauge_recorded_row *a, const callgauge_recorded_row *b)
{
    size_t least = a->call_count < b->call_count ? a->call_count : b->call_count;
    for (size_t i = 0; i < least; i++) {
        callgauge_str x = a->calls[i].text, y = b->calls[i].text;
        if (!equal_str(x, y)) {
            printf("  call %zu: %.*s\n  call %zu: %.*s\n", i + 1, (int)x.len, x.ptr, i + 1, (int)y.len, y.ptr);
            return false;
        }
    }
    if (a->call_count != b->call_count || a->times != b->times || a->ended != b->ended) {
        printf("  %zu calls %" PRIu64 " times, %zu calls %" PRIu64 " times\n", a->call_count, a->times, b->call_count,
               b->times);
        return false;
    }
    return true;
}

static bool same_reports(const callgauge_report *a, const callgauge_report *b)
{
    size_t count = callgauge_report_recorded_count(a);
    bool same = count > 0 && callgauge_report_recorded_count(b) == count;
    if (!same) {
        printf("  %zu sequences, %zu sequences\n", count, callgauge_report_recorded_count(b));
    }
    for (size_t i = 0; same && i < count; i++) {
        same = same_row(callgauge_report_recorded(a, i), callgauge_report_recorded(b, i)) &&
               callgauge_report_recorded(a, i)->times > 0;
    }
    return same;
}

/* --- the corpus */

static size_t count_call(const callgauge_recorded_row *row, const char *name)
{
    size_t count = 0, len = strlen(name);
    for (size_t i = 0; i < row->call_count; i++) {
        callgauge_str text = row->calls[i].text;
        count += text.len >= len && memcmp(text.ptr, name, len) == 0 && (text.len == len || text.ptr[len] == '(');
    }
    return count;
}

static bool is_as_known(const known *k, const callgauge_report *report)
{
    const callgauge_recorded_row *row = callgauge_report_recorded(report, 0);
    if (callgauge_report_recorded_count(report) != 1 || row->times != k->times || !row->ended ||
        count_call(row, k->call) != k->count || (k->calls > 0 && row->call_count != k->calls)) {
        printf("  %zu sequences; the first: %" PRIu64 " times, %zu calls, %zu %s\n",
               callgauge_report_recorded_count(report), row->times, row->call_count, count_call(row, k->call), k->call);
        return false;
    }
    return true;
}

static bool check_known(const known *k, const char *folder)
{
    callgauge_budget *budget = budget_of(k->markers);
    callgauge_report *first = NULL;
    bool good = budget != NULL;
    for (size_t i = 0; good && k->captures[i] != NULL; i++) {
        char path[ROOM];
        snprintf(path, sizeof path, "%s/%s", folder, k->captures[i]);
        callgauge_report *report = report_of(budget, path);
        good = report != NULL && is_as_known(k, report) && (first == NULL || same_reports(first, report));
        if (first != NULL) {
            callgauge_report_free(report);
        }
        first = first == NULL ? report : first;
    }
    callgauge_report_free(first);
    callgauge_budget_free(budget);
    printf("%s: %s\n", good ? "ok" : "FAILED", k->title);
    return good;
}

/* --- this machine */

/* Whether the command ran, with its log in `path`. */
static bool trace(const char *options, const char *command, const char *path)
{
    char line[4 * ROOM];
    snprintf(line, sizeof line, "strace %s -o %s %s </dev/null >%s.out 2>&1", options, path, command, path);
    int status = system(line);
    return status != -1 && access(path, R_OK) == 0;
}

static bool is_there(const char *program)
{
    char command[ROOM];
    snprintf(command, sizeof command, "command -v %s >/dev/null 2>&1", program);
    return system(command) == 0;
}

static bool check_live(const live *l, const char *folder)
{
    char paths[2][ROOM];
    callgauge_budget *budget = budget_of(l->markers);
    callgauge_report *reports[2] = { NULL, NULL };
    bool good = budget != NULL;
    for (size_t i = 0; good && i < 2; i++) {
        snprintf(paths[i], sizeof paths[i], "%s/%zu", folder, i);
        good = trace(i == 0 ? l->options : l->again, l->command, paths[i]);
        reports[i] = good ? report_of(budget, paths[i]) : NULL;
        good = reports[i] != NULL;
    }
    good = good && same_reports(reports[0], reports[1]);
    callgauge_report_free(reports[0]);
    callgauge_report_free(reports[1]);
    callgauge_budget_free(budget);
    printf("%s: %s\n", good ? "ok" : "FAILED", l->title);
    return good;
}

static bool check_machine(bool *ran)
{
    char folder[] = "/tmp/truth_sequences.XXXXXX", command[ROOM], probe[ROOM];
    bool good = true;
    *ran = false;
    if (mkdtemp(folder) == NULL) {
        return true;
    }
    snprintf(probe, sizeof probe, "%s/probe", folder);
    *ran = trace("-f", "true", probe);
    for (size_t i = 0; *ran && i < sizeof programs / sizeof *programs; i++) {
        good = (!is_there(programs[i].needs) || check_live(&programs[i], folder)) && good;
    }
    snprintf(command, sizeof command, "rm -r %s", folder);
    return system(command) == 0 && good;
}

int main(int argc, char **argv)
{
    char probe[ROOM];
    snprintf(probe, sizeof probe, "%s/%s", argc > 1 ? argv[1] : "", corpus[0].captures[0]);
    bool has_corpus = access(probe, R_OK) == 0, ran = false;
    bool good = true;
    for (size_t i = 0; has_corpus && i < sizeof corpus / sizeof *corpus; i++) {
        good = check_known(&corpus[i], argv[1]) && good;
    }
    good = check_machine(&ran) && good;
    if (!has_corpus || !ran) {
        printf("sequences: not run: %s\n", has_corpus ? "strace is not installed or may not trace" : "no corpus");
    }
    return !good ? 1 : has_corpus || ran ? 0 : SKIPPED;
}
