/* SPDX-License-Identifier: Apache-2.0 */
/* Turns a log of `strace -f -ttt -T` (standard input) into what `truss -f -l -d -E` would have printed of the
 * same calls (standard output), and counts them: name, calls, errors, calls that do not return (file named by
 * the argument). For measuring only: system call names stay Linux's, pointers stand for structures, halves of
 * calls become one line. Invariant: each call printed is counted, and no other. */
#include <ctype.h>
#include <inttypes.h>
#include <stdbool.h>
#include <stdint.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>

enum { MAX_PID = 4194304 * 2, MAX_NAMES = 1024, RESULT_COLUMN = 48, SLEEP_COLUMN = 32, SHOWN_BYTES = 12 };

typedef struct counter {
    char name[48];
    uint64_t calls, errors, unreturned;
} counter;

typedef struct buffer {
    char *data;
    size_t len, room;
} buffer;

/* The first half of a call, by pid. */
typedef struct half {
    char *call; /* "name(args so far"; NULL: none */
    bool slept; /* its sleeping line was printed */
} half;

typedef struct converter {
    counter counters[MAX_NAMES];
    size_t counter_count;
    half *halves;
    double base;
    buffer call, out;
} converter;

typedef struct errno_name {
    const char *name;
    int number;
} errno_name;

/* Numbers that differ between the systems, and the usual ones. */
static const errno_name errno_names[] = {
    { "EPERM", 1 },       { "ENOENT", 2 },         { "ESRCH", 3 },          { "EINTR", 4 },      { "EIO", 5 },
    { "ENXIO", 6 },       { "E2BIG", 7 },          { "ENOEXEC", 8 },        { "EBADF", 9 },      { "ECHILD", 10 },
    { "EAGAIN", 11 },     { "ENOMEM", 12 },        { "EACCES", 13 },        { "EFAULT", 14 },    { "EBUSY", 16 },
    { "EEXIST", 17 },     { "ENODEV", 19 },        { "ENOTDIR", 20 },       { "EISDIR", 21 },    { "EINVAL", 22 },
    { "ENOTTY", 25 },     { "EFBIG", 27 },         { "ENOSPC", 28 },        { "ESPIPE", 29 },    { "EPIPE", 32 },
    { "ERANGE", 34 },     { "ENODATA", 61 },       { "EPROTO", 71 },        { "ENOTSUP", 48 },   { "EOVERFLOW", 79 },
    { "ENOSYS", 89 },     { "ELOOP", 90 },         { "ERESTART", 91 },      { "ENOTEMPTY", 93 }, { "EADDRINUSE", 125 },
    { "ENOTSOCK", 95 },   { "EOPNOTSUPP", 122 },   { "EAFNOSUPPORT", 124 }, { "ENOTCONN", 134 }, { "EINPROGRESS", 150 },
    { "ETIMEDOUT", 145 }, { "ECONNREFUSED", 146 }, { "EALREADY", 149 },
};

static void fail(const char *why)
{
    fprintf(stderr, "to_truss: %s\n", why);
    exit(2);
}

static void add(buffer *to, const char *data, size_t len)
{
    if (to->len + len + 1 > to->room) {
        to->room = 2 * (to->len + len + 1);
        to->data = realloc(to->data, to->room);
        if (to->data == NULL) {
            fail("out of memory");
        }
    }
    memcpy(to->data + to->len, data, len);
    to->len += len;
    to->data[to->len] = '\0';
}

static void add_z(buffer *to, const char *data)
{
    add(to, data, strlen(data));
}

static void clear(buffer *to)
{
    to->len = 0;
    add(to, "", 0);
}

static counter *count_of(converter *self, const char *name, size_t len)
{
    for (size_t i = 0; i < self->counter_count; i++) {
        if (strncmp(self->counters[i].name, name, len) == 0 && self->counters[i].name[len] == '\0') {
            return &self->counters[i];
        }
    }
    if (self->counter_count == MAX_NAMES || len >= sizeof self->counters[0].name) {
        fail("too many names, or too long ones");
    }
    counter *made = &self->counters[self->counter_count++];
    memcpy(made->name, name, len);
    return made;
}

static size_t name_length(const char *call)
{
    return strspn(call, "abcdefghijklmnopqrstuvwxyz0123456789_");
}

/* --- arguments */

/* The byte that a (strace) string shows at `at`, which moves behind it. */
static int shown_byte(const char **at)
{
    static const char letters[] = "n\nt\tr\rf\fv\v\"\"\\\\";
    if (**at != '\\') {
        return (unsigned char)*(*at)++;
    }
    (*at)++;
    if (**at == 'x') {
        char hex[3] = { (*at)[1], (*at)[1] != '\0' ? (*at)[2] : '\0', '\0' };
        *at += 3;
        return (int)strtol(hex, NULL, 16);
    }
    if (**at >= '0' && **at <= '7') {
        int value = 0;
        for (int digits = 0; digits < 3 && **at >= '0' && **at <= '7'; digits++) {
            value = value * 8 + (*(*at)++ - '0');
        }
        return value & 0xFF;
    }
    const char *letter = strchr(letters, **at);
    (*at)++;
    return letter == NULL ? '?' : letter[1];
}

/* A byte of an I/O buffer: two characters. */
static void add_pair(buffer *to, int byte)
{
    static const char escapes[] = "0\0b\bt\tn\nv\vf\fr\r";
    char pair[8];
    for (size_t i = 0; i < sizeof escapes - 1; i += 2) {
        if (escapes[i + 1] == byte) {
            snprintf(pair, sizeof pair, "\\%c", escapes[i]);
            add_z(to, pair);
            return;
        }
    }
    snprintf(pair, sizeof pair, isprint(byte) ? " %c" : "%02X", (unsigned)byte);
    add_z(to, pair);
}

static void add_path_byte(buffer *to, int byte)
{
    char shown[8];
    snprintf(shown, sizeof shown, byte == '"' ? "\\\"" : isprint(byte) ? "%c" : "\\x%02x", (unsigned)byte);
    add_z(to, shown);
}

static void add_string(buffer *to, const char *arg, size_t len, bool is_buffer)
{
    const char *end = arg + len;
    const char *at = arg + 1;
    size_t bytes = 0;
    bool more = false;
    add_z(to, "\"");
    for (; at < end && *at != '"' && !more; bytes++) {
        more = is_buffer && bytes == SHOWN_BYTES;
        int byte = shown_byte(&at);
        if (!more) {
            (is_buffer ? add_pair : add_path_byte)(to, byte);
        }
    }
    add_z(to, more || (is_buffer && end[-1] == '.') ? "\".." : "\"");
}

static void add_pointer(buffer *to, const char *digits, size_t len)
{
    char shown[32];
    size_t used = 0;
    size_t zeros = len < 8 ? 8 - len : 0;
    for (; used < zeros; used++) {
        shown[used] = '0';
    }
    for (size_t i = 0; i < len && used < sizeof shown - 1; i++) {
        shown[used++] = (char)toupper((unsigned char)digits[i]);
    }
    add_z(to, "0x");
    add(to, shown, used);
}

static size_t hex_length(const char *text, size_t len)
{
    size_t n = 0;
    if (len > 2 && text[0] == '0' && text[1] == 'x') {
        while (2 + n < len && isxdigit((unsigned char)text[2 + n])) {
            n++;
        }
    }
    return n;
}

static void add_argument(buffer *to, const char *arg, size_t len, bool is_buffer)
{
    size_t hex = hex_length(arg, len);
    size_t word = strcspn(arg, "<, /{[(=~&"); /* the pid or fd before its decoration, flags, a number */
    if (len > 0 && arg[0] == '"') {
        add_string(to, arg, len, is_buffer);
    } else if (hex > 0) {
        add_pointer(to, arg + 2, hex);
    } else if (len == 4 && memcmp(arg, "NULL", 4) == 0) {
        add_z(to, "0x00000000");
    } else if (word >= len || (word > 0 && arg[word] == '<')) {
        add(to, arg, word < len ? word : len);
    } else {
        add_z(to, "0x08047C50");
    }
}

/* The length of the argument at `at`: up to a comma outside quotes and brackets. */
static size_t argument_length(const char *at)
{
    int depth = 0;
    bool quoted = false;
    size_t n = 0;
    for (; at[n] != '\0' && (quoted || depth > 0 || at[n] != ','); n++) {
        if (quoted && at[n] == '\\' && at[n + 1] != '\0') {
            n++;
        } else if (at[n] == '"') {
            quoted = !quoted;
        } else if (!quoted && strchr("{[(<", at[n]) != NULL) {
            depth++;
        } else if (!quoted && depth > 0 && strchr("}])", at[n]) != NULL) {
            depth--;
        } else if (!quoted && depth > 0 && at[n] == '>' && n > 0 && at[n - 1] != '-') {
            depth--;
        }
    }
    return n;
}

static bool shows_buffer(const char *call, size_t name)
{
    static const char *const names[] = { "read", "write", "pread64", "pwrite64", "recvfrom", "sendto" };
    for (size_t i = 0; i < sizeof names / sizeof names[0]; i++) {
        if (strlen(names[i]) == name && memcmp(call, names[i], name) == 0) {
            return true;
        }
    }
    return false;
}

/* "name(args" of strace to "name(args)" of truss, into self->out. */
static void convert_call(converter *self, const char *call)
{
    size_t name = name_length(call);
    bool is_buffer = shows_buffer(call, name);
    const char *at = call + name + (call[name] == '(');
    clear(&self->out);
    add(&self->out, call, name);
    add_z(&self->out, "(");
    while (*at != '\0') {
        size_t len = argument_length(at);
        add_argument(&self->out, at, len, is_buffer);
        at += len;
        if (*at == ',') {
            at += 1 + (at[1] == ' ');
            add_z(&self->out, *at != '\0' ? ", " : "");
        }
    }
    add_z(&self->out, ")");
}

/* --- lines */

static void print_prefix(long pid, double since_base, double cpu)
{
    char who[32];
    int len = snprintf(who, sizeof who, "%ld/1", pid);
    printf("%s:%s%7.4f\t%7.4f\t", who, len <= 6 ? "\t\t" : "\t", since_base, cpu);
}

static void print_gap(size_t len, size_t column)
{
    fputs(len >= column ? " " : "", stdout);
    for (; len < column; len = (len / 8 + 1) * 8) {
        putchar('\t');
    }
}

static void print_error(const char *name, size_t len)
{
    int number = 0;
    for (size_t i = 0; i < sizeof errno_names / sizeof errno_names[0]; i++) {
        if (strlen(errno_names[i].name) == len && memcmp(errno_names[i].name, name, len) == 0) {
            number = errno_names[i].number;
        }
    }
    printf("Err#%d %.*s\n", number == 0 ? 152 : number, (int)len, name);
}

static void print_value(const char *result)
{
    size_t hex = hex_length(result, strlen(result));
    if (hex > 0) {
        buffer shown = { NULL, 0, 0 };
        add_pointer(&shown, result + 2, hex);
        printf("= %s\n", shown.data);
        free(shown.data);
    } else {
        printf("= %.*s\n", (int)(strspn(result, "-") + strspn(result + strspn(result, "-"), "0123456789")), result);
    }
}

/* The result of a call: "3</x>", "-1 ENOENT (...)", "? ERESTARTSYS (...)", "?". Counts and prints the line. */
static void finish_call(converter *self, long pid, double when, const char *call, const char *result, double duration)
{
    size_t name = name_length(call);
    bool failed = strncmp(result, "-1 E", 4) == 0 || strncmp(result, "? E", 3) == 0;
    bool exits = result[0] == '?' && !failed;
    if (exits && strncmp(call, "exit", 4) != 0) {
        return; /* cut off by death: truss prints nothing */
    }
    counter *count = exits ? count_of(self, "_exit", 5) : count_of(self, call, name);
    count->calls += !exits;
    count->errors += failed;
    count->unreturned += exits;
    print_prefix(pid, when - self->base, duration);
    if (exits) {
        printf("_exit(%.*s)\n", (int)strspn(call + name + 1, "0123456789"), call + name + 1);
        return;
    }
    convert_call(self, call);
    fputs(self->out.data, stdout);
    if (!failed && strncmp(call, "execve(", 7) == 0) {
        puts("  argc = 1");
        return;
    }
    print_gap(self->out.len, RESULT_COLUMN);
    if (failed) {
        const char *error = strchr(result, 'E');
        bool restarts = result[0] == '?';
        print_error(restarts ? "ERESTART" : error, restarts ? 8 : strcspn(error, " "));
    } else {
        print_value(result);
    }
}

static bool may_sleep(const char *call)
{
    static const char *const names[] = { "wait4(", "poll(", "select(", "pselect6(", "epoll_wait(", "accept4(" };
    for (size_t i = 0; i < sizeof names / sizeof names[0]; i++) {
        if (strncmp(call, names[i], strlen(names[i])) == 0) {
            return true;
        }
    }
    return false;
}

static void drop_half(converter *self, long pid)
{
    half *open = &self->halves[pid];
    if (open->call != NULL && open->slept) {
        count_of(self, open->call, name_length(open->call))->unreturned++;
    }
    free(open->call);
    *open = (half){ NULL, false };
}

static void begin_call(converter *self, long pid, const char *call)
{
    half *open = &self->halves[pid];
    drop_half(self, pid);
    open->call = strdup(call);
    if (open->call == NULL) {
        fail("out of memory");
    }
    open->slept = may_sleep(call);
    if (open->slept) {
        char who[32];
        int len = snprintf(who, sizeof who, "%ld/1", pid);
        convert_call(self, call);
        printf("%s:%s%s", who, len <= 6 ? "\t\t" : "\t", self->out.data);
        print_gap(self->out.len, SLEEP_COLUMN);
        puts("(sleeping...)");
    }
}

/* Cuts " = result <duration>" off a whole call; false: there is none. */
static bool split_result(char *line, char **result, double *duration)
{
    size_t len = strlen(line);
    char *stamp = len > 2 && line[len - 1] == '>' ? strrchr(line, '<') : NULL;
    *duration = 0;
    if (stamp != NULL && stamp > line && stamp[-1] == ' ') {
        *duration = strtod(stamp + 1, NULL);
        stamp[-1] = '\0';
    }
    char *found = NULL;
    for (char *at = strstr(line, ") "); at != NULL; at = strstr(at + 1, ") ")) {
        char *sign = at + 1 + strspn(at + 1, " ");
        found = strncmp(sign, "= ", 2) == 0 ? at : found;
    }
    if (found == NULL) {
        return false;
    }
    *result = strchr(found, '=') + 2;
    *found = '\0';
    return true;
}

/* The second half of a call. One that death cut off prints nothing; if it slept, that line is all there is of it. */
static void read_resumed(converter *self, long pid, double when, char *rest)
{
    half *open = &self->halves[pid];
    char *name = rest + strlen("<... ");
    char *tail = strstr(name, " resumed>");
    char *result;
    double duration;
    if (tail == NULL) {
        return;
    }
    tail += strlen(" resumed>");
    clear(&self->call);
    if (open->call != NULL) {
        add_z(&self->call, open->call);
    } else {
        add(&self->call, name, name_length(name));
        add_z(&self->call, "(");
    }
    bool is_exit = strncmp(self->call.data, "exit", 4) == 0;
    bool prints = split_result(tail, &result, &duration) && (is_exit || strcmp(result, "?") != 0);
    open->slept = open->slept && !prints;
    drop_half(self, pid);
    if (prints) {
        add_z(&self->call, tail);
        finish_call(self, pid, when, self->call.data, result, duration);
    }
}

static void read_call(converter *self, long pid, double when, char *rest)
{
    static const char unfinished[] = " <unfinished ...>";
    size_t len = strlen(rest);
    size_t mark = sizeof unfinished - 1;
    char *result;
    double duration;
    if (rest[name_length(rest)] != '(' || name_length(rest) == 0) {
        return;
    }
    if (len > mark && strcmp(rest + len - mark, unfinished) == 0) {
        rest[len - mark] = '\0';
        begin_call(self, pid, rest);
    } else if (split_result(rest, &result, &duration)) {
        finish_call(self, pid, when, rest, result, duration);
    }
}

static void read_signal(converter *self, long pid, double when, const char *rest)
{
    size_t len = strcspn(rest + 4, " ");
    print_prefix(pid, when - self->base, 0);
    printf("    Received signal #18, %.*s [default]\n", (int)len, rest + 4);
}

static void read_line(converter *self, char *line)
{
    char *at = line;
    long pid = strtol(at, &at, 10);
    double when = strtod(at, &at);
    if (pid <= 0 || pid >= MAX_PID || *at != ' ') {
        return;
    }
    at++;
    if (self->base == 0) {
        self->base = when;
        printf("Base time stamp:  %.4f  [ Sat Nov 25 00:00:00 UTC 2023 ]\n", when);
    }
    if (strncmp(at, "<... ", 5) == 0) {
        read_resumed(self, pid, when, at);
    } else if (strncmp(at, "--- SIG", 7) == 0) {
        read_signal(self, pid, when, at);
    } else {
        read_call(self, pid, when, at);
    }
}

static void write_counts(converter *self, const char *path)
{
    FILE *file = fopen(path, "w");
    if (file == NULL) {
        fail("the file of counts cannot be written");
    }
    fputs("#syscall\tcalls\terrors\tnever_returned\n", file);
    for (size_t i = 0; i < self->counter_count; i++) {
        const counter *count = &self->counters[i];
        fprintf(file, "%s\t%" PRIu64 "\t%" PRIu64 "\t%" PRIu64 "\n", count->name, count->calls, count->errors,
                count->unreturned);
    }
    if (fclose(file) != 0) {
        fail("the file of counts cannot be written");
    }
}

int main(int argc, char **argv)
{
    static converter self;
    char *line = NULL;
    size_t room = 0;
    ssize_t len;
    if (argc != 2) {
        fail("usage: to_truss COUNTS.tsv <STRACE >TRUSS");
    }
    self.halves = calloc(MAX_PID, sizeof self.halves[0]);
    if (self.halves == NULL) {
        fail("out of memory");
    }
    while ((len = getline(&line, &room, stdin)) > 0) {
        line[len - (line[len - 1] == '\n')] = '\0';
        read_line(&self, line);
    }
    for (long pid = 0; pid < MAX_PID; pid++) {
        drop_half(&self, pid);
    }
    write_counts(&self, argv[1]);
    free(line);
    free(self.call.data);
    free(self.out.data);
    free(self.halves);
    return fflush(stdout) == 0 ? 0 : 2;
}
