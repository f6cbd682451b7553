package api

import "testing"

const (
	cMoney = "include/money/money.h"
	cOwn   = "src/own.h"
)

var cShop = files{
	cMoney: `#ifndef MONEY_H
#define MONEY_H
#include <stddef.h>
#ifdef __cplusplus
extern "C" {
#endif

#define MONEY_SCALE 100
#define MONEY_MAX(a, b) ((a) > (b) ? (a) : (b))
#if defined(_WIN32)
#define MONEY_API __declspec(dllexport)
int money_only_there(void);
#else
#define MONEY_API
#endif

typedef struct money {
    int units;
    const char *name;
    unsigned kind : 3;
    struct { int low; } range;
    int (*show)(int);
    char buf[10];
} money;

typedef struct purse { int all; } purse;

enum color { RED, GREEN = 2, BLUE };

typedef unsigned long money_size;

MONEY_API int money_parse(const char *text, int strict);
MONEY_PUBLIC(char *) money_print(const money *m, purse *p);
void money_log(int level, ...);
int money_old();
typedef int (*get) OF((int a));
int money_kept OF((int a));
static inline int money_twice(int a) { return a; }
money *money_new(money_size n);
extern int money_count;

#ifdef __cplusplus
}
#endif
#endif
`,
	"include/money/more.h":      "int money_more(int a);\nint money__step(int a);\nstruct money__part {\n    int low;\n};\n",
	"include/money/detail/x.h":  "int money_detail(int a);\n",
	"include/money/struct.h":    "/** @file money/struct.h\n *\n * Using these may hurt forward\n * compatibility: be careful! */\nstruct purse_part {\n    int low;\n    int high;\n};\n",
	"src/lib/include/buf.h":     "int buf(int a);\n",
	"include/money/bundled/z.h": "int inflate(int a);\n",
	cOwn:                        "int own(int a);\nint free_of(int a);\n",
	"src/own.c":                 "#include \"own.h\"\nint own(int a) { return a; }\n",
	"cart/cart.c":               "#include \"money/money.h\"\n#include \"../src/own.h\"\n\nint total(void) {\n    return money_parse(\"1\", 1) + own(1);\n}\n",
}

func TestC(t *testing.T) {
	t.Parallel()
	const parse, shown = "int money_parse(const char *text, int strict);", "MONEY_PUBLIC(char *) money_print(const money *m, purse *p);"
	one := func(rest string) []string { return []string{rest} }
	for name, test := range map[string]struct {
		edits []edit
		want  []string
	}{
		"function removed":           {[]edit{{cMoney, "MONEY_API " + parse + "\n", ""}}, one("money_parse func removed error " + cMoney + ":32 left -> cart/cart.c:5")},
		"parameter removed":          {[]edit{{cMoney, parse, "int money_parse(const char *text);"}}, one("money_parse parameter removed error " + cMoney + ":32 -> cart/cart.c:5")},
		"parameter added":            {[]edit{{cMoney, parse, "int money_parse(const char *text, int strict, int base);"}}, one("money_parse parameter added error " + cMoney + ":32 -> cart/cart.c:5")},
		"parameter retyped":          {[]edit{{cMoney, parse, "int money_parse(const char **text, int strict);"}}, one("money_parse parameter retyped error " + cMoney + ":32 -> cart/cart.c:5")},
		"record for another":         {[]edit{{cMoney, shown, "MONEY_PUBLIC(char *) money_print(const purse *m, purse *p);"}}, one("money_print parameter retyped error " + cMoney + ":33")},
		"result retyped":             {[]edit{{cMoney, parse, "char *money_parse(const char *text, int strict);"}}, one("money_parse result retyped error " + cMoney + ":32 -> cart/cart.c:5")},
		"no longer variadic":         {[]edit{{cMoney, "int level, ...", "int level"}}, one("money_log variadic removed error " + cMoney + ":34")},
		"macro removed":              {[]edit{{cMoney, "#define MONEY_SCALE 100\n", ""}}, one("MONEY_SCALE macro removed error " + cMoney + ":8 left")},
		"enumerator removed":         {[]edit{{cMoney, "RED, GREEN", "GREEN"}}, one("color.RED enumerator removed error " + cMoney + ":28")},
		"field removed":              {[]edit{{cMoney, "    int units;\n", ""}}, one("money.units field removed error " + cMoney + ":17")},
		"field retyped":              {[]edit{{cMoney, "int units", "double units"}}, one("money.units field retyped error " + cMoney + ":17")},
		"type removed":               {[]edit{{cMoney, "typedef unsigned long money_size;\n", ""}, {cMoney, "money_size n", "unsigned long n"}}, one("money_size type removed error " + cMoney + ":30 left")},
		"variable removed":           {[]edit{{cMoney, "extern int money_count;\n", ""}}, one("money_count var removed error " + cMoney + ":40 left")},
		"own header":                 {[]edit{{cOwn, "own(int a)", "own(int a, int b)"}}, one("own parameter added note src/own.h:1 -> cart/cart.c:5")},
		"own header that nobody has": {[]edit{{cOwn, "free_of(int a)", "free_of(int a, int b)"}}, nil},
		"moved to another header":    {[]edit{{cMoney, "MONEY_API " + parse + "\n", ""}, {"include/money/more.h", "int money_more(int a);", parse}, {"include/money/more.h", ";", ";\nint money_more(int a);"}}, nil},
		"renamed with the old name":  {[]edit{{cMoney, parse, "int money_read(const char *text, int strict);\n#define money_parse money_read"}}, nil},
		"other names and spaces":     {[]edit{{cMoney, parse, "int  money_parse(char const *words,\n    int exactly) ;"}}, nil},
		"struct spelled out":         {[]edit{{cMoney, "const money *m", "const struct money *m"}}, nil},
		"another name for a type":    {[]edit{{cMoney, "money_size n", "size_t n"}}, nil},
		"unsigned":                   {[]edit{{cMoney, "int strict", "unsigned strict"}}, nil},
		"untold parameters":          {[]edit{{cMoney, "money_old()", "money_old(int a)"}}, nil},
		"guarded":                    {[]edit{{cMoney, "int money_only_there(void);\n", ""}}, nil},
		"macro's text":               {[]edit{{cMoney, "MONEY_SCALE 100", "MONEY_SCALE 10"}}, nil},
		"enumerator added":           {[]edit{{cMoney, "RED, GREEN", "RED, WHITE, GREEN"}}, nil},
		"field added":                {[]edit{{cMoney, "    int units;\n", "    int units;\n    int cents;\n"}}, nil},
		"field in a union":           {[]edit{{cMoney, "    int units;\n", "    union { int units; long wide; };\n"}}, nil},
		"made opaque":                {[]edit{{cMoney, "typedef struct purse { int all; } purse;", "typedef struct purse purse;"}}, nil},
		"private directory":          {[]edit{{"include/money/detail/x.h", "int a", "int a, int b"}}, nil},
		"another project's":          {[]edit{{"include/money/bundled/z.h", "int a", "int a, int b"}}, nil},
		"reserved name":              {[]edit{{"include/money/more.h", "money__step(int a)", "money__step(int a, int b)"}, {"include/money/more.h", "int low", "int high"}}, nil},
		"a file that takes it back":  {[]edit{{"include/money/struct.h", "int low;\n    ", ""}}, []string{"purse_part.low field removed note include/money/struct.h:5"}},
		"include among the sources":  {[]edit{{"src/lib/include/buf.h", "int a", "int a, int b"}}, nil},
		"macro around parameters":    {[]edit{{cMoney, "typedef int (*get) OF((int a));\nint money_kept OF((int a));\n", "typedef int (*get)(int a);\nint money_kept(int a);\n"}}, nil},
		"export macro added":         {[]edit{{cMoney, "void money_log", "MONEY_API void money_log"}}, nil},
		"result more":                {[]edit{{cMoney, "void money_log", "int money_log"}}, nil},
	} {
		t.Run(name, func(t *testing.T) {
			t.Parallel()
			expect(t, cShop, cShop.edited(t, test.edits...), test.want...)
		})
	}
}

// TestInstalled: a header is for others where what builds the project installs it.
func TestInstalled(t *testing.T) {
	t.Parallel()
	for _, test := range []struct {
		file, build string
		want        bool
	}{
		{"CMakeLists.txt", "install(FILES sum.h other.h DESTINATION include)\n", true},
		{"CMakeLists.txt", "INSTALL(FILES other.h\n    sum.h\n    DESTINATION include)\n", true},
		{"CMakeLists.txt", "set(SUM_PUBLIC_HDRS\n    sum.h\n)\ninstall(FILES ${SUM_PUBLIC_HDRS} DESTINATION include)\n", true},
		{"CMakeLists.txt", "# to be exported by \"install\"\nadd_library(sum sum.c sum.h)\ninstall(TARGETS sum)\n", false},
		{"CMakeLists.txt", "set(SUM_PRIVATE_HDRS sum.h)\ninstall(FILES check_sum.h DESTINATION include)\n", false},
		{"Makefile", "install: sum.o\n\t$(INSTALL) sum.h \\\n\t  other.h $(DESTDIR)/usr/include\n", true},
		{"Makefile", "SRC = .\nincludedir = /usr/include\ninstall:\n\tcp $(SRC)/sum.h $(includedir)\nsum.o: sum.h\n", true},
		{"Makefile", "sum.o: sum.c sum.h\nuninstall:\n\trm -f $(includedir)/sum.h\n", false},
		{"Makefile.am", "include_HEADERS = other.h \\\n  sum.h\n", true},
		{"Makefile.am", "noinst_HEADERS = sum.h\n", false},
		{"meson.build", "install_headers('other.h',\n  'sum.h')\n", true},
	} {
		was := files{"sum/" + test.file: test.build, "sum/sum.h": "int sum(int a);\n", "sum/sum.c": "#include \"sum.h\"\n"}
		var want []string
		if test.want {
			want = []string{"sum parameter added error sum/sum.h:1"}
		}
		expect(t, was, was.edited(t, edit{"sum/sum.h", "int a", "int a, int b"}), want...)
	}
}

const cppMoney = "include/money/money.hpp"

var cppShop = files{
	cppMoney: `#pragma once
#include <string>

/** Doubles. */
#define MONEY_TWICE(x) (x * 2)
#define MONEY_PLUMBING(x) x

namespace money {
namespace detail {
template <class T> void digits(T);
void zeros(int a);
}

class Base {
 public:
  virtual ~Base();
  virtual int show(int a) = 0;
  int size() const;
  int units;
  static constexpr int SCALE = 100;
 protected:
  void inner(int a);
 private:
  int own;
  void hidden(int a);
};

class Sum : public Base {
 public:
  Sum();
  explicit Sum(int n);
  int all(int a);
  int show(int a) override;
};

int parse(const std::string& text, bool strict = false);
int parse(double value);
template <typename T> T mix(T a);
int trail(int a);
enum class Kind { Coin, Note };
using Text = std::string;
}
`,
	"cart/cart.cpp": "#include \"money/money.hpp\"\n\nclass Purse : public money::Base {\n public:\n  int show(int a) override { return a; }\n};\n\nint total() {\n  return money::trail(1);\n}\n",
}

func TestCPP(t *testing.T) {
	t.Parallel()
	one := func(rest string) []string { return []string{rest} }
	for name, test := range map[string]struct {
		edits []edit
		want  []string
	}{
		"function removed":           {[]edit{{cppMoney, "int trail(int a);\n", ""}}, one("money.trail func removed error " + cppMoney + ":39 left -> cart/cart.cpp:9")},
		"parameter added":            {[]edit{{cppMoney, "trail(int a)", "trail(int a, int b)"}}, one("money.trail parameters changed error " + cppMoney + ":39 -> cart/cart.cpp:9")},
		"optional parameter removed": {[]edit{{cppMoney, "const std::string& text, bool strict = false", "const std::string& text"}}, one("money.parse parameters changed error " + cppMoney + ":36")},
		"method removed":             {[]edit{{cppMoney, "  int size() const;\n", ""}}, one("money.Base.size method removed error " + cppMoney + ":18 left")},
		"const removed":              {[]edit{{cppMoney, "size() const", "size()"}}, one("money.Base.size const removed error " + cppMoney + ":18")},
		"field removed":              {[]edit{{cppMoney, "  int units;\n", ""}}, one("money.Base.units field removed error " + cppMoney + ":14")},
		"pure virtual added":         {[]edit{{cppMoney, "  int units;\n", "  int units;\n  virtual void tell() = 0;\n"}}, one("money.Base.tell method added error " + cppMoney + ":20 -> cart/cart.cpp:3")},
		"enumerator removed":         {[]edit{{cppMoney, "Coin, Note", "Note"}}, one("money.Kind.Coin enumerator removed error " + cppMoney + ":40")},
		"alias removed":              {[]edit{{cppMoney, "using Text = std::string;\n", ""}}, one("money.Text type removed error " + cppMoney + ":41 left")},
		"template removed":           {[]edit{{cppMoney, "template <typename T> T mix(T a);\n", ""}}, one("money.mix func removed error " + cppMoney + ":38 left")},
		"macro removed":              {[]edit{{cppMoney, "/** Doubles. */\n#define MONEY_TWICE(x) (x * 2)\n", ""}}, one("MONEY_TWICE macro removed error " + cppMoney + ":5 left")},
		"deleted":                    {[]edit{{cppMoney, "  int units;\n", "  int units;\n  Base(const Base&) = delete;\n"}}, nil},
		"macro that nobody is told":  {[]edit{{cppMoney, "#define MONEY_PLUMBING(x) x\n", ""}}, nil},
		"detail":                     {[]edit{{cppMoney, "void zeros(int a);\n", ""}}, nil},
		"private":                    {[]edit{{cppMoney, "  void hidden(int a);\n", ""}}, nil},
		"inherited":                  {[]edit{{cppMoney, "  int all(int a);\n", ""}}, nil},
		"default added":              {[]edit{{cppMoney, "trail(int a)", "trail(int a, int b = 1)"}}, nil},
		"retyped":                    {[]edit{{cppMoney, "const std::string& text", "std::string_view text"}}, nil},
		"overload added":             {[]edit{{cppMoney, "int trail(int a);", "int trail(int a);\nint trail(int a, int b);"}}, nil},
		"becomes a template":         {[]edit{{cppMoney, "int trail(int a);", "template <typename... T> int trail(T... a);"}}, nil},
		"becomes an object":          {[]edit{{cppMoney, "int trail(int a);", "inline constexpr auto trail = [](int a) { return a; };"}}, nil},
		"virtual destructor":         {[]edit{{cppMoney, "virtual ~Base();", "virtual ~Base() = 0;"}}, nil},
		"virtual with a body":        {[]edit{{cppMoney, "  int units;\n", "  int units;\n  virtual void tell();\n"}}, nil},
	} {
		t.Run(name, func(t *testing.T) {
			t.Parallel()
			expect(t, cppShop, cppShop.edited(t, test.edits...), test.want...)
		})
	}
}
