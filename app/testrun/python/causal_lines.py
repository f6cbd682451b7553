"""Writes the lines of files that can run: one list of numbers for each file that the arguments name, or null where it does not parse."""

import json
import sys
import types


def lines(code):
    found = {line for _, _, line in code.co_lines() if line} if hasattr(code, "co_lines") else {line for _, line in __import__("dis").findlinestarts(code)}
    for one in code.co_consts:
        if isinstance(one, types.CodeType):
            found |= lines(one)
    return found


for name in sys.argv[1:]:
    try:
        with open(name, "rb") as f:
            print(json.dumps(sorted(lines(compile(f.read(), name, "exec")))))
    except (SyntaxError, ValueError) as error:
        print(json.dumps({"problem": f"{error.__class__.__name__}: {error}", "line": getattr(error, "lineno", 0) or 0}))
