package survey

import (
	"slices"
	"testing"
)

// TestMadeManualPages: the document that a manual page is made from replaces it.
func TestMadeManualPages(t *testing.T) {
	t.Parallel()
	got := withoutMade([]string{"README.md", "man/shop.1", "man/src/shop.1.md", "man/other.1", "man/shop.5", "man/shop.5.adoc"})
	if want := []string{"README.md", "man/src/shop.1.md", "man/other.1", "man/shop.5.adoc"}; !slices.Equal(got, want) {
		t.Errorf("got %q, want %q", got, want)
	}
}
