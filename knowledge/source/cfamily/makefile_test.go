package cfamily

import (
	"fmt"
	"strings"
	"testing"
)

func TestMakefile(t *testing.T) {
	t.Parallel()
	for _, c := range []struct{ name, text, want string }{
		{"install with a mode", "install: all\n\tinstall -m 644 a.h b.h $(DESTDIR)/usr/include/shop\n", "src/a.h at shop, src/b.h at shop"},
		{"variables", "PREFIX ?= /usr/local\nHEADERS = a.h \\\n\tb.h\nINC := $(DESTDIR)$(PREFIX)/include\nINSTALL ?= cp -pPR\n\ninstall:\n\t@$(INSTALL) ${HEADERS} $(INC)/\n", "src/a.h at , src/b.h at "},
		{"variables that are not set", "install:\n\t$(Q)$(INSTALL_DATA) $(srcdir)/a.h $(DESTDIR)$(includedir)/shop/a.h\n", "src/a.h at shop"},
		{"a list in steps", "H = a.h\nH += b.h # both\ninstall-headers:\n\tinstall $(H) '$(DESTDIR)$(INCLUDEDIR)'\n", "src/a.h at , src/b.h at "},
		{"a pattern", "install:\n\tcp adapters/*.h $(INCLUDEDIR)/shop/adapters\n", "src/adapters/*.h at shop/adapters"},
		{"in a directory", "install:\n\tmkdir -p $(INCLUDEDIR) && cd lib && install -t $(INCLUDEDIR) a.h\n", "src/lib/a.h at "},
		{"conditions within a rule", "install:\nifeq ($(OS),x:y)\n\tcp a.h $(INCLUDEDIR)\nendif\n\tcp b.h $(INCLUDEDIR)\n", "src/a.h at , src/b.h at "},
		{"other rules", "all:\n\tcp a.h $(INCLUDEDIR)\nuninstall:\n\tcp a.h $(INCLUDEDIR)\ninstall: all\nclean:\n\tcp a.h $(INCLUDEDIR)\n", ""},
		{"directories for something else", "install:\n\tcp a.h $(DESTDIR)/share/shop\n\tcp a.h build/include\n\tinstall -d a.h $(INCLUDEDIR)\n", ""},
		{"another name", "install:\n\tcp a.h $(INCLUDEDIR)/b.h\n", ""},
		{"what a shell or a function makes", "H = $(wildcard *.h)\ninstall:\n\tcp $(H) $(INCLUDEDIR)\n\tfor h in a.h; do cp $$h $(INCLUDEDIR); done\n\tcp a.h $(INCLUDEDIR)/`x`\n\tcd $(B) && cp b.h $(INCLUDEDIR)\n", ""},
		{"what is set in two ways", "ifdef X\nH = a.h\nelse\nH = b.h\nendif\ninstall:\n\tcp $(H) $(INCLUDEDIR)\n", ""},
		{"in a text", "define X\nH = a.h\nendef\ninstall:\n\tcp $(H) $(INCLUDEDIR)\n\techo cp a.h $(INCLUDEDIR)\n\t# cp a.h $(INCLUDEDIR)\n", ""},
		{"in a circle", "A = $(B)\nB = $(A)\ninstall:\n\tcp $(A) a.h $(INCLUDEDIR)\n", "src/a.h at "},
	} {
		var got []string
		for _, one := range makefile("src", c.text) {
			got = append(got, fmt.Sprintf("%s at %s", strings.TrimSuffix(one.path+"/"+one.pattern, "/"), one.at))
		}
		if strings.Join(got, ", ") != c.want {
			t.Errorf("%s: %q, want %q", c.name, got, c.want)
		}
	}
}

// TestMakefileEnds reads variables with exponential expansion.
func TestMakefileEnds(t *testing.T) {
	t.Parallel()
	var text strings.Builder
	text.WriteString("V0 = a.h\n")
	for i := range 40 {
		fmt.Fprintf(&text, "V%d = %s\n", i+1, strings.Repeat(fmt.Sprintf("$(V%d) ", i), 64))
	}
	text.WriteString("install:\n" + strings.Repeat("\tcp $(V8) $(V40) $(INCLUDEDIR)\n", 1000))
	if got := len(makefile(".", text.String())); got > mostInstalled {
		t.Errorf("%d headers", got)
	}
}
