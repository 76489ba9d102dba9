/* SPDX-License-Identifier: Apache-2.0 */
/* Comparisons in every form, made by hand: rows of every kind and limits of every state, hostile text in all of
 * them. */
#include <setjmp.h>
#include <stdarg.h>
#include <stddef.h>
#include <stdint.h>

#include <cmocka.h>

#include <math.h>
#include <stdio.h>

#include "making.h"
#include "compare/comparison.h"
#include "write/compare_words.h"
#include "write/escape.h"

static const char *const formats[] = { "text", "json", "csv", "markdown", "junit", "sarif", "github" };
enum { FORMATS = sizeof formats / sizeof *formats };

#define TEXT(text) \
    { \
        text, sizeof(text) - 1 \
    }

/* --- making */

static callgauge_side side(int64_t value)
{
    return (callgauge_side){ value, value, value, -1 };
}

static callgauge_amount amount(int64_t before, int64_t after, callgauge_verdict verdict)
{
    return (callgauge_amount){ side(before), side(after), true, verdict, -1 };
}

static callgauge_amount *unseen(cg_arena *arena)
{
    callgauge_amount *amounts = cg_arena_alloc(arena, CALLGAUGE_MEASURE_COUNT * sizeof *amounts);
    assert_non_null(amounts);
    for (size_t i = 0; i < CALLGAUGE_MEASURE_COUNT; i++) {
        amounts[i] = amount(CALLGAUGE_UNKNOWN, CALLGAUGE_UNKNOWN, CALLGAUGE_VERDICT_SAME);
        amounts[i].judged = false;
    }
    return amounts;
}

/* Names of one row: static, so that rows can borrow them. */
static const callgauge_str open_names[] = { TEXT("open64"), TEXT("open") };
static const callgauge_str openat_names[] = { TEXT("openat") };

static callgauge_compare_row row_of(callgauge_comparison *to, const char *name, int64_t before, int64_t after)
{
    callgauge_amount *amounts = unseen(&to->arena);
    callgauge_verdict verdict = after > before   ? CALLGAUGE_VERDICT_REGRESSION
                                : after < before ? CALLGAUGE_VERDICT_IMPROVED
                                                 : CALLGAUGE_VERDICT_SAME;
    amounts[CALLGAUGE_MEASURE_CALLS] = amount(before, after, verdict);
    amounts[CALLGAUGE_MEASURE_ERRORS] = amount(0, 0, CALLGAUGE_VERDICT_SAME);
    return (callgauge_compare_row){ .name = cg_str_z(name),
                                    .call_class = CALLGAUGE_CLASS_OPEN,
                                    .names_before = open_names,
                                    .names_before_count = 2,
                                    .names_after = openat_names,
                                    .names_after_count = 1,
                                    .amounts = amounts,
                                    .verdict = verdict,
                                    .why = cg_str_z(verdict == CALLGAUGE_VERDICT_SAME ? "" : "calls changed") };
}

static void set_rows(callgauge_comparison *to, cg_compare_rows *rows, const callgauge_compare_row *from, size_t count)
{
    rows->items = cg_arena_alloc(&to->arena, count * sizeof *from);
    assert_non_null(rows->items);
    memcpy(rows->items, from, count * sizeof *from);
    rows->count = count;
}

typedef struct sample {
    callgauge_report *report;
    const callgauge_report *reports[1];
    callgauge_comparison *comparison;
} sample;

/* A report of two calls and a comparison that has it on both sides, with nothing in it. */
static sample new_sample(const char *capture)
{
    cg_stage stage = new_stage(false);
    take(&stage, call_of(NAME_READ, 5));
    take(&stage, failed_call(NAME_OPENAT, 0));
    sample made = { .report = finish_stage(&stage, capture), .comparison = cg_comparison_new() };
    assert_non_null(made.comparison);
    made.comparison->headline = "what matters most";
    made.comparison->totals.name = cg_str_z("all calls");
    return made;
}

/* Once the sample stands where it stays. */
static void fill_sides(sample *made)
{
    made->reports[0] = made->report;
    made->comparison->has_sides = true;
    made->comparison->before = made->comparison->after = (cg_reports){ made->reports, 1 };
}

static void free_sample(sample *made)
{
    callgauge_comparison_free(made->comparison);
    callgauge_report_free(made->report);
}

static const callgauge_evidence evidence[] = {
    { { 0, 12 }, TEXT("openat(AT_FDCWD, \"/.htaccess\") = -1 ENOENT") },
    { { 0, 14 }, TEXT("read(3, \"\", 8) = 0") },
};

static const callgauge_limit_result limits[] = {
    { .limit = TEXT("htaccess"),
      .state = CALLGAUGE_LIMIT_BROKEN,
      .severity = CALLGAUGE_SEVERITY_ERROR,
      .message = TEXT("5 calls a unit, 1 is allowed"),
      .value = 5,
      .allowed = 1,
      .source = TEXT("budget.yaml"),
      .line = 3,
      .column = 5,
      .evidence = evidence,
      .evidence_count = 2 },
    { .limit = TEXT("start"),
      .state = CALLGAUGE_LIMIT_BROKEN,
      .severity = CALLGAUGE_SEVERITY_WARNING,
      .message = TEXT("another sequence than expected"),
      .value = NAN,
      .allowed = NAN,
      .subject = TEXT("process 7"),
      .source = TEXT("budget.yaml"),
      .line = 9,
      .diff = TEXT("@@ -1 +1 @@\n-open\n+```openat\n") },
    { .limit = TEXT("slow"),
      .state = CALLGAUGE_LIMIT_NOT_JUDGED,
      .severity = CALLGAUGE_SEVERITY_NOTE,
      .message = TEXT("the capture has no durations"),
      .quantity = CALLGAUGE_QUANTITY_TIME,
      .value = NAN,
      .allowed = 1e9,
      .source = TEXT("budget.yaml"),
      .line = 12 },
    { .limit = TEXT("share"),
      .state = CALLGAUGE_LIMIT_KEPT,
      .severity = CALLGAUGE_SEVERITY_ERROR,
      .message = TEXT("12.5 % of 20 %"),
      .quantity = CALLGAUGE_QUANTITY_PERCENT,
      .value = 12.5,
      .allowed = 20,
      .source = TEXT("budget.yaml"),
      .line = 15 },
};
enum { LIMITS = sizeof limits / sizeof *limits };

/* A budget alone: nothing was compared. */
static sample checked(void)
{
    sample made = new_sample("dir with space/a.strace");
    made.comparison->verdict = CALLGAUGE_VERDICT_REGRESSION;
    callgauge_limit_result *copy = cg_arena_alloc(&made.comparison->arena, sizeof limits);
    assert_non_null(copy);
    memcpy(copy, limits, sizeof limits);
    made.comparison->limits = copy;
    made.comparison->limit_count = LIMITS;
    return made;
}

/* Calls that came, went, changed, stayed; a file, a program, findings of each fate, things left out for one reason. */
static sample compared(void)
{
    static const char *const hints[] = { "look again" };
    static const callgauge_left_out_row left_out[] = {
        { TEXT("close"), TEXT("after"), TEXT("not traced") },
        { TEXT("ioctl"), TEXT("after"), TEXT("not traced") },
        { TEXT("wall times"), TEXT("both"), TEXT("no durations") },
    };
    static callgauge_finding_row finding = { .rule = TEXT("htaccess-probe"),
                                             .severity = CALLGAUGE_SEVERITY_WARNING,
                                             .title = TEXT("looked for and missing"),
                                             .message = TEXT("5 opens failed") };
    sample made = new_sample("a.strace");
    callgauge_comparison *to = made.comparison;
    const callgauge_compare_row calls[] = { row_of(to, "openat", 100, 500), row_of(to, "fork", 0, 3),
                                            row_of(to, "alarm", 1100, 0), row_of(to, "read", 7, 7) };
    callgauge_compare_row file = row_of(to, "/srv/www/.htaccess", 0, 100);
    callgauge_finding_change *findings = cg_arena_alloc(&to->arena, 3 * sizeof *findings);
    assert_non_null(findings);
    findings[0] = (callgauge_finding_change){ CALLGAUGE_FINDING_NEW, NULL, &finding,
                                              amount(0, 5, CALLGAUGE_VERDICT_REGRESSION),
                                              CALLGAUGE_VERDICT_REGRESSION };
    findings[1] = (callgauge_finding_change){ CALLGAUGE_FINDING_CHANGED, &finding, &finding,
                                              amount(9, 5, CALLGAUGE_VERDICT_IMPROVED), CALLGAUGE_VERDICT_IMPROVED };
    findings[2] = (callgauge_finding_change){ CALLGAUGE_FINDING_GONE, &finding, NULL,
                                              amount(5, 0, CALLGAUGE_VERDICT_IMPROVED), CALLGAUGE_VERDICT_IMPROVED };
    to->verdict = CALLGAUGE_VERDICT_REGRESSION;
    to->totals = row_of(to, "all calls", 1207, 510);
    set_rows(to, &to->calls, calls, 4);
    set_rows(to, &to->files, &file, 1);
    to->findings = findings;
    to->finding_count = 3;
    to->hints = (const char **)(uintptr_t)hints;
    to->hint_count = 1;
    to->left_out = (callgauge_left_out_row *)(uintptr_t)left_out;
    to->left_out_count = 3;
    return made;
}

static void write_it(const callgauge_comparison *comparison, const char *format, const callgauge_write_options *options,
                     caught *into)
{
    callgauge_output to = { catch_output, into };
    into->len = 0;
    into->answer = 0;
    into->text[0] = '\0';
    assert_int_equal(callgauge_write_comparison(comparison, format, options, &to, NULL), CALLGAUGE_OK);
}

/* --- what is in each form */

static const struct expected {
    const char *format;
    bool is_check;
    const char *texts[6];
} expected[] = {
    { "text",
      true,
      { "what matters most\n\nchecked dir with space/a.strace: strace trace, no times\n",
        "error htaccess: 5 calls a unit, 1 is allowed\n    budget.yaml:3\n    line 12  openat(",
        "warning start (process 7): another sequence", "    -open\n    +```openat\n",
        "note slow: the capture has no durations\n    budget.yaml:12\n", "\n1 limit kept\n" } },
    { "json",
      true,
      { "\"compared\":false",
        "{\"limit\":\"htaccess\",\"state\":\"broken\",\"severity\":\"error\",\"message\":\"5 calls a unit, 1 is "
        "allowed\","
        "\"subject\":null,\"quantity\":\"count\",\"value\":5,\"allowed\":1,\"file\":\"budget.yaml\",\"line\":3,"
        "\"column\":5,\"evidence\":[{\"capture\":0,\"line\":12,",
        "\"quantity\":\"time_ns\",\"value\":null,\"allowed\":1000000000", "\"value\":12.5,\"allowed\":20",
        "\"diff\":\"@@ -1 +1 @@\\n-open\\n+```openat\\n\"" } },
    { "csv",
      true,
      { "limit,htaccess,,count,,5,,,,,,,,,,1,broken,\"5 calls a unit, 1 is allowed\",1,budget.yaml,3\r\n",
        "limit,slow,,time_ns,,,,,,,,,,,,0,not judged," } },
    { "markdown",
      true,
      { "### callgauge: limits broken\n\nwhat matters most\n",
        "- **error htaccess**: 5 calls a unit, 1 is allowed (dir with space/a.strace:12)\n",
        "\n  ````diff\n  @@ -1 +1 @@\n  -open\n  +```openat\n  ````\n",
        "Limits that could not be judged:", "\n1 limit kept.\n" } },
    { "junit",
      true,
      { "<testsuites name=\"callgauge\" tests=\"4\" failures=\"2\" errors=\"1\" skipped=\"0\" time=\"0\">",
        "<failure type=\"broken\" message=\"5 calls a unit, 1 is allowed\">budget.yaml:3: error\n"
        "dir with space/a.strace:12: openat(AT_FDCWD, &quot;/.htaccess&quot;) = -1 ENOENT\n",
        "<error type=\"not judged\" message=\"the capture has no durations\">",
        "<testcase classname=\"budget.yaml\" time=\"0\" name=\"share\"/>", "name=\"start (process 7)\"",
        "\n@@ -1 +1 @@\n-open\n+```openat\n</failure>" } },
    { "sarif",
      true,
      { "\"ruleId\":\"htaccess\",\"level\":\"error\",\"message\":{\"text\":\"5 calls a unit, 1 is allowed\"},"
        "\"locations\":[{\"physicalLocation\":{\"artifactLocation\":{\"uri\":\"dir%20with%20space/a.strace\"},"
        "\"region\":{\"startLine\":12,",
        "\"relatedLocations\":[{\"physicalLocation\":", "\"uri\":\"budget.yaml\"},\"region\":{\"startLine\":9}",
        "\"text\":\"not judged: the capture has no durations\"", "\"version\":\"2.1.0\"" } },
    { "github",
      true,
      { "::error file=dir with space/a.strace,line=12,title=callgauge%3A htaccess::5 calls a unit, 1 is allowed\n"
        "::warning file=budget.yaml,line=9,title=callgauge%3A start::another sequence than expected (process 7)\n"
        "::notice file=budget.yaml,line=12,title=callgauge%3A slow::not judged: the capture has no durations\n" } },
    { "text",
      false,
      { "       calls  change       %  call\n"
        "  100 -> 500    +400  +400.0  openat\n"
        "      0 -> 3      +3     new  fork\n"
        "  1,100 -> 0  -1,100    gone  alarm\n"
        "1,207 -> 510    -697   -57.7  total\n"
        "1 other call is the same\n",
        "   calls  change  file\n0 -> 100    +100  /srv/www/.htaccess\n",
        "findings\n  new warning htaccess-probe: 5 opens failed\n  changed warning htaccess-probe: 5 opens failed "
        "(before: 9 calls)\n  gone warning",
        "not compared\n  after: not traced\n    close, ioctl\n  both: no durations\n    wall times\n",
        "\nhint: look again\n\nverdict: regression\n" } },
    { "json",
      false,
      { "\"verdict\":\"regression\",\"headline\":\"what matters most\",\"compared\":true,\"by_class\":false",
        "{\"name\":\"openat\",\"names\":{\"before\":[\"open64\",\"open\"],\"after\":[\"openat\"]},\"class\":\"open\","
        "\"before\":{\"calls\":100,\"errors\":0,\"error_share\":0,\"cpu_ns\":null,",
        "\"delta\":{\"calls\":400,\"errors\":0,\"cpu_ns\":null,", "\"percent\":{\"calls\":400}",
        "\"findings\":{\"new\":[\n", "{\"what\":\"close\",\"side\":\"after\",\"why\":\"not traced\"}" } },
    { "csv",
      false,
      { "call,openat,open,calls,100,500,400,400,100,100,500,500,,,,1,regression,calls changed,,,\r\n",
        "finding,htaccess-probe,warning,calls,0,5,5,", "left out,close,after,,,,,,,,,,,,,0,,not traced,,,\r\n" } },
    { "markdown",
      false,
      { "| call | calls | change | % | verdict |\n| --- | ---: | ---: | ---: | --- |\n"
        "| openat | 100 -> 500 | +400 | +400.0 | regression |\n",
        "- new: **warning htaccess-probe**: 5 opens failed\n", "<details><summary>Not compared: 3 things</summary>",
        "- after: not traced: close, ioctl\n", "1 other call is the same." } },
    { "junit",
      false,
      { "<testsuite name=\"calls\" tests=\"5\" failures=\"2\" errors=\"0\" skipped=\"0\" time=\"0\">",
        "name=\"openat\">\n      <failure type=\"regression\" message=\"calls changed\"/>",
        "name=\"alarm\">\n      <system-out>improved: calls changed</system-out>", "name=\"read\"/>",
        "<skipped message=\"after: not traced\"/>", "<testsuite name=\"findings\" tests=\"3\" failures=\"1\"" } },
    { "sarif",
      false,
      { "{\"ruleId\":\"regression\",\"level\":\"error\",\"message\":{\"text\":\"openat: calls changed\"}",
        "{\"ruleId\":\"htaccess-probe\",\"level\":\"warning\"",
        "{\"id\":\"htaccess-probe\",\"shortDescription\":{\"text\":\"looked for and missing\"}}" } },
    { "github",
      false,
      { "::error file=a.strace,title=callgauge%3A regression::openat: calls changed\n",
        "::warning title=callgauge%3A htaccess-probe::5 opens failed\n" } },
};
enum { EXPECTED = sizeof expected / sizeof *expected };

static void check_form(void **state)
{
    static caught into;
    const struct expected *row = *state;
    sample made = row->is_check ? checked() : compared();
    fill_sides(&made);
    made.comparison->has_sides = !row->is_check;
    write_it(made.comparison, row->format, NULL, &into);
    for (size_t i = 0; i < sizeof row->texts / sizeof *row->texts && row->texts[i] != NULL; i++) {
        if (strstr(into.text, row->texts[i]) == NULL) {
            print_message("%s\n-- is not in --\n%s\n", row->texts[i], into.text);
            fail();
        }
    }
    free_sample(&made);
}

/* --- the rest */

/* The lines of a table stay within the width, whatever is in them. */
static void check_width(void **state)
{
    static caught into;
    (void)state;
    sample made = compared();
    fill_sides(&made);
    callgauge_amount *amounts = (callgauge_amount *)(uintptr_t)made.comparison->calls.items[0].amounts;
    for (size_t i = 0; i < CALLGAUGE_MEASURE_COUNT; i++) {
        amounts[i] = amount(123456789, 12345678901, CALLGAUGE_VERDICT_REGRESSION);
        amounts[i].before.per_unit = 1234567.89;
        amounts[i].after.per_unit = 123456789.01;
    }
    made.comparison->calls.items[0].name = cg_str_z(
        "a_name_of_a_call_that_is_longer_than_any_that_there_is_in_a_table");
    write_it(made.comparison, "text", NULL, &into);
    for (const char *line = into.text; *line != '\0';) {
        size_t length = strcspn(line, "\n");
        assert_true(length <= 80);
        line += length + 1;
    }
    free_sample(&made);
}

static void check_limit(void **state)
{
    static caught into;
    (void)state;
    sample made = compared();
    fill_sides(&made);
    const callgauge_write_options one = { .size = sizeof one, .limit = 1 };
    write_it(made.comparison, "text", &one, &into);
    assert_non_null(strstr(into.text, "... and 2 more calls\n"));
    assert_non_null(strstr(into.text, "    close and 1 more\n"));
    write_it(made.comparison, "github", &one, &into);
    assert_non_null(strstr(into.text, "calls changed\ncallgauge: 2 more are not shown\n"));
    free_sample(&made);
}

/* A name matched by class says which calls are in it. */
static void check_by_class(void **state)
{
    static caught into;
    (void)state;
    sample made = compared();
    fill_sides(&made);
    made.comparison->by_class = true;
    made.comparison->calls.items[0].name = cg_str_z("open");
    write_it(made.comparison, "text", NULL, &into);
    assert_non_null(strstr(into.text, "  open (open64, open; openat)\n"));
    free_sample(&made);
}

/* Wall times that are shown only have a table of their own; numbers of units lead. */
static void check_times_and_units(void **state)
{
    static caught into;
    (void)state;
    sample made = compared();
    fill_sides(&made);
    callgauge_compare_row *rows = made.comparison->calls.items;
    callgauge_amount *read = (callgauge_amount *)(uintptr_t)rows[3].amounts;
    read[CALLGAUGE_MEASURE_WALL] = amount(1000000, 6500000, CALLGAUGE_VERDICT_SAME);
    read[CALLGAUGE_MEASURE_WALL].judged = false;
    callgauge_amount *open = (callgauge_amount *)(uintptr_t)rows[0].amounts;
    open[CALLGAUGE_MEASURE_CALLS].before.per_unit = 1;
    open[CALLGAUGE_MEASURE_CALLS].after.per_unit = 5;
    open[CALLGAUGE_MEASURE_CALLS].p = 0.0079365;
    write_it(made.comparison, "text", NULL, &into);
    assert_non_null(strstr(into.text, "times that are shown only\n"));
    assert_non_null(strstr(into.text, "0.0010 -> 0.0065") == NULL ? strstr(into.text, "0.001000 -> 0.006500")
                                                                  : into.text);
    assert_non_null(strstr(into.text, "1 -> 5"));
    write_it(made.comparison, "json", NULL, &into);
    assert_non_null(strstr(into.text, "\"per_unit\":{\"calls\":4}"));
    assert_non_null(strstr(into.text, "\"p\":{\"calls\":0.0079365}"));
    free_sample(&made);
}

static const char HOSTILE[] = "\033[2J\r\n\t|`<b>&amp;\"'=cmd,%0A::error::\\\001\177\342\200\256\357\277\276\377]]>";

/* Every text of a comparison is of a capture or of a budget: none does anything in any form. */
static sample hostile(void)
{
    static callgauge_finding_row finding;
    static callgauge_key key;
    static callgauge_evidence line;
    static callgauge_left_out_row left_out;
    static const char *hints[1];
    const callgauge_str text = cg_str(HOSTILE, sizeof HOSTILE - 1);
    sample made = checked();
    callgauge_comparison *to = made.comparison;
    key = (callgauge_key){ text, text };
    line = (callgauge_evidence){ { 0, 1 }, text };
    finding = (callgauge_finding_row){ .rule = text,
                                       .title = text,
                                       .message = text,
                                       .keys = &key,
                                       .key_count = 1,
                                       .evidence = &line,
                                       .evidence_count = 1 };
    left_out = (callgauge_left_out_row){ text, text, text };
    hints[0] = HOSTILE;
    callgauge_compare_row row = row_of(to, "", 1, 2);
    row.name = row.why = text;
    row.names_before = row.names_after = &left_out.what;
    row.names_before_count = row.names_after_count = 1;
    to->headline = HOSTILE;
    to->by_class = true;
    to->totals = row;
    set_rows(to, &to->calls, &row, 1);
    set_rows(to, &to->files, &row, 1);
    set_rows(to, &to->programs, &row, 1);
    to->findings = cg_arena_alloc(&to->arena, sizeof *to->findings);
    assert_non_null(to->findings);
    to->findings[0] = (callgauge_finding_change){ CALLGAUGE_FINDING_NEW, NULL, &finding, row.amounts[0],
                                                  CALLGAUGE_VERDICT_REGRESSION };
    to->finding_count = 1;
    to->left_out = &left_out;
    to->hints = hints;
    to->left_out_count = to->hint_count = 1;
    for (size_t i = 0; i < LIMITS; i++) {
        callgauge_limit_result *limit = &to->limits[i];
        limit->limit = limit->message = limit->subject = limit->source = limit->diff = text;
        limit->evidence = &line;
        limit->evidence_count = 1;
    }
    return made;
}

static void check_hostile(void **state)
{
    static caught into;
    (void)state;
    sample made = hostile();
    fill_sides(&made);
    for (size_t limits_too = 0; limits_too < 2; limits_too++) {
        made.comparison->limit_count = limits_too * LIMITS;
        for (size_t f = 0; f < FORMATS; f++) {
            write_it(made.comparison, formats[f], NULL, &into);
            for (size_t i = 0; i < into.len; i++) {
                unsigned char c = (unsigned char)into.text[i];
                bool is_kept = c >= 0xEF || c == 0xBF || c == 0xBE; /* U+FFFE is no control character */
                assert_true(c == '\n' || (c == '\r' && f == 2) || (c >= 0x20 && c < 0x7F) || is_kept);
            }
            assert_null(strstr(into.text, f == 4 ? "<b>" : "\n::error::"));
            assert_true(f != 4 || strstr(into.text, "\357\277\276") == NULL);
            assert_true(f != 3 || limits_too == 1 || strstr(into.text, "<b>") == NULL); /* diffs are code */
        }
    }
    free_sample(&made);
}

static struct escaped {
    const char *name;
    void (*write)(cg_out *, callgauge_str);
    const char *text, *escaped;
} escapes[] = {
    { "xml: signs", cg_escape_xml, "a<b>&\"c'", "a&lt;b&gt;&amp;&quot;c'" },
    { "xml: line ends", cg_escape_xml, "a\n\tb\r", "a&#10;&#9;b&#13;" },
    { "xml: kept line ends", cg_escape_xml_lines, "a<\nb\n", "a&lt;\nb\n" },
    { "xml: control bytes", cg_escape_xml, "a\001\033b", "a\\001\\033b" },
    { "xml: no characters", cg_escape_xml, "\357\277\276|\357\277\277", "\\357\\277\\276|\\357\\277\\277" },
    { "xml: no UTF-8", cg_escape_xml, "\377\303", "\\377\\303" },
    { "xml: UTF-8", cg_escape_xml, "\303\244", "\303\244" },
    { "message of a command", cg_escape_command, "50%\r\na:b,c", "50%25%0D%0Aa:b,c" },
    { "property of a command", cg_escape_property, "50%\r\na:b,c", "50%25%0D%0Aa%3Ab%2Cc" },
    { "command: control bytes", cg_escape_command, "\033[m", "\\033[m" },
    { "uri", cg_escape_uri, "a b/c%d:e~_-.#?", "a%20b/c%25d%3Ae~_-.%23%3F" },
    { "uri: bytes", cg_escape_uri, "\303\244\001", "%C3%A4%01" },
    { "json that is shown", cg_escape_json_shown, "a\\b\"\n\001\377", "a\\\\b\\\"\\n\\\\001\\\\377" },
};
enum { ESCAPES = sizeof escapes / sizeof *escapes };

static void check_escape(void **state)
{
    static caught into;
    const struct escaped *row = *state;
    callgauge_output to = { catch_output, &into };
    cg_out out;
    into.len = 0;
    into.answer = 0;
    cg_out_init(&out, &to);
    row->write(&out, cg_str_z(row->text));
    assert_int_equal(cg_out_finish(&out, NULL), CALLGAUGE_OK);
    assert_string_equal(into.text, row->escaped);
}

static struct number {
    const char *text;
    double value;
} numbers[] = {
    { "0", 0 },
    { "0.5", 0.5 },
    { "-12.5", -12.5 },
    { "0.0079365", 0.0079365 },
    { "400", 400 },
    { "1.333333", 4.0 / 3 },
    { "0.000000000015", 1.5e-11 },
    { "-0.25", -0.25 },
    { "1000000", 1e6 },
};
enum { DOUBLES = sizeof numbers / sizeof *numbers };

static void check_numbers(void **state)
{
    (void)state;
    for (size_t i = 0; i < DOUBLES; i++) {
        char text[64];
        text[cg_format_double(text, numbers[i].value)] = '\0';
        assert_string_equal(text, numbers[i].text);
    }
    char text[64];
    assert_true(cg_format_double(text, 1e300) < sizeof text);
    assert_true(cg_format_double(text, -1e300) < sizeof text);
}

static void check_wrong_use(void **state)
{
    static caught into;
    (void)state;
    sample made = compared();
    fill_sides(&made);
    callgauge_error err = CALLGAUGE_ERROR_INIT;
    callgauge_output to = { catch_output, &into };
    const callgauge_write_options unset = { .limit = 1 };
    into.len = 0;
    assert_int_equal(callgauge_write_comparison(made.comparison, "xml", NULL, &to, &err), CALLGAUGE_E_USAGE);
    assert_string_equal(err.message, "unknown format 'xml': text, json, csv, markdown, junit, sarif, github are known");
    assert_int_equal(callgauge_write_comparison(made.comparison, "text", &unset, &to, &err), CALLGAUGE_E_USAGE);
    assert_int_equal(into.len, 0);
    into.answer = 1;
    for (size_t f = 0; f < FORMATS; f++) {
        into.len = 0;
        assert_int_equal(callgauge_write_comparison(made.comparison, formats[f], NULL, &to, &err), CALLGAUGE_E_STOPPED);
    }
    free_sample(&made);
}

int main(void)
{
    static const struct CMUnitTest others[] = {
        cmocka_unit_test(check_width),           cmocka_unit_test(check_limit),   cmocka_unit_test(check_by_class),
        cmocka_unit_test(check_times_and_units), cmocka_unit_test(check_hostile), cmocka_unit_test(check_numbers),
        cmocka_unit_test(check_wrong_use),
    };
    enum { OTHERS = sizeof others / sizeof *others };
    static char names[EXPECTED][24];
    struct CMUnitTest tests[EXPECTED + ESCAPES + OTHERS];
    for (size_t i = 0; i < EXPECTED; i++) {
        snprintf(names[i], sizeof names[i], "%s of %s", expected[i].format, expected[i].is_check ? "limits" : "sides");
        tests[i] = (struct CMUnitTest){ .name = names[i],
                                        .test_func = check_form,
                                        .initial_state = (void *)(uintptr_t)&expected[i] };
    }
    for (size_t i = 0; i < ESCAPES; i++) {
        tests[EXPECTED + i] =
            (struct CMUnitTest){ .name = escapes[i].name, .test_func = check_escape, .initial_state = &escapes[i] };
    }
    memcpy(&tests[EXPECTED + ESCAPES], others, sizeof others);
    return cmocka_run_group_tests_name("write_comparison", tests, NULL, NULL);
}
