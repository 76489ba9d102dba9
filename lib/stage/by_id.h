/* SPDX-License-Identifier: Apache-2.0 */
/* Records by dense ids, as lib/state gives them to files, processes and threads: in chunks, so that none moves and
 * nothing is copied while there are more and more.
 * Invariant: a record is all zero until its user writes it. */
#ifndef CG_STAGE_BY_ID_H
#define CG_STAGE_BY_ID_H

#include <callgauge/types.h>

enum { CG_BY_ID_CHUNK = 128 };

typedef struct cg_by_id {
    char **chunks;
    size_t room; /* chunks there may be; those not yet needed are NULL */
    size_t size; /* of a record */
} cg_by_id;

void cg_by_id_init(cg_by_id *records, size_t size);
void cg_by_id_release(cg_by_id *records);

/* Makes room for the record of `id`. False: no memory. */
bool cg_by_id_reserve(cg_by_id *records, size_t id);

/* The record of `id`; NULL: nobody has made room for it. */
static inline void *cg_by_id_find(const cg_by_id *records, size_t id)
{
    size_t chunk = id / CG_BY_ID_CHUNK;
    if (chunk >= records->room || records->chunks[chunk] == NULL) {
        return NULL;
    }
    return records->chunks[chunk] + id % CG_BY_ID_CHUNK * records->size;
}

/* The record of `id`, new or old; NULL: no memory. */
static inline void *cg_by_id_get(cg_by_id *records, size_t id)
{
    void *found = cg_by_id_find(records, id);
    return found != NULL || !cg_by_id_reserve(records, id) ? found : cg_by_id_find(records, id);
}

/* Past the highest id that there may be a record of. */
static inline size_t cg_by_id_end(const cg_by_id *records)
{
    return records->room * CG_BY_ID_CHUNK;
}

#endif
