/* What this core says of itself. */
#include "pycs.h"

#ifndef PYCS_VERSION
#error "PYCS_VERSION comes from the build: the version in pyproject.toml"
#endif

const char *pycs_version(void) { return PYCS_VERSION; }
