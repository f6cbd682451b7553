"""Makes calls and writes what each gave: one line of JSON for each, as soon as it is known.

Arguments: the file with the calls, the file for the outcomes, the directory whose lines
are counted, how many seconds a call may take.
"""

import collections
import faulthandler
import importlib
import json
import os
import re
import signal
import sys
import time

CALL_BYTES = 1 << 30
LARGEST = 100_000
ADDRESS = re.compile(r"\bat 0x[0-9a-fA-F]+")


class Unwritable(Exception):
    """A result, or a part of one, cannot be written down."""


def encode(value, depth=0):
    if depth > 8:
        raise Unwritable("it gives a result that nests too deep")
    kind = type(value)
    if value is None or kind is bool:
        return value
    if kind is str:
        value.encode("utf-8")
        return value
    if kind is int:
        if -(2**63) <= value < 2**63:
            return value
        if value.bit_length() > 1200:
            raise Unwritable("it gives a number of more than 360 digits")
        return {"int": str(value)}
    if kind is float:
        if value != value:
            raise Unwritable("it gives NaN, which equals nothing")
        return {"float": str(value)} if value in (float("inf"), float("-inf")) else value
    if kind in (bytes, bytearray):
        return {"bytes": bytes(value).decode("latin-1")}
    if kind in (list, tuple, set, frozenset):
        if len(value) > 1000:
            raise Unwritable("it gives more than a thousand elements")
        inner = [encode(one, depth + 1) for one in value]
        if kind in (set, frozenset):
            inner.sort(key=json.dumps)  # its order is another one in each process
        return inner if kind is list else {kind.__name__: inner}
    if kind in (dict, collections.defaultdict, collections.OrderedDict, collections.Counter):
        if len(value) > 1000:
            raise Unwritable("it gives more than a thousand elements")
        if all(type(key) is str for key in value) and "call" not in value:
            return {"dict": {encode(k): encode(v, depth + 1) for k, v in sorted(value.items(), key=lambda pair: pair[0])}}
        pairs = [[encode(k, depth + 1), encode(v, depth + 1)] for k, v in value.items()]
        return {"dict": sorted(pairs, key=lambda pair: json.dumps(pair[0]))}
    raise Unwritable("it gives a " + kind.__name__ + ", which cannot be written down")


def shown(value):
    """What str says of an object that says something of itself."""
    kind = type(value)
    if kind.__module__ in ("types", "functools", "itertools", "re", "_io", "module"):
        return None
    if kind.__str__ is object.__str__ and kind.__repr__ is object.__repr__:
        return None
    if any(base.__module__ == "enum" and base.__name__ in ("IntEnum", "Flag", "IntFlag", "StrEnum") for base in kind.__mro__):
        return None  # versions of Python say different things
    text = str(value)
    if ADDRESS.search(text) or os.getcwd() in text or len(text) > 2000 or isinstance(value, BaseException):
        return None
    text.encode("utf-8")
    return text


def exception_name(kind, project):
    """The nearest class that a test can name: one of Python's own, or of the project."""
    for base in kind.__mro__:
        if base.__module__ == "builtins":
            return base.__name__
        if base.__module__.split(".")[0] == project and "." not in base.__qualname__ and not base.__name__.startswith("_"):
            return base.__module__ + "." + base.__qualname__
    return kind.__name__


def refuses(error, root, project):
    """Whether an exception says that what was given is wrong: it is a ValueError, one of the project's, or raised by a statement there."""
    kind = type(error)
    if kind.__module__.split(".")[0] == project or isinstance(error, (ValueError, OverflowError, ZeroDivisionError)):
        return True
    if isinstance(error, (AssertionError, NameError, RecursionError, ImportError, SyntaxError, NotImplementedError, OSError)):
        return False
    at = error.__traceback__
    while at is not None and at.tb_next is not None:
        at = at.tb_next
    if at is None or not at.tb_frame.f_code.co_filename.startswith(root + os.sep):
        return False
    try:
        with open(at.tb_frame.f_code.co_filename, encoding="utf-8") as source:
            line = source.readlines()[at.tb_lineno - 1]
    except (OSError, IndexError, UnicodeDecodeError):
        return False
    return line.strip().startswith("raise ")


class Lines:
    """Notes which lines of the project run."""

    def __init__(self, root):
        self.root = root + os.sep
        self.seen = set()
        self.known = {}

    def local(self, frame, event, _):
        if event == "line":
            self.seen.add((frame.f_code.co_filename, frame.f_lineno))
        return self.local

    def __call__(self, frame, event, _):
        name = frame.f_code.co_filename
        mine = self.known.get(name)
        if mine is None:
            mine = self.known[name] = name.startswith(self.root)
        return self.local if mine else None

    def take(self):
        out = sorted({f"{os.path.relpath(name, self.root)}:{line}" for name, line in self.seen})
        self.seen.clear()
        return out


def limit():
    try:
        import resource
    except ImportError:
        return
    _, most = resource.getrlimit(resource.RLIMIT_AS)
    bound = CALL_BYTES if most == resource.RLIM_INFINITY else min(CALL_BYTES, most)
    resource.setrlimit(resource.RLIMIT_AS, (bound, bound))


def make(call, lines, root):
    outcome = {}
    project = call["module"].split(".")[0]
    try:
        parts = call["module"].split(".")
        for n in range(len(parts)):  # one that is loaded may belong to a package that is not
            module = importlib.import_module(".".join(parts[: n + 1]))
    except BaseException as error:  # noqa: BLE001
        return {"i": f"{type(error).__name__}: {str(error)[:160]}"}
    code = compile(call["code"], "<call>", "eval")
    names = {"module": module}
    lines.seen.clear()
    start = time.perf_counter()
    sys.settrace(lines)
    try:
        value = eval(code, names)  # noqa: S307
    except MemoryError:
        sys.settrace(None)
        return {"x": "it takes more memory than 1 GiB"}
    except BaseException as error:  # noqa: BLE001
        sys.settrace(None)
        if isinstance(error, (SystemExit, KeyboardInterrupt, GeneratorExit)):
            return {"x": "it ends the program"}
        outcome["e"] = exception_name(type(error), project)
        outcome["r"] = refuses(error, root, project)
    else:
        sys.settrace(None)
        try:
            outcome["v"] = encode(value)
            if len(json.dumps(outcome["v"])) > LARGEST:
                raise Unwritable("it gives a result that is too large to be read")
        except (Unwritable, UnicodeEncodeError, RecursionError) as error:
            outcome.pop("v", None)
            try:
                text = shown(value)
            except Exception:  # noqa: BLE001
                text = None
            if text is not None and not isinstance(value, (str, bytes, list, tuple, set, frozenset, dict, int, float)):
                outcome["s"] = text
            else:
                outcome["o"] = str(error) if isinstance(error, Unwritable) else "it gives a result that cannot be written down"
    outcome["u"] = int((time.perf_counter() - start) * 1_000_000)
    outcome["l"] = lines.take()
    return outcome


def main(asked, written, root, seconds):
    with open(asked, encoding="utf-8") as f:
        calls = json.load(f)
    faulthandler.disable()
    limit()
    lines = Lines(root)
    quiet = open(os.devnull, "w", encoding="utf-8")
    with open(written, "a", encoding="utf-8") as out:
        for call in calls:
            if hasattr(signal, "setitimer"):
                signal.signal(signal.SIGALRM, signal.SIG_DFL)
                signal.setitimer(signal.ITIMER_REAL, float(seconds))
            sys.stdout = sys.stderr = quiet
            outcome = make(call, lines, root)
            if hasattr(signal, "setitimer"):
                signal.setitimer(signal.ITIMER_REAL, 0)
            out.write(json.dumps({"i": call["i"], "o": outcome}) + "\n")
            out.flush()
            if "x" in outcome:
                break  # who knows what is left of this process
    os._exit(0)


if __name__ == "__main__":
    main(*sys.argv[1:5])
