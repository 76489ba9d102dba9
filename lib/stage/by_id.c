/* SPDX-License-Identifier: Apache-2.0 */
/* Chunks of records, taken when first needed. */
#include "stage/by_id.h"

#include <string.h>

#include "base/mem.h"

void cg_by_id_init(cg_by_id *records, size_t size)
{
    *records = (cg_by_id){ .size = size };
}

void cg_by_id_release(cg_by_id *records)
{
    for (size_t i = 0; i < records->room; i++) {
        cg_mem_free(records->chunks[i]);
    }
    cg_mem_free(records->chunks);
    *records = (cg_by_id){ .size = records->size };
}

static bool grow(cg_by_id *records, size_t chunk)
{
    size_t room = records->room == 0 ? 16 : records->room;
    while (room <= chunk) {
        room *= 2;
    }
    char **chunks = cg_mem_resize(records->chunks, room * sizeof *chunks);
    if (chunks == NULL) {
        return false;
    }
    for (size_t i = records->room; i < room; i++) {
        chunks[i] = NULL;
    }
    records->chunks = chunks;
    records->room = room;
    return true;
}

bool cg_by_id_reserve(cg_by_id *records, size_t id)
{
    size_t chunk = id / CG_BY_ID_CHUNK;
    if (chunk >= records->room && !grow(records, chunk)) {
        return false;
    }
    if (records->chunks[chunk] == NULL) {
        records->chunks[chunk] = cg_mem_zeroed(CG_BY_ID_CHUNK, records->size);
    }
    return records->chunks[chunk] != NULL;
}
