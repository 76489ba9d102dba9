/* SPDX-License-Identifier: Apache-2.0 */
/* What the times in front of an event are. Their order is always -d, -D, -E, so that three are clear; of one
 * or two the base time header tells, or the command line in the capture, or the option --stamps, and else
 * the values: -d never falls, -D holds the waiting, -E (CPU time) does not and is often nothing at all.
 * Invariant: what was guessed is said as an assumption; what somebody stated never is. */
#include "dialect/truss.h"

enum {
    MOST_SAMPLES = 512,
    DELTA_NS = 50000000, /* no call of a usual capture needs so much CPU time; waiting takes more */
    SLEEP_NS = 500000000 /* truss reports sleepers after about a second */
};

typedef struct stamped {
    cg_truss_leader leader;
    callgauge_str name;
    bool slept; /* completes a sleeping line */
} stamped;

/* What is found of the columns with as many stamps. */
typedef struct samples {
    size_t count;
    bool falls;         /* the first column */
    size_t rises;       /* of it */
    size_t zeros;       /* of the last one; the first line is an exec's, and counts from the base */
    size_t same, other; /* the second is how far the first rose in its thread, or it is not */
    int64_t most;       /* of the last one */
    bool slept_long, slept_short;
    cg_truss_leader before;
    int64_t first; /* of `before` */
} samples;

typedef struct stated {
    bool d, delta, cpu; /* options that are known to have been given */
    bool command;       /* all of them are known */
} stated;

/* -D of a line is the rise of -d since the line before of the same thread. Times too short tell nothing. */
static void compare(samples *of, const cg_truss_leader *leader, int64_t rise, int64_t second)
{
    enum { UNIT_NS = 100000, TELLING_NS = 2 * UNIT_NS };
    bool same_thread = leader->pid == of->before.pid && leader->lwp == of->before.lwp;
    if (!same_thread || (rise < TELLING_NS && second < TELLING_NS)) {
        return;
    }
    bool same = rise - second <= UNIT_NS && second - rise <= UNIT_NS;
    of->same += same;
    of->other += !same;
}

static void sample(samples *of, const stamped *line)
{
    const cg_truss_leader *leader = &line->leader;
    int64_t first = cg_truss_stamp_ns(leader->stamp[0]), last = cg_truss_stamp_ns(leader->stamp[leader->stamps - 1]);
    if (of->count > 0) {
        int64_t rise = first - of->first;
        of->falls |= rise < 0;
        of->rises += rise > 0;
        compare(of, leader, rise, last);
    }
    of->zeros += last == 0 && !cg_str_starts(line->name, "exec");
    of->most = last > of->most ? last : of->most;
    of->slept_long |= line->slept && last >= SLEEP_NS;
    of->slept_short |= line->slept && last < SLEEP_NS;
    of->before = *leader;
    of->first = first;
    of->count++;
}

/* ---- what is stated */

/* Letters of one `-Df` word; true when the next word is an option's argument. */
static bool read_letters(callgauge_str word, stated *options)
{
    for (size_t i = 1; i < word.len; i++) {
        options->d |= word.ptr[i] == 'd';
        options->delta |= word.ptr[i] == 'D';
        options->cpu |= word.ptr[i] == 'E';
        if (cg_truss_is_in(word.ptr[i], "tTvxsSmMrwuUo")) {
            return i + 1 == word.len;
        }
        if (!cg_truss_is_in(word.ptr[i], "dDEcfliaeph")) {
            break;
        }
    }
    return false;
}

/* `$ truss -E -o file -p 123`: the words behind `truss`, as far as they are options. */
static bool read_command(callgauge_str text, stated *options)
{
    size_t found = cg_str_find(text, "truss -");
    bool word_before = found > 0 && found < text.len && cg_is_word(text.ptr[found - 1]);
    if (found == text.len || word_before) {
        return false;
    }
    const char *at = text.ptr + found + strlen("truss "), *end = text.ptr + text.len;
    *options = (stated){ .command = true };
    while (at < end && *at == '-') {
        const char *stop = at;
        while (stop < end && !cg_is_blank(*stop)) {
            stop++;
        }
        bool argument = read_letters(cg_str_range(at, stop), options);
        at = cg_truss_blanks(stop, end);
        for (; argument && at < end && !cg_is_blank(*at); at++) {
        }
        at = cg_truss_blanks(at, end);
    }
    return true;
}

/* ---- what is guessed */

static bool is_clock(const samples *of)
{
    enum { FEWEST = 3 };
    return !of->falls && of->count >= FEWEST && of->rises * 2 >= of->count;
}

static char guess_one(const samples *of)
{
    if (of->slept_short) {
        return 'E';
    }
    if (is_clock(of)) {
        return 'd';
    }
    if (of->slept_long) {
        return 'D';
    }
    return of->most < DELTA_NS && of->zeros > 0 ? 'E' : 'D';
}

static const char *text_of(char kind)
{
    return kind == 'd' ? "d" : kind == 'D' ? "D" : "E";
}

static char of_option(callgauge_stamps stamps)
{
    return stamps == CALLGAUGE_STAMPS_D_TIME    ? 'd'
           : stamps == CALLGAUGE_STAMPS_D_DELTA ? 'D'
           : stamps == CALLGAUGE_STAMPS_E_CPU   ? 'E'
                                                : '\0';
}

static char decide_one(cg_parse *parse, const stated *options, const samples *of)
{
    char asked = of_option(parse->options->stamps);
    if (asked != '\0') {
        return asked;
    }
    if (options->d || options->delta || options->cpu) {
        return options->d ? 'd' : options->delta ? 'D' : 'E';
    }
    char taken = guess_one(of);
    cg_parse_assume(parse, "stamp column", text_of(taken), "--stamps");
    return taken;
}

static void decide_two(cg_parse *parse, const stated *options, const samples *of, char kinds[2])
{
    char asked = of_option(parse->options->stamps);
    bool clock = options->d || (!options->command && is_clock(of));
    kinds[0] = clock ? 'd' : 'D';
    if (!clock) {
        kinds[1] = 'E';
    } else if (asked == 'D' || asked == 'E') {
        kinds[1] = asked;
    } else if (options->delta || options->cpu) {
        kinds[1] = options->delta ? 'D' : 'E';
    } else {
        bool delta = of->same + of->other > 0 ? of->same >= of->other : of->zeros == 0;
        kinds[1] = delta ? 'D' : 'E';
    }
    if (asked == '\0' && !options->command) {
        const char *taken = !clock ? "D, E" : kinds[1] == 'D' ? "d, D" : "d, E";
        cg_parse_assume(parse, "stamp columns", taken, "--stamps");
    }
}

static void decide(cg_parse *parse, const stated *options, const samples of[CG_TRUSS_STAMPS + 1], unsigned stamps)
{
    cg_truss *truss = parse->state;
    char *kinds = truss->kinds[stamps];
    if (kinds[0] != '\0' || stamps == 0) {
        return;
    }
    if (stamps == 1) {
        kinds[0] = decide_one(parse, options, &of[1]);
    } else if (stamps == 2) {
        decide_two(parse, options, &of[2], kinds);
    } else {
        kinds[0] = 'd';
        kinds[1] = 'D';
        kinds[2] = 'E';
    }
}

/* The stamped events of a line; a page may have joined several. `asleep` is the name of the last sleeper. */
static void sample_line(callgauge_str text, samples of[CG_TRUSS_STAMPS + 1], callgauge_str *asleep)
{
    const char *at = text.ptr, *end = text.ptr + text.len;
    bool sleeps = cg_str_find(text, "(sleeping...)") < text.len;
    stamped found = { 0 };
    cg_truss_leader_read(at, end, &found.leader);
    if (found.leader.stamps > 0 && cg_truss_is_special(found.leader.rest, end)) {
        sample(&of[found.leader.stamps], &found);
        return;
    }
    while (of[1].count + of[2].count < MOST_SAMPLES && cg_truss_find(&at, end, &found.leader)) {
        found.name = cg_truss_name(found.leader.rest, end);
        if (found.leader.stamps > 0) {
            found.slept = cg_str_eq(found.name, *asleep);
            sample(&of[found.leader.stamps], &found);
        } else if (sleeps) {
            *asleep = found.name;
        }
        at = found.leader.rest + found.name.len + 1;
    }
}

void cg_truss_columns(cg_parse *parse, const callgauge_str *lines, size_t count)
{
    stated options = { 0 }, command;
    samples of[CG_TRUSS_STAMPS + 1] = { { 0 } };
    callgauge_str asleep = { "", 0 };
    for (size_t i = 0; i < count; i++) {
        options.d |= cg_str_find(lines[i], "Base time stamp:") < lines[i].len;
        if (read_command(lines[i], &command)) {
            command.d |= options.d;
            options = command;
        }
        sample_line(lines[i], of, &asleep);
    }
    for (unsigned stamps = 1; stamps <= CG_TRUSS_STAMPS; stamps++) {
        if (of[stamps].count > 0) {
            decide(parse, &options, of, stamps);
        }
    }
}

/* What was learned of leaders holds for the columns as they were. */
static void forget_shapes(cg_truss *truss)
{
    memset(truss->shapes, 0, sizeof truss->shapes);
}

void cg_truss_header(cg_parse *parse, int64_t base_ns)
{
    cg_truss *truss = parse->state;
    forget_shapes(truss);
    truss->before_base = parse->stamp_at;
    truss->last_base_ns = truss->base_ns;
    truss->based = true;
    truss->base_ns = base_ns;
    parse->capture->clock = CALLGAUGE_CLOCK_EPOCH;
    if (of_option(parse->options->stamps) == '\0') {
        truss->kinds[1][0] = 'd';
    }
}

void cg_truss_command(cg_parse *parse, callgauge_str text)
{
    cg_truss *truss = parse->state;
    stated options;
    if (!read_command(text, &options) || of_option(parse->options->stamps) != '\0') {
        return;
    }
    char kinds[CG_TRUSS_STAMPS + 1] = { 0 };
    unsigned count = 0;
    forget_shapes(truss);
    for (int i = 0; i < CG_TRUSS_STAMPS; i++) {
        if (i == 0 ? options.d : i == 1 ? options.delta : options.cpu) {
            kinds[count++] = "dDE"[i];
        }
    }
    if (count > 0) {
        memcpy(truss->kinds[count], kinds, sizeof kinds);
    }
}

static void stamp_traits(cg_parse *parse, const char *kinds)
{
    const cg_truss *truss = parse->state;
    for (; *kinds != '\0'; kinds++) {
        parse->capture->traits |= *kinds == 'd'   ? CALLGAUGE_TRAIT_TIMESTAMPS
                                  : *kinds == 'E' ? CALLGAUGE_TRAIT_CPU_DURATIONS
                                                  : 0;
        if (*kinds == 'E') {
            parse->duration_kind = CALLGAUGE_TIME_CPU;
        }
        if (*kinds == 'd' && !truss->based) {
            parse->capture->clock = CALLGAUGE_CLOCK_BASE;
        }
    }
}

void cg_truss_form_seen(cg_parse *parse, const cg_truss_leader *leader)
{
    cg_truss *truss = parse->state;
    if (leader->stamps > 0 && truss->kinds[leader->stamps][0] == '\0') {
        stated options = { .d = truss->based };
        samples of[CG_TRUSS_STAMPS + 1] = { { 0 } };
        decide(parse, &options, of, leader->stamps);
    }
    parse->capture->has_events = true;
    parse->capture->traits |= leader->pid != 0 ? CALLGAUGE_TRAIT_PIDS : 0;
    parse->capture->traits |= leader->lwp != 0 ? CALLGAUGE_TRAIT_THREADS : 0;
    stamp_traits(parse, truss->kinds[leader->stamps]);
}
