package cfamily

import (
	"strings"

	"github.com/causaldocs/causal/knowledge/lazy"
	"github.com/causaldocs/causal/knowledge/lazyregexp"
	"github.com/causaldocs/causal/knowledge/source"
)

func init() {
	shared := source.Traits{
		Entries: true, Global: true, Commands: true, Terminated: true, Standard: func(name string) bool {
			return systemHeaders.Get()[name] || strings.HasPrefix(name, "sys/") || strings.HasPrefix(name, "netinet/")
		},
	}
	c, cpp := shared, shared
	c.Title, c.Separator, c.Unique, c.Headers, c.Paired = "C", map[string]string{".h": "::"}, true, []string{".h"}, []string{".c", ".h"}
	c.Fences = []string{"c"}
	c.Wrapping = &source.Wrapping{Hoist: "#include", Whole: ") {\n", Before: "void snippet(void) {\n", After: "\n}\n"}
	c.Domain = &source.Domain{Name: "c", Symbol: described, Directives: map[string]bool{
		"function": false, "type": false, "struct": false, "union": false, "enum": false, "macro": false, "var": false,
	}}
	c.Dialect = &source.Dialect{
		Name: "c", Endings: "c h cc cpp cxx hh hpp hxx m mm cu",
		Words: "auto char double extern float goto int long register short signed sizeof typedef union unsigned volatile inline bool namespace " +
			"template typename using public private protected virtual operator delete constexpr noexcept override final include define ifdef ifndef endif",
	}
	cpp.Title, cpp.Kin, cpp.Virtual, cpp.OpenNamespaces, cpp.Resolution.Members = "C++", "c", true, true, true
	cpp.Separator = map[string]string{}
	for _, ext := range CPP.Extensions() {
		cpp.Separator[ext] = "::"
	}
	cpp.Headers, cpp.Paired = []string{".hpp", ".hh", ".hxx"}, []string{".cc", ".hh", ".cpp", ".hpp", ".cxx", ".hxx"}
	cpp.Fences = []string{"cpp", "c++", "cxx", "cc"}
	cpp.Wrapping = &source.Wrapping{Hoist: "#include using", Whole: ") {\n", Before: "void snippet() {\n", After: "\n}\n"}
	source.RegisterTraits(C, c)
	source.RegisterTraits(CPP, cpp)
}

var (
	describedPointer = lazyregexp.New(`\(\s*\*\s*([A-Za-z_]\w*)\s*\)\s*\(`)
	describedName    = lazyregexp.New(`([A-Za-z_]\w*)\s*(?:$|[(\[=:])`)
)

func described(signature string) (name, language string) {
	for _, form := range []*lazyregexp.Regexp{describedPointer, describedName} {
		if m := form.FindStringSubmatch(signature); m != nil {
			return m[1], "c"
		}
	}
	return "", "c"
}

// systemHeaders are the headers of standard C, C++, POSIX and Windows.
var systemHeaders = lazy.Words(`assert.h complex.h ctype.h errno.h fenv.h float.h inttypes.h iso646.h limits.h locale.h math.h setjmp.h signal.h stdalign.h
	stdarg.h stdatomic.h stdbit.h stdbool.h stdckdint.h stddef.h stdint.h stdio.h stdlib.h stdnoreturn.h string.h tgmath.h threads.h
	time.h uchar.h wchar.h wctype.h algorithm any array atomic barrier bit bitset cassert ccomplex cctype cerrno cfenv cfloat charconv
	chrono cinttypes climits clocale cmath codecvt compare complex concepts condition_variable coroutine csetjmp csignal cstdarg
	cstddef cstdint cstdio cstdlib cstring ctime cuchar cwchar cwctype deque exception execution expected filesystem flat_map flat_set
	format forward_list fstream functional future generator initializer_list iomanip ios iosfwd iostream istream iterator latch limits
	list locale map mdspan memory memory_resource mutex new numbers numeric optional ostream print queue random ranges ratio regex
	scoped_allocator semaphore set shared_mutex source_location span spanstream sstream stack stacktrace stdexcept stop_token
	streambuf string string_view strstream syncstream system_error thread tuple type_traits typeindex typeinfo unordered_map
	unordered_set utility valarray variant vector version aio.h alloca.h arpa/inet.h cpio.h dirent.h dlfcn.h endian.h fcntl.h fmtmsg.h
	fnmatch.h ftw.h getopt.h glob.h grp.h iconv.h langinfo.h libgen.h malloc.h monetary.h mqueue.h net/if.h netdb.h nl_types.h poll.h
	pthread.h pwd.h regex.h sched.h search.h semaphore.h spawn.h strings.h syslog.h tar.h termios.h ucontext.h ulimit.h unistd.h
	utime.h utmpx.h wordexp.h intrin.h emmintrin.h immintrin.h xmmintrin.h arm_neon.h machine/endian.h xlocale.h io.h process.h
	tchar.h windows.h winsock2.h ws2tcpip.h mstcpip.h`)
