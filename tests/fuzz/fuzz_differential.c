/* SPDX-License-Identifier: Apache-2.0 */
/* Any bytes in either dialect, read twice: by the fast path, which sends to the strict scanner what it cannot
 * prove, and by the strict scanner alone. Both must give the same events in every field. */
#include "stream.h"

#include "reader/reader.h"

int LLVMFuzzerTestOneInput(const uint8_t *data, size_t size);

int LLVMFuzzerTestOneInput(const uint8_t *data, size_t size)
{
    static const char *const dialects[] = { "strace", "truss-solaris" };
    for (size_t i = 0; i < sizeof dialects / sizeof dialects[0]; i++) {
        callgauge_reader *strict_reader = new_reader(dialects[i], size);
        cg_reader_strict_only(strict_reader, true);
        stream fast = read_stream(new_reader(dialects[i], size), data, size, (pieces){ 0, 0 });
        stream strict = read_stream(strict_reader, data, size, (pieces){ 0, 0 });
        require_equal(&fast, &strict);
    }
    return 0;
}
