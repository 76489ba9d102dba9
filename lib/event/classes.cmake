# SPDX-License-Identifier: Apache-2.0
# From classes.tsv to a C file with the class table: cmake -DIN=classes.tsv -DOUT=table.c -P classes.cmake
# The table is in the order of its source, which must be that of the bytes of the names.
cmake_minimum_required(VERSION 3.18)

set(number "(-|[0-9]+)")
set(row_form "^([A-Za-z0-9_]+)\t([a-z]+)\t(-|in|out|both)\t${number}\t${number}\t${number}\t${number}\t${number}\t(-|[a-z0-9_]+)$")
set(moves_- NOTHING)
set(moves_in IN)
set(moves_out OUT)
set(moves_both BOTH)

file(STRINGS ${IN} lines)
list(FILTER lines EXCLUDE REGEX "^#")
list(POP_FRONT lines heading)
if(NOT heading STREQUAL "name\tclass\tmoves\tfd\tpath\tsize\tfd2\tpath2\tdoes")
    message(FATAL_ERROR "${IN}: the heading is not that of a class table: ${heading}")
endif()

set(rows "")
set(before "")
foreach(line IN LISTS lines)
    if(NOT line MATCHES "${row_form}")
        message(FATAL_ERROR "${IN}: not a row: ${line}")
    endif()
    set(name ${CMAKE_MATCH_1})
    set(moves ${moves_${CMAKE_MATCH_3}})
    set(positions "${CMAKE_MATCH_4}, ${CMAKE_MATCH_5}, ${CMAKE_MATCH_6}, ${CMAKE_MATCH_7}, ${CMAKE_MATCH_8}")
    set(does "${CMAKE_MATCH_9}")
    string(TOUPPER ${CMAKE_MATCH_2} class)
    if(does STREQUAL "-")
        set(does nothing)
    endif()
    string(TOUPPER ${does} does)
    if(NOT before STRLESS name)
        message(FATAL_ERROR "${IN}: ${name} stands behind ${before}")
    endif()
    set(before ${name})
    string(REPLACE "-" "-1" positions "${positions}")
    string(APPEND rows "    { \"${name}\", CALLGAUGE_CLASS_${class}, CALLGAUGE_MOVES_${moves}, ${positions},\n      CG_DOES_${does} },\n")
endforeach()

file(WRITE ${OUT} "/* Generated from classes.tsv by classes.cmake. */
#include \"event/event.h\"

const cg_class_entry cg_class_table[] = {
${rows}};

const size_t cg_class_table_count = sizeof cg_class_table / sizeof *cg_class_table;
")
