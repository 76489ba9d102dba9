/* SPDX-License-Identifier: Apache-2.0 */
/* Any bytes as a truss capture: the same events whole, in pieces and byte by byte; the lines add up. */
#include "stream.h"

int LLVMFuzzerTestOneInput(const uint8_t *data, size_t size);

int LLVMFuzzerTestOneInput(const uint8_t *data, size_t size)
{
    check_pieces("truss-solaris", data, size);
    return 0;
}
