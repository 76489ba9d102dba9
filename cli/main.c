/* SPDX-License-Identifier: Apache-2.0 */
/* callgauge: the command. Finds the subcommand and lets it run; without one, `report` is meant. */
#include <string.h>
#include <sys/stat.h>

#include <callgauge/callgauge.h>

#include "inputs.h"
#include "message.h"
#include "options.h"
#include "unit.h"

static const command *const commands[] = { &command_report,    &command_summary, &command_detect, &command_files,
                                           &command_processes, &command_compare, &command_check,  &command_events,
                                           &command_merge,     &command_rules };
enum { COMMANDS = sizeof commands / sizeof *commands };

static const command *find_command(const char *name)
{
    for (size_t i = 0; i < COMMANDS; i++) {
        if (strcmp(commands[i]->name, name) == 0) {
            return commands[i];
        }
    }
    return NULL;
}

static void print_usage(FILE *to)
{
    fputs("usage: callgauge [COMMAND] [OPTION]... FILE...\n\n"
          "Reads what truss and strace wrote, traces and -c tables alike, and counts the\n"
          "system calls. FILE may be packed (gzip, zstd, xz, bzip2), a tar bundle of\n"
          "strace -ff files, a report that was saved as JSON, or - for standard input.\n"
          "Without COMMAND, report is meant.\n\n",
          to);
    for (size_t i = 0; i < COMMANDS; i++) {
        fprintf(to, "  %-11s%s\n", commands[i]->name, commands[i]->purpose);
    }
    fputs(
        "  help       Shows this, or the options of a command: callgauge help summary.\n"
        "  version    Shows the version and what is built in.\n\n"
        "Exit status: 0 fine; 1 what --fail-on asks for, or a broken limit of check; 2 wrong use, nothing that could\n"
        "be read, a limit that could not be judged, or unread lines with --strict.\n",
        to);
}

static void print_version(void)
{
    printf("callgauge %s\n", callgauge_version());
    for (size_t i = 0; callgauge_feature(i) != NULL; i++) {
        printf("%s%s", i == 0 ? "with " : ", ", callgauge_feature(i));
    }
    fputs(callgauge_feature(0) == NULL ? "" : "\n", stdout);
    for (size_t i = 0; callgauge_dialect_name(i) != NULL; i++) {
        printf("%s%s", i == 0 ? "reads " : ", ", callgauge_dialect_name(i));
    }
    fputs("\n", stdout);
}

static int end_of_print(void)
{
    if (fflush(stdout) == 0) {
        return EXIT_FINE;
    }
    say("standard output could not be written");
    return EXIT_TROUBLE;
}

/* The command that `word` nearly is; NULL: none. */
static const char *nearest_command(const char *word)
{
    const char *names[COMMANDS];
    for (size_t i = 0; i < COMMANDS; i++) {
        names[i] = commands[i]->name;
    }
    return nearest_word(word, names, COMMANDS);
}

static void say_unknown(const char *word, const char *near)
{
    char text[160];
    if (near != NULL) {
        snprintf(text, sizeof text, "unknown command '%s'; did you mean '%s'?", word, near);
    } else {
        snprintf(text, sizeof text, "unknown command '%s'; 'callgauge help' lists them", word);
    }
    say(text);
}

static int help(int argc, char **argv)
{
    if (argc == 0 || strcmp(argv[0], "help") == 0) {
        print_usage(stdout);
        return end_of_print();
    }
    const command *cmd = find_command(argv[0]);
    if (cmd == NULL) {
        say_unknown(argv[0], nearest_command(argv[0]));
        return EXIT_TROUBLE;
    }
    options_explain(cmd, stdout);
    return end_of_print();
}

/* A word that is neither command nor file, but nearly a command, is a mistyped one. */
static bool is_mistyped(const char *word)
{
    struct stat info;
    const char *near = nearest_command(word);
    if (near == NULL || stat(word, &info) == 0) {
        return false;
    }
    say_unknown(word, near);
    return true;
}

static int run(const command *cmd, int argc, char **argv)
{
    settings wanted;
    char fault[256];
    if (!options_parse(cmd, argc, argv, &wanted, fault, sizeof fault)) {
        say(fault);
        return EXIT_TROUBLE;
    }
    if (wanted.help) {
        options_explain(cmd, stdout);
        return end_of_print();
    }
    if (wanted.file_count + wanted.before.count + wanted.after.count == 0) {
        snprintf(fault, sizeof fault, "%s; usage: callgauge %s [OPTION]... %s",
                 cmd->arguments != NULL ? "an argument is missing" : "no file is named", cmd->name,
                 cmd->arguments != NULL ? cmd->arguments : "FILE...");
        say(fault);
        return EXIT_TROUBLE;
    }
    if (!inputs_know_dialect(&wanted, fault, sizeof fault) || !unit_is_sane(wanted.unit, fault, sizeof fault)) {
        say(fault);
        return EXIT_TROUBLE;
    }
    return cmd->run(&wanted);
}

int main(int argc, char **argv)
{
    const char *word = argc > 1 ? argv[1] : "";
    const command *cmd = find_command(word);
    if (cmd != NULL) {
        return run(cmd, argc - 2, argv + 2);
    }
    if (strcmp(word, "help") == 0 || strcmp(word, "--help") == 0 || strcmp(word, "-h") == 0) {
        return help(argc - 2, argv + 2);
    }
    if (strcmp(word, "version") == 0 || strcmp(word, "--version") == 0) {
        print_version();
        return end_of_print();
    }
    if (argc < 2) {
        print_usage(stderr);
        return EXIT_TROUBLE;
    }
    return is_mistyped(word) ? EXIT_TROUBLE : run(&command_report, argc - 1, argv + 1);
}
