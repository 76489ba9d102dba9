/* SPDX-License-Identifier: Apache-2.0 */
/* Measures callgauge_report_merge(): 1,000 reports of 300 rows each, made here and read from JSON, so that it needs
 * what is public only. `same`: all reports have the same rows; `apart`: none has a row of another. Prints the CPU time
 * of each, and writes the reports into a folder when one is named.
 *
 *     bench_merge [FOLDER] */
#include <stdio.h>
#include <stdlib.h>
#include <string.h>
#include <time.h>

#include <callgauge/callgauge.h>

enum { REPORTS = 1000, ROWS = 300, BUCKETS = 24, GROUPS = 10, ROOM = 1 << 20 };

typedef struct text {
    char data[ROOM];
    size_t len;
} text;

static void put(text *to, const char *data)
{
    size_t len = strlen(data);
    if (len >= sizeof to->data - to->len) {
        fputs("the report is larger than its room\n", stderr);
        exit(2);
    }
    memcpy(to->data + to->len, data, len + 1);
    to->len += len;
}

static void put_call(text *to, unsigned id, const char *before)
{
    char part[320];
    snprintf(
        part, sizeof part,
        "%s{\"name\":\"call_%u\",\"class\":\"other\",\"calls\":%u,\"errors\":3,\"unreturned\":0,\"wall_ns\":%u,"
        "\"wall_calls\":%u,\"min_ns\":100,\"max_ns\":90000,\"durations\":{\"kind\":\"wall\",\"scale\":64,\"buckets\":[",
        before, id, 10 * BUCKETS, 1000 + id, 10 * BUCKETS);
    put(to, part);
    for (unsigned i = 0; i < BUCKETS; i++) {
        snprintf(part, sizeof part, "%s[%u,10]", i == 0 ? "" : ",", 200 + 7 * i);
        put(to, part);
    }
    put(to, "]},\"errors_by_name\":{\"EAGAIN\":1,\"ENOENT\":2}}");
}

static void put_file(text *to, unsigned id, unsigned pid, const char *before)
{
    char part[640];
    snprintf(part, sizeof part,
             "%s{\"path\":\"/srv/data/%u\",\"kind\":\"file\",\"calls\":9,\"errors\":1,\"opens\":1,"
             "\"failed_opens_by_error\":{\"ENOENT\":1},\"reads\":5,\"eof_reads\":1,\"bytes_read\":4096,\"min_read\":1,"
             "\"max_read\":1024,\"writes\":0,\"empty_writes\":0,\"transfers\":4,\"jumps\":0,\"maps\":0,\"wall_ns\":500,"
             "\"wall_calls\":9,\"processes\":[%u],\"readers\":[%u],\"writers\":[],\"first\":[0,3],\"last\":[0,99]}",
             before, id, pid, pid);
    put(to, part);
}

static void put_process(text *to, unsigned pid, const char *before)
{
    char part[320];
    snprintf(part, sizeof part,
             "%s{\"pid\":%u,\"calls\":40,\"errors\":2,\"unreturned\":1,\"wall_ns\":700,\"wall_calls\":40,\"life\":1,"
             "\"program\":\"/bin/sh\",\"argv\":[\"sh\",\"-c\",\"true\"],\"born\":true,\"ended\":true,"
             "\"threads\":[{\"tid\":%u,\"working_ns\":1,\"waiting_ns\":2,\"outside_ns\":3}]}",
             before, pid, pid);
    put(to, part);
}

static void put_finding(text *to, unsigned id, unsigned group, const char *before)
{
    char part[320];
    snprintf(part, sizeof part,
             "%s{\"rule\":\"rule-%u\",\"severity\":\"note\",\"title\":\"t\",\"form\":\"{calls} calls\",\"rests_on\":"
             "\"counts\",\"calls\":10,\"errors\":0,\"times\":1,\"of_calls\":20,\"undecided\":0,\"groups_left_out\":0,"
             "\"evidence\":[{\"capture\":0,\"line\":7,\"text\":\"read(3) = 1\"}],\"groups\":[",
             before, id);
    put(to, part);
    for (unsigned i = 0; i < GROUPS; i++) {
        snprintf(part, sizeof part, "%s{\"key\":{\"path\":\"/srv/%u\"},\"calls\":1,\"errors\":0}", i == 0 ? "" : ",",
                 group + i);
        put(to, part);
    }
    put(to, "]}");
}

static void put_head(text *to, unsigned report)
{
    char part[400];
    to->len = 0;
    snprintf(
        part, sizeof part,
        "{\"schema\":\"callgauge.report/1\",\"captures\":[{\"name\":\"%u.strace\",\"has\":[\"events\"],\"bytes\":9,"
        "\"lines\":100,\"events\":100,\"event_lines\":100,\"continuation_lines\":0,\"table_lines\":0,"
        "\"notice_lines\":0,\"foreign_lines\":0,\"unread_lines\":0}],\n\"calls\":[",
        report);
    put(to, part);
}

/* 300 rows of calls. */
static void make_calls(text *to, unsigned report, unsigned apart)
{
    put_head(to, report);
    for (unsigned i = 0; i < ROWS; i++) {
        put_call(to, i + report * apart * ROWS, i == 0 ? "" : ",\n");
    }
    put(to, "]}\n");
}

/* 300 rows of all kinds: calls, files, processes, findings. */
static void make_mixed(text *to, unsigned report, unsigned apart)
{
    const unsigned id = report * apart * ROWS;
    put_head(to, report);
    for (unsigned i = 0; i < 80; i++) {
        put_call(to, i + id, i == 0 ? "" : ",\n");
    }
    put(to, "],\n\"files\":[");
    for (unsigned i = 0; i < 140; i++) {
        put_file(to, i + id, 1 + i + id, i == 0 ? "" : ",\n");
    }
    put(to, "],\n\"processes\":[");
    for (unsigned i = 0; i < 60; i++) {
        put_process(to, 1 + i + id, i == 0 ? "" : ",\n");
    }
    put(to, "],\n\"findings\":[");
    for (unsigned i = 0; i < 20; i++) { /* of the same rules, but other groups */
        put_finding(to, i, id, i == 0 ? "" : ",\n");
    }
    put(to, "]}\n");
}

static double cpu_seconds(void)
{
    struct timespec now;
    clock_gettime(CLOCK_PROCESS_CPUTIME_ID, &now);
    return (double)now.tv_sec + 1e-9 * (double)now.tv_nsec;
}

static void save(const char *folder, const char *kind, unsigned report, const text *json)
{
    char path[512];
    snprintf(path, sizeof path, "%s/%s-%u.json", folder, kind, report);
    FILE *file = fopen(path, "wb");
    if (file == NULL || fwrite(json->data, 1, json->len, file) != json->len || fclose(file) != 0) {
        perror(path);
        exit(2);
    }
}

static void measure(const char *kind, void (*make)(text *to, unsigned report, unsigned apart), unsigned apart,
                    const char *folder)
{
    static callgauge_report *reports[REPORTS];
    static text json;
    callgauge_error error = CALLGAUGE_ERROR_INIT;
    size_t bytes = 0;
    double before = cpu_seconds();
    for (unsigned i = 0; i < REPORTS; i++) {
        make(&json, i, apart);
        bytes += json.len;
        if (callgauge_report_read(kind, json.data, json.len, &reports[i], &error) != CALLGAUGE_OK) {
            fprintf(stderr, "%s\n", error.message);
            exit(2);
        }
        if (folder != NULL) {
            save(folder, kind, i, &json);
        }
    }
    double made = cpu_seconds();
    callgauge_report *sum;
    if (callgauge_report_merge((const callgauge_report *const *)reports, REPORTS, &sum, &error) != CALLGAUGE_OK) {
        fprintf(stderr, "%s\n", error.message);
        exit(2);
    }
    double merged = cpu_seconds();
    printf("%-12s %4d reports of %d rows, %5.1f MB of JSON: made and read in %.2f s, merged in %.3f s: %zu calls, %zu "
           "files, "
           "%zu processes, %zu findings\n",
           kind, REPORTS, ROWS, (double)bytes / 1e6, made - before, merged - made, callgauge_report_call_count(sum),
           callgauge_report_file_count(sum), callgauge_report_process_count(sum), callgauge_report_finding_count(sum));
    callgauge_report_free(sum);
    for (unsigned i = 0; i < REPORTS; i++) {
        callgauge_report_free(reports[i]);
    }
}

int main(int argc, char **argv)
{
    const char *folder = argc > 1 ? argv[1] : NULL;
    measure("calls-same", make_calls, 0, folder);
    measure("calls-apart", make_calls, 1, folder);
    measure("mixed-same", make_mixed, 0, folder);
    measure("mixed-apart", make_mixed, 1, folder);
    return 0;
}
