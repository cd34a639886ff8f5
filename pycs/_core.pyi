# The cffi bindings of csrc/include/pycs.h, which documents each function. Only pycs/core.py uses them.
from typing import Any

ffi: Any
lib: Any
