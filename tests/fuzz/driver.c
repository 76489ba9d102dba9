/* SPDX-License-Identifier: Apache-2.0 */
/* Gives each file of the named folders, and each named file, to the fuzz target it is linked with,
 * in order of their names: a fuzz corpus replayed as an ordinary test, by any compiler.
 * A target fails by abort(); the file's name is printed before it runs. No input at all is a failure. */
#include <dirent.h>
#include <limits.h>
#include <stdint.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>
#include <sys/stat.h>

int LLVMFuzzerTestOneInput(const uint8_t *data, size_t size);

static int not_hidden(const struct dirent *entry)
{
    return entry->d_name[0] != '.';
}

/* Exactly `size` bytes on the heap, so that a sanitizer sees a read past them. */
static int replay_file(const char *path, size_t size)
{
    FILE *file = fopen(path, "rb");
    uint8_t *data = malloc(size > 0 ? size : 1);
    int failed = file == NULL || data == NULL || fread(data, 1, size, file) != size;
    if (failed) {
        fprintf(stderr, "%s: cannot be read\n", path);
    } else {
        printf("%s\n", path);
        fflush(stdout);
        LLVMFuzzerTestOneInput(data, size);
    }
    free(data);
    if (file != NULL) {
        fclose(file);
    }
    return failed ? -1 : 1;
}

static int replay(const char *path);

static int replay_folder(const char *path)
{
    struct dirent **entries;
    int count = scandir(path, &entries, not_hidden, alphasort);
    int done = 0;
    for (int i = 0; i < count; i++) {
        char inner[PATH_MAX];
        snprintf(inner, sizeof inner, "%s/%s", path, entries[i]->d_name);
        int here = done < 0 ? 0 : replay(inner);
        done = here < 0 ? -1 : done + here;
        free(entries[i]);
    }
    if (count >= 0) {
        free(entries);
    }
    return count < 0 ? -1 : done;
}

/* How many files ran; -1: something could not be read. */
static int replay(const char *path)
{
    struct stat info;
    if (stat(path, &info) != 0) {
        perror(path);
        return -1;
    }
    return S_ISDIR(info.st_mode) ? replay_folder(path) : replay_file(path, (size_t)info.st_size);
}

int main(int argc, char **argv)
{
    int total = 0;
    for (int i = 1; i < argc; i++) {
        int done = replay(argv[i]);
        if (done < 0) {
            return EXIT_FAILURE;
        }
        total += done;
    }
    printf("%d inputs\n", total);
    return total > 0 ? EXIT_SUCCESS : EXIT_FAILURE;
}
