package cfamily

import (
	"fmt"
	"strings"
	"testing"
)

func TestAutomake(t *testing.T) {
	t.Parallel()
	for _, c := range []struct{ name, text, want string }{
		{"a header", "include_HEADERS = a.h\nnoinst_HEADERS = b.h\n", "src/a.h at "},
		{"over lines", "include_HEADERS = a.h \\\n\tb.h\nlib_SOURCES = c.h\n", "src/a.h at , src/b.h at "},
		{"a directory of its own", "shopincludedir = $(includedir)/shop\nshopinclude_HEADERS = $(srcdir)/a.h\n", "src/a.h at shop"},
		{"with its directories", "nobase_include_HEADERS = shop/a.h\n", "src/shop/a.h at shop"},
		{"what the build makes", "include_HEADERS = a.h\nnodist_include_HEADERS = config.h\ninclude_HEADERS += $(more)\n", "src/a.h at "},
		{"below the package's name", "include_HEADERS = a.h\npkginclude_HEADERS = b.h\n", ""},
		{"an unknown directory", "other_HEADERS = a.h\n", ""},
	} {
		var got []string
		for _, one := range automake("src", c.text) {
			got = append(got, fmt.Sprintf("%s at %s", one.path, one.at))
		}
		if strings.Join(got, ", ") != c.want {
			t.Errorf("%s: %q, want %q", c.name, got, c.want)
		}
	}
}
