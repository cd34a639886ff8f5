"""Write the C source of pycs._core from the public header: `python make_bindings.py OUTPUT.c`. The build calls this."""

import re
import sys
from pathlib import Path

from cffi import FFI

header = (Path(__file__).parent / "include" / "pycs.h").read_text()
declarations = re.sub(r"/\*.*?\*/", "", header, flags=re.DOTALL)
constants = re.findall(r"^#define (PYCS_\w+) +\d+ *$", declarations, flags=re.MULTILINE)
functions = re.sub(r"^#.*$", "", declarations, flags=re.MULTILINE)

ffi = FFI()
ffi.cdef("\n".join(f"#define {name} ..." for name in constants) + functions)
ffi.set_source("pycs._core", '#include "pycs.h"')
ffi.emit_c_code(sys.argv[1])
