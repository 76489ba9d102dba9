/* SPDX-License-Identifier: Apache-2.0 */
/* report/message: how numbers stand in the messages of findings, and which parts go. */
#include <setjmp.h>
#include <stdarg.h>
#include <stddef.h>
#include <stdint.h>

#include <cmocka.h>

#include "base/str.h"
#include "report/finding.h"

#define ROWS (sizeof rows / sizeof rows[0])
#define U CALLGAUGE_UNKNOWN

static struct row {
    const char *form, *value; /* of {x} */
    uint64_t calls, errors, of_calls;
    int64_t wall_ns, bytes, saved;
    const char *message;
} rows[] = {
    { "{calls} calls", NULL, 0, 0, 0, U, U, U, "0 calls" },
    { "{calls} calls", NULL, 999, 0, 0, U, U, U, "999 calls" },
    { "{calls} calls", NULL, 1234567, 0, 0, U, U, U, "1,234,567 calls" },
    { "{calls} calls[, {errors} failed]", NULL, 5, 2, 0, U, U, U, "5 calls, 2 failed" },
    { "{calls} calls[, {errors} failed]", NULL, 5, 0, 0, U, U, U, "5 calls" },
    { "{calls} calls[ ({error_share} failed)]", NULL, 5, 0, 0, U, U, U, "5 calls" },
    { "{errors} failed, {error_share}", NULL, 5, 0, 0, U, U, U, "0 failed, 0 %" },
    { "{share}", NULL, 4, 0, 5, U, U, U, "80 %" },
    { "{share}", NULL, 1, 0, 30, U, U, U, "3.3 %" },
    { "{calls}[ ({share})]", NULL, 4, 0, 0, U, U, U, "4" },
    { "{saved}[ of {saved} left out]", NULL, 4, 0, 0, U, U, U, "-" },
    { "{saved}[ left out]", NULL, 4, 0, 0, U, U, 4000, "4,000 left out" },
    { "a[ {saved}]b", NULL, 4, 0, 0, U, U, 0, "ab" },

    { "{bytes}", NULL, 1, 0, 0, U, 1023, U, "1,023 B" },
    { "{bytes}", NULL, 1, 0, 0, U, 1024, U, "1 KiB" },
    { "{bytes}", NULL, 1, 0, 0, U, 65536 + 512, U, "64.5 KiB" },
    { "{bytes}", NULL, 1, 0, 0, U, INT64_C(3) << 30, U, "3 GiB" },
    { "{calls}[, {bytes}]", NULL, 1, 0, 0, U, 0, U, "1" },

    { "{time}", NULL, 1, 0, 0, 0, U, U, "0 s" },
    { "{time}", NULL, 1, 0, 0, 7, U, U, "7 ns" },
    { "{time}", NULL, 1, 0, 0, 58112, U, U, "58.1 us" },
    { "{time}", NULL, 1, 0, 0, 58463945, U, U, "58.5 ms" },
    { "{time}", NULL, 1, 0, 0, 6038598000, U, U, "6.04 s" },
    { "{time}", NULL, 1, 0, 0, 3000000, U, U, "3 ms" },
    { "{time}", NULL, 1, 0, 0, 1500000, U, U, "1.5 ms" },
    { "{time}", NULL, 1, 0, 0, 1050000, U, U, "1.05 ms" },
    { "{time}", NULL, 1, 0, 0, 999600, U, U, "1 ms" },
    { "{time}", NULL, 1, 0, 0, 99960, U, U, "100 us" },
    { "{time}", NULL, 1, 0, 0, 9996, U, U, "10 us" },
    { "{time}", NULL, 1, 0, 0, INT64_C(1234567) * 1000000000, U, U, "1,234,567 s" },
    { "{mean_time}", NULL, 3, 0, 0, 1000, U, U, "333 ns" },

    { "{x:count} reads", "46001", 1, 0, 0, U, U, U, "46,001 reads" },
    { "{x:count} reads", "0", 1, 0, 0, U, U, U, "0 reads" },
    { "port {x}", "46001", 1, 0, 0, U, U, U, "port 46001" },
    { "fd[ {x}]", "0", 1, 0, 0, U, U, U, "fd 0" },
    { "a[ {x:count}]b", "0", 1, 0, 0, U, U, U, "ab" },
    { "{x:size} a time", "512", 1, 0, 0, U, U, U, "512 B a time" },
    { "{x:time}", "0.058463945s", 1, 0, 0, U, U, U, "58.5 ms" },
    { "{x:time}", "4s", 1, 0, 0, U, U, U, "4 s" },
    { "{x:time}", "0s", 1, 0, 0, U, U, U, "0 s" },
    { "a[ {x:time}]", "unknown", 1, 0, 0, U, U, U, "a" },
    { "{x:time}", "none", 1, 0, 0, U, U, U, "-" },
    { "{y:time}", "4s", 1, 0, 0, U, U, U, "-" },
    /* what is no number of the kind stays as it is: saved reports may say anything */
    { "{x:time}", "-0.5s", 1, 0, 0, U, U, U, "-0.5s" },
    { "{x:time}", "0.5", 1, 0, 0, U, U, U, "0.5" },
    { "{x:count}", "12 apples", 1, 0, 0, U, U, U, "12 apples" },
    { "{x:count}", "99999999999999999999", 1, 0, 0, U, U, U, "99999999999999999999" },
    { "{x:size}", "18446744073709551615", 1, 0, 0, U, U, U, "18446744073709551615" },
    { "{x:size}", "", 1, 0, 0, U, U, U, "" },
    { "{x:other}", "5", 1, 0, 0, U, U, U, "-" },
    { "", NULL, 1, 0, 0, U, U, U, "written by a sink" },
};

static void check_row(void **state)
{
    const struct row *row = *state;
    callgauge_report *report = cg_report_new();
    assert_non_null(report);
    const callgauge_key value = { { "x", 1 }, row->value == NULL ? cg_str(NULL, 0) : cg_str_z(row->value) };
    callgauge_finding_row finding = { .rule = { "r", 1 }, .title = { "t", 1 } };
    cg_finding_row_init(&finding);
    finding.form = cg_str_z(row->form);
    finding.message = cg_str_z("written by a sink");
    finding.calls = row->calls;
    finding.errors = row->errors;
    finding.of_calls = row->of_calls;
    finding.wall_ns = row->wall_ns;
    finding.bytes = row->bytes;
    finding.saved_calls = row->saved;
    finding.values = &value;
    finding.value_count = row->value != NULL;
    assert_true(cg_finding_row_tell(report, &finding));
    if (!cg_str_is(finding.message, row->message)) {
        print_error("%.*s\n", (int)finding.message.len, finding.message.ptr);
    }
    assert_true(cg_str_is(finding.message, row->message));
    callgauge_report_free(report);
}

int main(void)
{
    struct CMUnitTest tests[ROWS];
    for (size_t i = 0; i < ROWS; i++) {
        tests[i] = (struct CMUnitTest){ .name = rows[i].form, .test_func = check_row, .initial_state = &rows[i] };
    }
    return cmocka_run_group_tests_name("message", tests, NULL, NULL);
}
