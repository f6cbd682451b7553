package cfamily

import (
	"slices"
	"strings"
	"testing"
)

// TestExportedByGuard checks that a header exports neither the declarations for its single implementing file nor those for tests.
func TestExportedByGuard(t *testing.T) {
	t.Parallel()
	const header = `#ifndef CART_H
#define CART_H
int cart_open(void);
int cart_total(void);
#ifdef _WIN32
int cart_window(void);
#endif
#ifdef CART_TEST
int cart_test(void);
#else
int cart_use(void);
#endif
#ifndef CART_NO_TESTS
int cart_checked(void);
#endif
#ifdef HAVE_CART_TEST
int cart_probe(void);
#endif
#endif
#if (defined(CART_ALL) || defined (CART_IMPLEMENTATION)) && !defined(CART_DONE)
#define CART_SLOTS 3
#ifdef _WIN32
int cart_slot(void) { return 0; }
#endif
int cart_total(void) { return CART_SLOTS; }
#elif !defined(CART_IMPLEMENTATION)
int cart_declared(void);
#endif
`
	f := C.Extract(t.Context(), "cart.h", []byte(header))
	var got []string
	for _, s := range f.Symbols {
		if s.Exported {
			got = append(got, s.Name)
		}
	}
	want := []string{"cart_checked", "cart_declared", "cart_open", "cart_probe", "cart_total", "cart_use", "cart_window"}
	if slices.Sort(got); !slices.Equal(got, want) {
		t.Errorf("got %s, want %s", strings.Join(got, " "), strings.Join(want, " "))
	}
}
