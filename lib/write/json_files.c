/* SPDX-License-Identifier: Apache-2.0 */
/* The files and descriptors of a JSON report. Means and the order are worked out for those who read it and are not
 * read back. */
#include "write/json_keys.h"

#include "write/derived.h"

static void write_identity(cg_json *json, const callgauge_file_row *row)
{
    cg_json_captured(json, "path", row->path);
    cg_json_text(json, "kind", callgauge_file_kind_text(row->kind));
    cg_json_captured(json, "peer", row->peer);
    cg_json_port(json, "port", row->peer_port);
    cg_json_captured(json, "local", row->local);
    cg_json_port(json, "local_port", row->local_port);
    cg_json_bool(json, "opened_before", row->opened_before);
    cg_json_bool(json, "relative", row->relative);
    cg_json_maybe(json, "pid", row->pid);
    cg_json_maybe(json, "fd", row->fd);
    cg_json_number(json, "number", row->number);
    cg_json_captured(json, "renamed_to", row->renamed_to);
}

static void write_reads(cg_json *json, const callgauge_file_row *row)
{
    cg_json_count(json, "reads", row->reads);
    cg_json_count(json, "eof_reads", row->eof_reads);
    cg_json_maybe(json, "bytes_read", row->bytes_read);
    cg_json_maybe(json, "mean_read", cg_mean_read(row));
    cg_json_maybe(json, "min_read", row->min_read);
    cg_json_maybe(json, "max_read", row->max_read);
    cg_json_maybe(json, "reread_bytes", row->reread_bytes);
}

static void write_writes(cg_json *json, const callgauge_file_row *row)
{
    cg_json_count(json, "writes", row->writes);
    cg_json_count(json, "empty_writes", row->empty_writes);
    cg_json_maybe(json, "bytes_written", row->bytes_written);
    cg_json_maybe(json, "mean_write", cg_mean_write(row));
    cg_json_maybe(json, "min_write", row->min_write);
    cg_json_maybe(json, "max_write", row->max_write);
}

static void write_file(cg_json *json, const callgauge_file_row *row)
{
    cg_json_row(json);
    write_identity(json, row);
    cg_json_count(json, "calls", row->calls);
    cg_json_count(json, "errors", row->errors);
    cg_json_count(json, "opens", row->opens);
    cg_json_names(json, "failed_opens_by_error", row->failed_opens_by_error, row->failed_open_count);
    write_reads(json, row);
    write_writes(json, row);
    cg_json_text(json, "order", callgauge_order_text(callgauge_file_order(row)));
    cg_json_count(json, "transfers", row->transfers);
    cg_json_count(json, "jumps", row->jumps);
    cg_json_count(json, "maps", row->maps);
    cg_json_maybe(json, "cpu_ns", row->cpu_ns);
    cg_json_maybe(json, "wall_ns", row->wall_ns);
    cg_json_maybe(json, "waiting_ns", row->waiting_ns);
    cg_json_timed_calls(json, "cpu_calls", row->cpu_ns, row->cpu_calls);
    cg_json_timed_calls(json, "wall_calls", row->wall_ns, row->wall_calls);
    cg_json_numbers(json, "processes", row->processes, row->process_count);
    cg_json_numbers(json, "readers", row->readers, row->reader_count);
    cg_json_numbers(json, "writers", row->writers, row->writer_count);
    cg_json_place(json, "first", row->first);
    cg_json_place(json, "last", row->last);
    cg_json_close(json, '}');
}

static void write_descriptor(cg_json *json, const callgauge_descriptor_row *row)
{
    cg_json_row(json);
    cg_json_maybe(json, "pid", row->pid);
    cg_json_maybe(json, "fd", row->fd);
    cg_json_text(json, "kind", callgauge_file_kind_text(row->kind));
    cg_json_captured(json, "path", row->path);
    cg_json_captured(json, "peer", row->peer);
    cg_json_port(json, "port", row->peer_port);
    cg_json_captured(json, "local", row->local);
    cg_json_port(json, "local_port", row->local_port);
    cg_json_bool(json, "opened_before", row->opened_before);
    cg_json_bool(json, "closed", row->closed);
    cg_json_close(json, '}');
}

void cg_json_files(cg_json *json, const callgauge_report *report)
{
    size_t n = callgauge_report_file_count(report);
    cg_json_rows(json, "files");
    for (size_t i = 0; i < n; i++) {
        write_file(json, callgauge_report_file(report, i));
    }
    cg_json_rows_end(json, n);
    n = callgauge_report_descriptor_count(report);
    cg_json_rows(json, "descriptors");
    for (size_t i = 0; i < n; i++) {
        write_descriptor(json, callgauge_report_descriptor(report, i));
    }
    cg_json_rows_end(json, n);
}
