/* SPDX-License-Identifier: Apache-2.0 */
/* Budgets into which recorded sequences are written: a row is what stands in the file behind the markers, and what
 * stands there then; or why nothing is written. */
#include <setjmp.h>
#include <stdarg.h>
#include <stddef.h>
#include <stdint.h>
#include <string.h>

#include <cmocka.h>

#include <callgauge/callgauge.h>

#include "base/buf.h"
#include "base/str.h"

struct row {
    const char *name, *capture;
    const char *before, *after; /* the budget; `after` NULL: refused */
    const char *refused;        /* the message */
};

#define HEAD "budget: 1 # of the reader\nexpect:\n  - name: it\n    from: call == openat\n"
#define TO "    to: class == close\n"
#define OPEN(file) "openat(AT_FDCWD, \"" file "\", O_RDONLY) = 5\n"
#define ONCE OPEN("/a") "read(5, \"abc\", 4096) = 3\nclose(5) = 0\n"
#define CALLS "      openat(AT_FDCWD, \"/a\", O_RDONLY) = fd1\n      read(fd1, \"…\", 4096) = 3\n      close(fd1) = 0\n"
#define NAMES "      openat\n      read\n      close\n"

static struct row rows[] = {
    { "the key is not there", ONCE, HEAD TO, HEAD TO "    calls: |\n" CALLS, NULL },
    { "nor a line feed at the end", ONCE, HEAD "    to: class == close",
      HEAD "    to: class == close\n    calls: |\n      openat(AT_FDCWD, \"/a\", O_RDONLY) = fd1\n      read(fd1, "
           "\"…\", 4096) = "
           "3\n      close(fd1) = 0",
      NULL },
    { "a block, with comments around it", ONCE,
      HEAD TO "    calls: | # exactly\n      getuid() = 0\n      getuid() = 1\n    # more\n    times: 1\n",
      HEAD TO "    calls: | # exactly\n" CALLS "    # more\n    times: 1\n", NULL },
    { "its own indentation", ONCE, HEAD TO "    show: names\n    calls: |\n        getuid\n",
      HEAD TO "    show: names\n    calls: |\n        openat\n        read\n        close\n", NULL },
    { "blank lines behind it stay", ONCE, HEAD TO "    show: names\n    calls: |\n      getuid\n\n\n    times: 1\n",
      HEAD TO "    show: names\n    calls: |\n" NAMES "\n\n    times: 1\n", NULL },
    { "a folded block", ONCE, HEAD TO "    show: names\n    calls: >-\n      getuid\n",
      HEAD TO "    show: names\n    calls: |\n" NAMES, NULL },
    { "a text in quotes", ONCE, HEAD TO "    show: names\n    calls: \"getuid\\ngetuid\" # both\n    times: 1\n",
      HEAD TO "    show: names\n    calls: | # both\n" NAMES "    times: 1\n", NULL },
    { "a plain text", ONCE, HEAD TO "    show: names\n    calls: getuid\n    times: 1\n",
      HEAD TO "    show: names\n    calls: |\n" NAMES "    times: 1\n", NULL },
    { "before other keys", ONCE,
      "budget: 1\nexpect:\n- calls: |\n    getuid\n  name: it\n  show: names\n  from: call == openat\n  to: class == "
      "close\n",
      "budget: 1\nexpect:\n- calls: |\n    openat\n    read\n    close\n  name: it\n  show: names\n  from: call == "
      "openat\n"
      "  to: class == close\n",
      NULL },
    { "two of them, and one that is written already", OPEN("/a") "close(5) = 0\ngetuid() = 0\n",
      HEAD TO "    show: names\n  - name: second\n    from: call == getuid\n    calls: |\n      getgid() = 0\n"
              "  - name: third\n    from: call == close\n    to: call == getuid\n    show: names\n    calls: |\n\n     "
              " close\n      getuid\nlimits:\n"
              "  - name: x\n    where: class == open\n    at_most: { calls: 3 } # so be it\n",
      HEAD TO "    show: names\n    calls: |\n      openat\n      close\n  - name: second\n    from: call == getuid\n  "
              "  calls: |\n"
              "      getuid() = 0\n  - name: third\n    from: call == close\n    to: call == getuid\n    show: names\n "
              "   calls: |\n\n      close\n"
              "      getuid\nlimits:\n  - name: x\n    where: class == open\n    at_most: { calls: 3 } # so be it\n",
      NULL },
    { "no call between the markers", OPEN("/a") "close(5) = 0\n",
      "budget: 1\nexpect:\n  - name: it\n    after: call == openat\n    before: class == close\n    calls: |\n      "
      "getuid\n",
      "budget: 1\nexpect:\n  - name: it\n    after: call == openat\n    before: class == close\n    calls: \"\"\n",
      NULL },
    { "lines of carriage return and line feed", ONCE,
      "budget: 1\r\nexpect:\r\n  - name: it\r\n    from: call == openat\r\n    to: class == close\r\n    show: "
      "names\r\n    calls: |\r\n      getuid\r\n    times: 1\r\n",
      "budget: 1\r\nexpect:\r\n  - name: it\r\n    from: call == openat\r\n    to: class == close\r\n    show: "
      "names\r\n    calls: |\n"
      "      openat\n      read\n      close\r\n    times: 1\r\n",
      NULL },
    { "what is in names is harmless", OPEN("/a\\n: # - \\\"x\\\"\t{") "close(5) = 0\n", HEAD TO,
      HEAD TO
      "    calls: |\n      openat(AT_FDCWD, \"/a\\n: # - \\\"x\\\"\\011{\", O_RDONLY) = fd1\n      close(fd1) = 0\n",
      NULL },
    { "as it was", ONCE, HEAD TO "    show: names\n    calls: |\n" NAMES,
      HEAD TO "    show: names\n    calls: |\n" NAMES, NULL },
    { "the first marker never came", "getuid() = 0\n", HEAD TO, NULL,
      "the report has no sequence of this budget to be written" },
    { "the second marker never came", OPEN("/a"), HEAD TO, NULL, "it: the second marker never came" },
    { "the end of the capture cut off another one", ONCE OPEN("/a"), HEAD TO, HEAD TO "    calls: |\n" CALLS, NULL },
    { "and that one is another", ONCE OPEN("/b"), HEAD TO, NULL, "it: the second marker never came" },
    { "sequences that differ", ONCE OPEN("/a") "close(5) = 0\n", HEAD TO, NULL,
      "it: sequences came that differ: which one is to be written?" },
};

static callgauge_budget *load(const char *yaml)
{
    callgauge_error error = CALLGAUGE_ERROR_INIT;
    callgauge_budget *budget = NULL;
    callgauge_status status = callgauge_budget_load("b.yaml", yaml, strlen(yaml), NULL, NULL, &budget, &error);
    assert_string_equal(error.message, "");
    assert_int_equal(status, CALLGAUGE_OK);
    return budget;
}

static callgauge_report *analyse(const callgauge_budget *budget, const char *capture)
{
    const callgauge_analysis_options options = { .size = sizeof options,
                                                 .reader = { .size = sizeof options.reader, .dialect = "strace" },
                                                 .budget = budget };
    callgauge_analysis *analysis;
    callgauge_report *report;
    assert_int_equal(callgauge_analysis_new("c", &options, &analysis, NULL), CALLGAUGE_OK);
    assert_int_equal(callgauge_analysis_feed(analysis, capture, strlen(capture), NULL), CALLGAUGE_OK);
    assert_int_equal(callgauge_analysis_finish(analysis, &report, NULL), CALLGAUGE_OK);
    callgauge_analysis_free(analysis);
    return report;
}

static void check(void **state)
{
    const struct row *row = *state;
    callgauge_budget *budget = load(row->before), *updated = NULL;
    callgauge_report *report = analyse(budget, row->capture);
    callgauge_error error = CALLGAUGE_ERROR_INIT;
    callgauge_str text = { NULL, 0 };
    callgauge_status status = callgauge_budget_update(budget, report, &text, &updated, &error);
    assert_string_equal(error.message, row->refused == NULL ? "" : row->refused);
    assert_int_equal(status, row->refused == NULL ? CALLGAUGE_OK : CALLGAUGE_E_USAGE);
    if (status == CALLGAUGE_OK) {
        cg_buf copy;
        cg_buf_init(&copy, SIZE_MAX);
        assert_true(cg_buf_add_str(&copy, text) && cg_buf_add_char(&copy, '\0'));
        assert_string_equal(copy.data, row->after);
        cg_buf_release(&copy);
    } else {
        assert_null(updated);
        assert_string_equal(error.source, "b.yaml");
    }
    callgauge_report_free(report);
    callgauge_budget_free(updated);
    callgauge_budget_free(budget);
}

int main(void)
{
    enum { ROWS = sizeof rows / sizeof *rows };
    struct CMUnitTest tests[ROWS];
    callgauge_rules *probe;
    if (callgauge_rules_load(NULL, &probe, NULL) == CALLGAUGE_E_UNSUPPORTED) {
        return 77; /* a build without libyaml */
    }
    callgauge_rules_free(probe);
    for (size_t i = 0; i < ROWS; i++) {
        tests[i] = (struct CMUnitTest){ .name = rows[i].name, .test_func = check, .initial_state = &rows[i] };
    }
    return cmocka_run_group_tests_name("budget_update", tests, NULL, NULL);
}
