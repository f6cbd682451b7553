package render

import (
	"slices"
	"strings"

	"github.com/causaldocs/causal/knowledge/source"
	"github.com/causaldocs/causal/render/node"
)

// spoken lists the languages of a module, the main one first.
func spoken(m source.Module) []string {
	languages := []string{m.Language()}
	for _, u := range m.Units {
		if l := u.File.Language; l != "" && !slices.Contains(languages, l) {
			languages = append(languages, l)
		}
	}
	return languages
}

// foreign removes the standard library from imports.
func foreign(imports, languages []string) []string {
	return slices.DeleteFunc(slices.Clone(imports), func(name string) bool {
		directive := languages[0] == "python" && strings.HasPrefix(name, "__") // __future__ is a compiler directive
		return directive || slices.ContainsFunc(languages, func(l string) bool { return comesWith(l, name) })
	})
}

// imports lists the external packages of a module. Names below a package are folded into it.
func imports(n *node.Node) (packages []string) {
	for _, name := range n.External {
		packages = append(packages, packageOf(n.Language, name))
	}
	slices.Sort(packages)
	return folded(n.Language, slices.Compact(packages))
}

// packageOf returns the installable package of an imported name.
func packageOf(language, name string) string {
	switch language {
	case "rust":
		name, _, _ = strings.Cut(name, "::")
	case "typescript", "javascript":
		parts := strings.SplitN(name, "/", 3)
		if strings.HasPrefix(name, "@") {
			return strings.Join(parts[:min(2, len(parts))], "/")
		}
		return parts[0]
	}
	return name
}

// folded removes names whose parent is in the sorted list, for Python.
func folded(language string, names []string) []string {
	if language != "python" {
		return names
	}
	return slices.DeleteFunc(slices.Clone(names), func(name string) bool {
		top, _, below := strings.Cut(name, ".")
		return below && slices.Contains(names, top)
	})
}

// comesWith reports whether an import is part of the language's standard library.
func comesWith(language, name string) bool {
	switch language {
	case "go":
		first, _, _ := strings.Cut(name, "/")
		return !strings.Contains(first, ".")
	case "python":
		top, _, _ := strings.Cut(name, ".")
		return pythonModules[top]
	case "typescript", "javascript":
		top, _, _ := strings.Cut(name, "/")
		return strings.HasPrefix(name, "node:") || nodeModules[top]
	case "java":
		return strings.HasPrefix(name, "java.") || strings.HasPrefix(name, "javax.") || strings.HasPrefix(name, "jdk.")
	case "rust":
		top, _, _ := strings.Cut(name, "::")
		return rustCrates[top]
	case "c", "c++":
		return systemHeaders[name] || strings.HasPrefix(name, "sys/") || strings.HasPrefix(name, "netinet/")
	}
	return false
}

func words(text string) map[string]bool {
	set := map[string]bool{}
	for _, w := range strings.Fields(text) {
		set[w] = true
	}
	return set
}

var (
	rustCrates = words("std core alloc proc_macro test")

	nodeModules = words(`assert async_hooks buffer child_process cluster console constants crypto dgram diagnostics_channel dns
		domain events fs http http2 https inspector module net os path perf_hooks process punycode querystring readline repl
		stream string_decoder timers tls trace_events tty url util v8 vm wasi worker_threads zlib`)

	pythonModules = words(`_thread _typeshed abc aifc argparse array ast asynchat asyncio asyncore atexit audioop base64 bdb
		binascii bisect builtins bz2 cProfile calendar cgi cgitb chunk cmath cmd code codecs codeop collections colorsys
		compileall compression concurrent configparser contextlib contextvars copy copyreg crypt csv ctypes curses dataclasses
		datetime dbm decimal difflib dis distutils doctest email encodings ensurepip enum errno faulthandler fcntl filecmp
		fileinput fnmatch fractions ftplib functools gc genericpath getopt getpass gettext glob graphlib grp gzip hashlib heapq
		hmac html http idlelib imaplib imghdr imp importlib inspect io ipaddress itertools json keyword lib2to3 linecache locale
		logging lzma mailbox mailcap marshal math mimetypes mmap modulefinder msilib msvcrt multiprocessing netrc nis nntplib nt
		ntpath numbers opcode operator optparse os ossaudiodev pathlib pdb pickle pickletools pipes pkgutil platform plistlib
		poplib posix posixpath pprint profile pstats pty pwd py_compile pyclbr pydoc queue quopri random re readline reprlib
		resource rlcompleter runpy sched secrets select selectors shelve shlex shutil signal site smtpd smtplib sndhdr socket
		socketserver spwd sqlite3 ssl stat statistics string stringprep struct subprocess sunau symtable sys sysconfig syslog
		tabnanny tarfile telnetlib tempfile termios textwrap threading time timeit tkinter token tokenize tomllib trace
		traceback tracemalloc tty turtle types typing unicodedata unittest urllib uu uuid venv warnings wave weakref webbrowser
		winreg winsound wsgiref xdrlib xml xmlrpc zipapp zipfile zipimport zlib zoneinfo`)

	// systemHeaders are the headers of standard C, C++, POSIX and Windows.
	systemHeaders = words(`assert.h complex.h ctype.h errno.h fenv.h float.h inttypes.h iso646.h limits.h locale.h math.h
		setjmp.h signal.h stdalign.h stdarg.h stdatomic.h stdbit.h stdbool.h stdckdint.h stddef.h stdint.h stdio.h stdlib.h
		stdnoreturn.h string.h tgmath.h threads.h time.h uchar.h wchar.h wctype.h
		algorithm any array atomic barrier bit bitset cassert ccomplex cctype cerrno cfenv cfloat charconv chrono cinttypes
		climits clocale cmath codecvt compare complex concepts condition_variable coroutine csetjmp csignal cstdarg cstddef
		cstdint cstdio cstdlib cstring ctime cuchar cwchar cwctype deque exception execution expected filesystem flat_map
		flat_set format forward_list fstream functional future generator initializer_list iomanip ios iosfwd iostream istream
		iterator latch limits list locale map mdspan memory memory_resource mutex new numbers numeric optional ostream print
		queue random ranges ratio regex scoped_allocator semaphore set shared_mutex source_location span spanstream sstream
		stack stacktrace stdexcept stop_token streambuf string string_view strstream syncstream system_error thread tuple
		type_traits typeindex typeinfo unordered_map unordered_set utility valarray variant vector version
		aio.h alloca.h arpa/inet.h cpio.h dirent.h dlfcn.h endian.h fcntl.h fmtmsg.h fnmatch.h ftw.h getopt.h glob.h grp.h
		iconv.h langinfo.h libgen.h malloc.h monetary.h mqueue.h net/if.h netdb.h nl_types.h poll.h pthread.h pwd.h regex.h
		sched.h search.h semaphore.h spawn.h strings.h syslog.h tar.h termios.h ucontext.h ulimit.h unistd.h utime.h utmpx.h
		wordexp.h intrin.h emmintrin.h immintrin.h xmmintrin.h arm_neon.h machine/endian.h xlocale.h
		io.h process.h tchar.h windows.h winsock2.h ws2tcpip.h mstcpip.h`)
)
