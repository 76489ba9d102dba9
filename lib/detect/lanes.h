/* SPDX-License-Identifier: Apache-2.0 */
/* Which thread and which process an event is of, as small numbers. */
#ifndef CG_DETECT_LANES_H
#define CG_DETECT_LANES_H

#include "detect/inside.h"

/* Numbers given to pairs of ids. */
typedef struct cg_lane_map {
    int64_t (*pairs)[2];
    uint32_t *slots; /* index + 1 */
    size_t count, room, slot_room;
    uint32_t last;
} cg_lane_map;

typedef struct cg_lane_ids {
    cg_lane_map threads, processes;
} cg_lane_ids;

/* The lanes of an event, made where they are new; CG_NONE: it is of none, or past the limit. False: no memory. */
bool cg_lanes_of(cg_detect *detect, const callgauge_event *event, uint32_t *thread, uint32_t *process);
void cg_lanes_release(cg_detect *detect);

#endif
