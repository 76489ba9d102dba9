# SPDX-License-Identifier: Apache-2.0
# From a folder of rules to a C file that holds them: cmake -DIN=lib/catalogue -DOUT=catalogue.c -P catalogue.cmake
cmake_minimum_required(VERSION 3.18)

file(GLOB files RELATIVE ${IN} ${IN}/*.yaml)
list(SORT files)

set(texts "")
set(rows "")
set(index 0)
foreach(file IN LISTS files)
    file(READ ${IN}/${file} hex HEX)
    string(REGEX REPLACE "([0-9a-f][0-9a-f])" "0x\\1," bytes "${hex}")
    string(APPEND texts "static const unsigned char text_${index}[] = { ${bytes} };\n")
    string(APPEND rows "    { \"catalogue:${file}\", text_${index}, sizeof text_${index} },\n")
    math(EXPR index "${index} + 1")
endforeach()

file(WRITE ${OUT} "/* Generated from lib/catalogue by catalogue.cmake. */
#include \"rules/catalogue.h\"

${texts}
const cg_catalogue_entry cg_catalogue[] = {
${rows}    { 0, 0, 0 },
};
")
