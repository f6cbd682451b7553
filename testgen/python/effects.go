package python

import (
	"slices"
	"strings"

	"github.com/causaldocs/causal/testgen"
)

var effects = testgen.Effects{
	Harmful: harmful, Names: names, Harmless: func(module string) bool { return standard[module] || slices.Contains(foreign, module) },
	Split: func(path, name string) (module, rest string) {
		module, rest, _ = strings.Cut(path, ".")
		if rest != "" { // from os.path import join
			name = strings.TrimSuffix(rest+"."+name, ".")
		}
		return module, name
	},
}

// harmful lists modules whose results differ between machines or runs, or that have side effects. Listed names are
// harmless, with all below them.
var harmful = map[string][]string{
	"time": {"struct_time", "gmtime", "strptime", "asctime"}, "random": nil, "secrets": nil, "socket": nil, "subprocess": nil, "threading": {"Lock", "RLock", "local"},
	"multiprocessing": nil, "concurrent": nil, "asyncio": nil, "signal": nil, "select": nil, "selectors": nil, "ssl": nil, "tempfile": nil, "shutil": nil, "glob": nil,
	"platform": nil, "getpass": nil, "pwd": nil, "grp": nil, "locale": nil, "ctypes": nil, "sqlite3": nil, "dbm": nil, "shelve": nil, "fileinput": nil, "filecmp": nil,
	"webbrowser": nil, "smtplib": nil, "ftplib": nil, "imaplib": nil, "poplib": nil, "telnetlib": nil, "xmlrpc": nil, "gc": nil, "resource": nil, "atexit": nil,
	"tkinter": nil, "curses": nil, "readline": nil, "site": nil, "sysconfig": nil, "runpy": nil, "pdb": nil, "cProfile": nil, "pkgutil": nil, "termios": nil, "tty": nil,
	"os": {
		"path.join", "path.basename", "path.dirname", "path.splitext", "path.split", "path.normpath", "path.normcase", "path.commonprefix", "path.commonpath",
		"path.isabs", "path.sep", "fspath", "PathLike", "fsencode", "fsdecode",
	},
	"sys":     {"maxsize", "maxunicode", "version_info", "byteorder", "intern", "float_info", "hexversion", "_getframe", "exc_info", "version"},
	"uuid":    {"UUID", "uuid3", "uuid5", "NAMESPACE_DNS", "NAMESPACE_URL", "NAMESPACE_OID", "NAMESPACE_X500"},
	"pathlib": {"PurePath", "PurePosixPath", "PureWindowsPath"},
	"urllib":  {"parse"}, "http": {"HTTPStatus", "cookies"}, "io": {"StringIO", "BytesIO", "TextIOBase", "IOBase", "RawIOBase", "BufferedIOBase", "SEEK_SET", "SEEK_CUR", "SEEK_END"},
	"importlib": {"metadata"}, "gettext": nil, "inspect": {"isfunction", "isclass", "ismethod", "signature", "cleandoc", "Parameter"},
}

// names lists names of otherwise harmless modules.
var names = map[string][]string{
	"datetime": {"datetime.now", "datetime.utcnow", "datetime.today", "date.today", "datetime.fromtimestamp", "datetime.timestamp", "datetime.astimezone", "date.fromtimestamp"},
	"logging":  {"basicConfig", "shutdown"},
	"builtins": {"open", "input", "exec", "eval", "id", "globals", "breakpoint", "exit", "quit", "print", "__import__", "compile"},
	"hashlib":  {"file_digest"}, "decimal": {"setcontext", "getcontext"}, "warnings": {"simplefilter", "filterwarnings", "resetwarnings"},
}

// foreign lists deterministic packages outside the standard library.
var foreign = []string{
	"typing_extensions", "attr", "attrs", "more_itertools", "text_unidecode", "unidecode", "markupsafe", "six", "regex", "idna", "typeguard", "pydantic", "toolz",
	"jaraco", "sortedcontainers", "pyparsing", "packaging", "wcwidth", "annotated_types", "pydantic_core",
}

// standard lists harmless modules of the standard library.
var standard = testgen.Words(`__future__ abc argparse array ast base64 binascii bisect builtins bz2 calendar cmath codecs collections colorsys configparser contextlib contextvars
	copy copyreg csv dataclasses datetime decimal difflib dis doctest email encodings enum errno fnmatch fractions functools graphlib gzip hashlib heapq hmac html
	ipaddress itertools json keyword linecache logging lzma mailbox marshal math mimetypes numbers opcode operator optparse pickle plistlib pprint queue quopri re
	reprlib sched shlex stat statistics string stringprep struct symtable tarfile textwrap token tokenize tomllib traceback types typing unicodedata unittest
	warnings wave weakref xml zipfile zlib zoneinfo`)

// impure returns why the words of a body make its results unpredictable: a builtin with side effects or a global
// statement.
func impure(src string) string {
	toks := tokens(src)
	for i, t := range toks {
		if t.kind != tWord || i > 0 && (toks[i-1].text == "." || toks[i-1].text == "def") {
			continue
		}
		switch {
		case t.text == "global" && i+1 < len(toks) && toks[i+1].kind == tWord:
			return "changes the variable " + toks[i+1].text + " of the module, which later calls see"
		case i+1 < len(toks) && toks[i+1].text == "(" && slices.Contains(names["builtins"], t.text):
			return "reaches " + t.text + "()"
		}
	}
	return ""
}

// follow follows a function transitively. It returns why its results are unpredictable, or the names that it reaches in
// other directories.
func (m *module) follow(symbol string) (reason string, others []testgen.Name, err error) {
	reason, others, err = testgen.Follow(m.repository, m.dir, symbol, func(at testgen.Module, _ testgen.Name, reach testgen.Reach, there bool) (string, []testgen.Name) {
		if !there {
			return "", nil // a wildcard or a re-exported name
		}
		of, _ := at.(*module)
		return of.reached(reach)
	})
	return reason, slices.DeleteFunc(others, func(n testgen.Name) bool { return n.Dir == m.dir }), err
}

// reached returns why direct dependencies make results unpredictable. others are those in other directories.
func (m *module) reached(r testgen.Reach) (reason string, others []testgen.Name) {
	bad, others := effects.Outside(r, nil)
	if reason := testgen.Reason(bad); reason != "" {
		return reason, others
	}
	if m == nil { // a private module or a test, whose source is not checked
		return "", others
	}
	for _, name := range r.Within {
		f, s := m.owner(name)
		if f == nil || strings.Contains(s.Signature, "class ") && !strings.Contains(s.Signature, "def ") {
			continue // only the methods reached in a class count
		}
		if why := impure(f.sourceOf(s)); why != "" {
			return why, others
		}
		if v := changesVariable(f, s); v != "" {
			return "changes the variable " + v + " of the module, which later calls see", others
		}
	}
	return "", others
}
