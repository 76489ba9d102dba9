/* SPDX-License-Identifier: Apache-2.0 */
/* From how the library was built to what it says of itself. */
#include <callgauge/version.h>

static const char *const features[] = {
#ifdef CG_ARCHIVE_VERSION
    "libarchive " CG_ARCHIVE_VERSION,
#elif defined CG_HAVE_ARCHIVE
    "libarchive",
#endif
#ifdef CG_JSON_VERSION
    "jansson " CG_JSON_VERSION,
#elif defined CG_HAVE_JSON
    "jansson",
#endif
#ifdef CG_PCRE2_VERSION
    "pcre2 " CG_PCRE2_VERSION,
#elif defined CG_HAVE_PCRE2
    "pcre2",
#endif
#ifdef CG_YAML_VERSION
    "libyaml " CG_YAML_VERSION,
#elif defined CG_HAVE_YAML
    "libyaml",
#endif
    NULL,
};

const char *callgauge_version(void)
{
    return CALLGAUGE_VERSION;
}

const char *callgauge_feature(size_t index)
{
    return index < sizeof features / sizeof *features ? features[index] : NULL;
}
