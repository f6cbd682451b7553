package languages_test

import (
	"path"
	"slices"
	"strings"
	"testing"

	"github.com/causaldocs/causal/knowledge/source"
	"github.com/causaldocs/causal/knowledge/source/languages"
	"github.com/causaldocs/causal/knowledge/source/sourcetest"
)

// publishedOf reads files and returns what callers reach, "dir name = typed, typed (import)", sorted.
func publishedOf(t *testing.T, files map[string]string) []string {
	t.Helper()
	all := languages.All()
	classes := source.NewClassifier(all)
	project := sourcetest.Project{Files: files, Languages: all}
	resolvers := map[string]source.Resolver{}
	var entries []source.Entry
	for _, l := range all {
		resolvers[l.Name()] = l.Resolver(project)
		if p, ok := resolvers[l.Name()].(source.Publisher); ok {
			entries = append(entries, p.Published()...)
		}
		if _, ok := resolvers[l.Name()].(source.Publisher); ok != source.HasEntries(l.Name()) {
			t.Errorf("%s has entries: %t", l.Name(), ok)
		}
	}
	slices.SortFunc(entries, source.CompareEntries)
	modules := map[string]*source.Module{}
	for name, text := range files {
		if l := classes.Language(name); l != nil {
			m := modules[path.Dir(name)]
			if m == nil {
				m = &source.Module{Path: path.Dir(name)}
				modules[m.Path] = m
			}
			f, err := source.Extract(t.Context(), l, name, []byte(text))
			if err != nil {
				t.Fatal(err)
			}
			m.Units = append(m.Units, source.Unit{Path: name, File: f})
		}
	}
	tables := map[string]source.Table{}
	for dir, m := range modules {
		slices.SortFunc(m.Units, func(a, b source.Unit) int { return strings.Compare(a.Path, b.Path) })
		tables[dir] = source.NewTable(*m, m.Declarations(), resolvers)
	}
	linker := source.Linker{Table: func(m string) (source.Table, bool) { table, ok := tables[m]; return table, ok }}
	var out []string
	for at, names := range linker.Published(slices.Compact(entries)) {
		for name, typed := range names {
			out = append(out, at.Dir+" "+name+" = "+strings.Join(typed.As, ", ")+" ("+typed.Import+")")
		}
	}
	slices.Sort(out)
	return out
}

// TestPublished holds the names that callers type to what manifests and entry files say.
func TestPublished(t *testing.T) {
	t.Parallel()
	for name, c := range map[string]struct {
		files map[string]string
		want  []string
	}{
		"Python: a package passes on what its files declare": {
			map[string]string{
				"pyproject.toml":       "[project]\nname = \"shop\"\n",
				"src/shop/__init__.py": "from ._core import Cart as Cart, hidden\nfrom . import money\n__all__ = [\"Cart\", \"money\"]\n",
				"src/shop/_core.py":    "class Cart:\n    def add(self): ...\n\ndef hidden(): ...\n",
				"src/shop/money.py":    "def parse(s): ...\n\ndef _scan(s): ...\n",
				"tests/test_shop.py":   "def test_it(): ...\n",
				"docs/conf.py":         "project = 1\n",
			},
			[]string{
				"src/shop Cart = shop.Cart (shop)", "src/shop _core.Cart = shop.Cart (shop)", "src/shop money = shop.money (shop)",
				"src/shop money.parse = shop.money.parse (shop.money)",
			},
		},
		"Python: a star passes on what is public": {
			map[string]string{
				"setup.py":           "setup(name='m', packages=['m'])\n",
				"m/__init__.py":      "from .deep import *\n",
				"m/deep/__init__.py": "from ._x import *\n",
				"m/deep/_x.py":       "def f(): ...\n\ndef _g(): ...\n",
			},
			[]string{"m/deep _x.f = m.f, m.deep.f (m)"},
		},
		"Python: files that pass each other on end": {
			map[string]string{
				"setup.py":      "setup(name='m', packages=['m'])\n",
				"m/__init__.py": "from . import a\nfrom .a import *\n",
				"m/a.py":        "from . import b\nfrom .b import *\nfrom .b import f as f\n__all__ = ['b', 'f']\n",
				"m/b.py":        "from . import a\n\ndef f(): ...\n__all__ = ['a', 'f']\n",
			},
			[]string{
				"m a = m.a, m.b.a (m)", "m a.b = m.b, m.a.b (m)", "m a.f = m.f, m.a.f (m)",
				"m b.a = m.b.a (m.b)", "m b.f = m.f, m.a.f, m.b.f (m)",
			},
		},
		"Python: second names, and what a stub imports": {
			map[string]string{
				"setup.py":        "setup(name='m', packages=['m'])\n",
				"m/__init__.py":   "from ._x import Open\n",
				"m/__init__.pyi":  "from ._x import Open as Open, Hidden\n",
				"m/_x.py":         "class _Own:\n    def f(self): ...\n\nclass Long:\n    def g(self): ...\n\nclass Hidden: ...\n\nOpen = _Own\n",
				"m/y.py":          "class Long:\n    def g(self): ...\n\nL = Long\nLIMIT = 3\n",
				"tests/test_m.py": "def test_it(): ...\n",
			},
			[]string{
				"m Open = m.Open (m)", "m Open = m.Open (m)", "m _x.Open = m.Open (m)", "m _x._Own = m.Open (m)", "m y.L = m.y.L (m.y)", "m y.LIMIT = m.y.LIMIT (m.y)", "m y.Long = m.y.Long, m.y.L (m.y)",
			},
		},
		"Python: a project of one file": {
			map[string]string{"setup.py": "setup(py_modules=['six'])\n", "six.py": "def u(s): ...\n", "other.py": "def g(): ...\n"},
			[]string{". six.u = six.u (six)"},
		},
		"JavaScript: what objects are merged into the exports": {
			map[string]string{
				"package.json": `{"name": "shop", "main": "index.js"}`,
				"index.js": "Object.assign(module.exports, require('./cart'), { open() {}, LIMIT: 3 });\nObject.assign(exports, require('./more'));\n" +
					"Object.assign(other, require('./own'));\n",
				"cart.js":          "exports.total = function () {};\n",
				"more.js":          "module.exports = Object.assign({}, { stop() {} });\n",
				"own.js":           "exports.hidden = 1;\n",
				"web/package.json": `{"name": "web", "main": "run.js"}`,
				"web/run.js":       "function run() {}\nmodule.exports = Object.assign(run, { stop() {} });\n",
			},
			[]string{
				". LIMIT = shop.LIMIT (shop)", ". cart.total = shop.total (shop)", ". more.stop = shop.stop (shop)", ". open = shop.open (shop)",
				"web run.default = web (web)", "web run.run = web (web)", "web run.stop = web.stop (web)",
			},
		},
		"JavaScript: a function that is all of a file that callers import too": {
			map[string]string{
				"package.json": `{"name": "parse", "main": "index.js", "exports": {".": "./index.js", "./json": "./lib/json.js"}}`,
				"index.js":     "exports.json = require('./lib/json');\n",
				"lib/json.js":  "module.exports = json;\nfunction json(options) {}\n",
			},
			[]string{". json = parse.json (parse)", "lib json.default = json, parse.json (parse/json)", "lib json.json = json, parse.json (parse/json)"},
		},
		"JavaScript: imported functions in an object": {
			map[string]string{
				"package.json":  `{"name": "check", "main": "index.js", "module": "es/index.js"}`,
				"src/index.js":  "import isOdd from './odd';\nimport { isEven, hidden } from './even';\nconst check = { isOdd, isEven, local };\nexport default check;\n",
				"src/odd.js":    "export default function isOdd(n) {}\n",
				"src/even.js":   "export function isEven(n) {}\nexport function hidden() {}\n",
				"src/unused.js": "export function unused() {}\n",
			},
			[]string{
				"src check = check (check)", "src check.isEven = check.isEven (check)", "src check.isOdd = check.isOdd (check)", "src default = check (check)",
				"src even.isEven = check.isEven (check)", "src odd.default = check.isOdd (check)", "src odd.isOdd = check.isOdd (check)",
			},
		},
		"TypeScript: output of a compiler before a file beside it": {
			map[string]string{
				"package.json":     `{"name": "text", "exports": {".": {"types": "./dist/index.d.ts", "default": "./browser/index.js"}}}`,
				"src/index.ts":     "export function parse() {}\n",
				"browser/index.js": "import * as all from './dist/index.js';\nexport default all;\n",
			},
			[]string{"src parse = parse (text)"},
		},
		"JavaScript: a key that others call the default": {
			map[string]string{
				"package.json":   `{"name": "qs", "main": "lib/index.js"}`,
				"lib/index.js":   "var formats = require('./formats');\nvar parse = require('./parse');\nmodule.exports = { formats: formats, parse: parse };\n",
				"lib/formats.js": "module.exports = { 'default': 'a', b: 'b' };\n",
				"lib/parse.js":   "module.exports = function (text) {};\n",
			},
			[]string{
				"lib formats = qs.formats (qs)", "lib formats.b = qs.formats.b (qs)", "lib formats.default = qs.formats.default (qs)",
				"lib parse = qs.parse (qs)", "lib parse.default = qs.parse (qs)",
			},
		},
		"JavaScript: the declarations beside a file": {
			map[string]string{
				"package.json": `{"name": "paint", "type": "module", "exports": "./source/index.js"}`, "source/index.js": "export function red() {}\n",
				"source/index.d.ts": "export interface Paint { name: string }\nexport function red(): void;\n",
			},
			[]string{"source Paint = Paint (paint)", "source red = red (paint)", "source red = red (paint)"},
		},
		"JavaScript: what is assigned to exports": {
			map[string]string{
				"package.json":  `{"name": "@x/web-app"}`,
				"index.js":      "module.exports = require('./lib/web');\n",
				"lib/web.js":    "var req = require('./req'), proto = require('./app');\nexports = module.exports = create;\nfunction create() {}\nexports.request = req;\nexports.app = proto;\nexports.Router = require('router');\nexports.json = parser.json;\nObject.defineProperty(exports, 'late', {get: function () { return 1 }});\n",
				"lib/req.js":    "var req = Object.create(null);\nmodule.exports = req;\nreq.get = function (name) {};\ndefineGetter(req, 'host', function () {});\n",
				"lib/app.js":    "var app = exports = module.exports = {};\napp.use = function use(fn) {};\nfunction inner() {}\n",
				"lib/helper.js": "exports.help = function () {};\n",
			},
			[]string{
				"lib app.app = webApp.app (@x/web-app)", "lib app.default = webApp.app (@x/web-app)",
				"lib req.default = webApp.request (@x/web-app)", "lib req.req = webApp.request (@x/web-app)",
				"lib web.Router = webApp.Router (@x/web-app)", "lib web.app = webApp.app (@x/web-app)", "lib web.create = webApp (@x/web-app)",
				"lib web.default = webApp (@x/web-app)", "lib web.json = webApp.json (@x/web-app)", "lib web.late = webApp.late (@x/web-app)",
				"lib web.request = webApp.request (@x/web-app)",
			},
		},
		"TypeScript: exports that a compiler makes": {
			map[string]string{
				"package.json":     `{"name": "dates", "type": "module", "exports": {".": {"types": "./dist/index.d.ts", "import": "./dist/index.js"}, "./fp": "./dist/fp/index.js", "./locale/*": "./dist/locale/*.js", "./hidden/*": null, "./package.json": "./package.json"}}`,
				"src/index.ts":     "export * from './add/index.js';\nexport {sub as minus} from './sub';\nexport * as tools from './tools';\nexport default class Clock {}\n",
				"src/add/index.ts": "export function add() {}\nfunction own() {}\nexport default add;\n",
				"src/sub.ts":       "export const sub = 1;\nexport const left = 2;\n",
				"src/tools.ts":     "export function hone() {}\n",
				"src/fp/index.ts":  "export function add() {}\n",
				"src/locale/de.ts": "export const de = {};\n",
				"src/hidden/x.ts":  "export const x = {};\n",
				"examples/run.ts":  "export const y = {};\n",
				"web/package.json": `{"name": "site", "private": true}`,
				"web/index.js":     "exports.z = 1;\n",
			},
			[]string{
				"src Clock = Clock (dates)", "src default = Clock (dates)", "src minus = minus (dates)", "src sub.sub = minus (dates)", "src tools = tools (dates)",
				"src tools.hone = tools.hone (dates)", "src/add add = add (dates)", "src/fp add = add (dates/fp)", "src/locale de.de = de (dates/locale/de)",
			},
		},
		"Rust: public modules and what they pass on": {
			map[string]string{
				"Cargo.toml":          "[package]\nname = \"net-io\"\nedition = \"2021\"\n",
				"src/lib.rs":          "mod poll;\nmod spawn;\npub use poll::{Poll, Registry as Table};\npub use spawn::spawn;\npub mod event;\npub(crate) mod sys;\n#[doc(hidden)]\npub mod support;\n#[cfg(doctest)]\npub struct Readme;\npub mod net {\n    pub use crate::sys::Tcp;\n    pub struct Addr;\n}\nmod inner { pub struct One; }\npub use inner::One;\npub use sys::shared::*;\npub use bytes;\n",
				"src/poll.rs":         "pub struct Poll;\nimpl Poll { pub fn poll(&self) {} }\npub struct Registry;\npub struct Unnamed;\n",
				"src/spawn.rs":        "pub fn spawn() {}\npub fn other() {}\n",
				"src/event/mod.rs":    "pub mod source;\nmod events;\npub use self::events::Events;\npub fn wait() {}\n",
				"src/event/source.rs": "pub trait Source { fn register(&self); }\n",
				"src/event/events.rs": "pub struct Events;\n",
				"src/sys/mod.rs":      "pub mod shared;\npub struct Tcp;\n",
				"src/sys/shared.rs":   "pub struct Shared;\nstruct Own;\n",
				"src/support.rs":      "pub fn help() {}\n",
				"tool/Cargo.toml":     "[package]\nname = \"tool\"\npublish = false\n",
				"tool/src/lib.rs":     "pub fn run() {}\n",
			},
			[]string{
				"src One = net_io::One (net_io)", "src Poll = net_io::Poll (net_io)", "src Table = net_io::Table (net_io)", "src bytes = net_io::bytes (net_io)",
				"src event = net_io::event (net_io)", "src inner.One = net_io::One (net_io)", "src net = net_io::net (net_io)",
				"src net.Addr = net_io::net::Addr (net_io)", "src net.Tcp = net_io::net::Tcp (net_io)", "src poll.Poll = net_io::Poll (net_io)",
				"src poll.Registry = net_io::Table (net_io)", "src spawn = net_io::spawn (net_io)", "src spawn.spawn = net_io::spawn (net_io)",
				"src/event Events = net_io::event::Events (net_io)", "src/event events.Events = net_io::event::Events (net_io)",
				"src/event source = net_io::event::source (net_io)", "src/event source.Source = net_io::event::source::Source (net_io)",
				"src/event wait = net_io::event::wait (net_io)", "src/sys Tcp = net_io::net::Tcp (net_io)", "src/sys shared.Shared = net_io::Shared (net_io)",
			},
		},
		"C: variables in a CMakeLists.txt, and guards with a value": {
			map[string]string{
				"CMakeLists.txt": "set(suffix \"-ng\" CACHE STRING \"of the name\")\nset(name zip${suffix})\nset(base zip.h)\nset(all ${base} other.h)\n" +
					"install(FILES ${all} DESTINATION \"${CMAKE_INSTALL_INCLUDEDIR}/${name}\")\ninstall(FILES more.h DESTINATION include/${unknown}/more)\n",
				"zip.h":   "#ifndef ZIP_H\n#define ZIP_H 1\nint zip_open(void);\n#endif\n",
				"other.h": "#ifndef LIMIT\n#define LIMIT 1\n#endif\nint zip_other(void);\n",
				"more.h":  "int zip_more(void);\n",
			},
			[]string{". LIMIT = LIMIT (zip-ng/other.h)", ". zip_more = zip_more (more/more.h)", ". zip_open = zip_open (zip-ng/zip.h)", ". zip_other = zip_other (zip-ng/other.h)"},
		},
		"C: headers that are installed": {
			map[string]string{
				"CMakeLists.txt":      "# install(FILES none.h)\nset(more read.h)\nINSTALL(FILES cache.h ${more}\n    DESTINATION ${CMAKE_INSTALL_INCLUDEDIR}/cache)\ninstall(DIRECTORY adapters DESTINATION include/cache)\n",
				"cache.h":             "#define CACHE_MAX 3\nint cache_get(const char *key);\n",
				"cache.c":             "#include \"cache.h\"\n#include \"dict.h\"\nint cache_get(const char *key) { return 0; }\n",
				"read.h":              "struct reader { int at; };\n",
				"dict.h":              "int dict_find(void);\n",
				"private.h":           "#include \"dict.h\"\n",
				"adapters/ev.h":       "void cache_ev(void);\n",
				"test/CMakeLists.txt": "install(FILES ../dict.h)\n",
			},
			[]string{
				". CACHE_MAX = CACHE_MAX (cache/cache.h)", ". cache_get = cache_get (cache/cache.h)", ". reader = reader (cache/read.h)",
				"adapters cache_ev = cache_ev (cache/adapters/ev.h)",
			},
		},
		"C++: a directory of headers": {
			map[string]string{
				"lib/include/shop/cart.hpp":        "namespace shop {\nclass Cart { public: int total() const; };\n}\n",
				"lib/include/shop/detail/slot.hpp": "namespace shop { struct Slot {}; }\n",
				"lib/src/own.hpp":                  "namespace shop { struct Own {}; }\n",
			},
			[]string{"lib/include/shop shop.Cart = shop::Cart (shop/cart.hpp)"},
		},
		"Java: packages that a module exports": {
			map[string]string{
				"src/main/java/module-info.java":      "/* exports com.x.none; */ module com.x {\n  requires java.sql; exports com.x; // exports com.x.none;\n  exports com.x.more;exports com.x.part to com.y, com.z;\n}\n",
				"src/main/java/com/x/Cart.java":       "package com.x;\npublic class Cart { public void add() {} }\n",
				"src/main/java/com/x/more/M.java":     "package com.x.more;\npublic class M {}\n",
				"src/main/java/com/x/none/N.java":     "package com.x.none;\npublic class N {}\n",
				"src/main/java/com/x/part/P.java":     "package com.x.part;\npublic class P {}\n",
				"src/test/java/module-info.java":      "module t { exports com.x.none; }\n",
				"old/src/main/java9/module-info.java": "module old { exports com.o; }\n",
				"old/src/main/java/com/o/O.java":      "package com.o;\npublic class O {}\n",
				"app/module-info.java":                "module app { }\n",
				"app/com/app/Main.java":               "package com.app;\npublic class Main {}\n",
			},
			[]string{"old/src/main/java/com/o O = com.o.O ()", "src/main/java/com/x Cart = com.x.Cart ()", "src/main/java/com/x/more M = com.x.more.M ()"},
		},
		"C: headers that a Makefile installs": {
			map[string]string{
				"Makefile":       "all:\n\t$(MAKE) -C lib\n",
				"lib/Makefile":   "H = a.h\ninstall:\n\tinstall -m 644 $(H) $(DESTDIR)/usr/include/x\n\tcp more/*.h $(DESTDIR)/usr/include/x\n",
				"lib/a.h":        "int a(void);\n",
				"lib/b.h":        "int b(void);\n",
				"lib/more/c.h":   "int c(void);\n",
				"lib/more/d/d.h": "int d(void);\n",
				"cli/e.h":        "int e(void);\n",
			},
			[]string{"lib a = a (x/a.h)", "lib/more c = c (x/c.h)"},
		},
		"C: headers that Meson installs": {
			map[string]string{"meson.build": "install_headers('a.h',\n  subdir : 'x')\n", "a.h": "int a(void);\n", "b.h": "int b(void);\n"},
			[]string{". a = a (x/a.h)"},
		},
	} {
		if got := publishedOf(t, c.files); !slices.Equal(got, c.want) {
			t.Errorf("%s:\n%s\nwant\n%s", name, strings.Join(got, "\n"), strings.Join(c.want, "\n"))
		}
	}
}
