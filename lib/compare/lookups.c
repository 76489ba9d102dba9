/* SPDX-License-Identifier: Apache-2.0 */
/* What failing opens looked for: files of one name, in how many directories, for the headline.
 * Invariant: the lookups that are told are those whose number changed the way the headline says. */
#include "compare/comparing.h"

#include <math.h>
#include <stdlib.h>

#include "base/str.h"
#include "compare/words.h"

static callgauge_str last_part(callgauge_str path)
{
    size_t slash = cg_str_find_last(path, "/");
    return slash == path.len ? path : cg_str(path.ptr + slash + 1, path.len - slash - 1);
}

/* Files of one name, wherever they are looked for. */
typedef struct lookup_group {
    callgauge_str name;
    double growth; /* in the direction that is asked for */
    size_t directories, below_files;
    bool is_gone;
} lookup_group;

static int lookup_cmp(const void *a, const void *b)
{
    const cg_lookup *x = a, *y = b;
    int order = cg_str_cmp(last_part(x->path), last_part(y->path));
    return order != 0 ? order : cg_str_cmp(x->path, y->path);
}

/* The name that is looked for more often (`way` 1) or less (-1) than all others; `names` gets how many such names there
 * are. Of equals the first one by name. */
static lookup_group largest_group(cg_lookups *lookups, double way, size_t *names)
{
    lookup_group most = { .growth = 0 }, group = { .growth = 0 };
    *names = 0;
    if (lookups->count > 1) {
        qsort(lookups->items, lookups->count, sizeof *lookups->items, lookup_cmp);
    }
    for (size_t i = 0; i < lookups->count; i++) {
        const cg_lookup *lookup = &lookups->items[i];
        callgauge_str name = last_part(lookup->path);
        if (lookup->growth * way <= 0 || name.len == 0) {
            continue;
        }
        if (group.name.len == 0 || !cg_str_eq(name, group.name)) {
            group = (lookup_group){ .name = name, .is_gone = true };
            (*names)++;
        }
        group.growth += lookup->growth * way;
        group.directories += !lookup->is_below_file;
        group.below_files += lookup->is_below_file;
        group.is_gone = group.is_gone && lookup->is_gone;
        most = group.growth > most.growth ? group : most;
    }
    return most;
}

/* " in 4 directories and once below the file itself" */
static bool add_places(cg_buf *to, const lookup_group *group)
{
    bool ok = true;
    if (group->directories > 0) {
        ok = cg_buf_add_z(to, " in ") && cg_words_number(to, (double)group->directories) &&
             cg_buf_add_z(to, group->directories == 1 ? " directory" : " directories");
    }
    if (!ok || group->below_files == 0) {
        return ok;
    }
    ok = cg_buf_add_z(to, group->directories > 0 ? " and " : " ");
    if (group->below_files == 1) {
        return ok && cg_buf_add_z(to, "once below the file itself");
    }
    return ok && cg_buf_add_z(to, "below ") && cg_words_number(to, (double)group->below_files) &&
           cg_buf_add_z(to, " files");
}

/* ": .htaccess looked for in 4 directories and once below the file itself", ": 38 file names, most often LC_ALL" */
bool cg_words_lookups(cg_comparing *c, cg_buf *to, double change)
{
    size_t names;
    lookup_group group = largest_group(&c->lookups, change < 0 ? -1 : 1, &names);
    if (group.name.len == 0) {
        return true;
    }
    if (group.growth * 2 < fabs(change) && names > 1) {
        return cg_buf_add_z(to, ": ") && cg_words_counted(to, (double)names, "file name") &&
               cg_buf_add_z(to, ", most often ") && cg_words_text(to, group.name);
    }
    const char *looked = change > 0      ? " looked for"
                         : group.is_gone ? " no longer looked for"
                                         : " looked for less often";
    return cg_buf_add_z(to, ": ") && cg_words_text(to, group.name) && cg_buf_add_z(to, looked) &&
           add_places(to, &group) && (names == 1 || cg_buf_add_z(to, ", among others"));
}
