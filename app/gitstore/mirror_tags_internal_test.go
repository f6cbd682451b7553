package gitstore

import (
	"errors"
	"fmt"
	"reflect"
	"strings"
	"testing"
)

// TestParseTags: the list of a remote is not trusted.
func TestParseTags(t *testing.T) {
	t.Parallel()
	a, b := strings.Repeat("a", 40), strings.Repeat("b", 40)
	for out, want := range map[string][]remoteTag{
		"": nil,
		a + "\trefs/tags/v1\n" + b + "\trefs/tags/v1^{}\n" + a + "\trefs/tags/v2\n":                                                                                            {{Tag{"v1", b}, a}, {Tag{"v2", a}, a}},
		a + "\trefs/tags/v1\n" + b + "\trefs/tags/v2^{}\n":                                                                                                                     {{Tag{"v1", a}, a}},
		a + "\trefs/heads/v1\n" + a + "\tHEAD\nx\trefs/tags/v1\n" + a[1:] + "\trefs/tags/v1\n":                                                                                 nil,
		a + "\trefs/tags/../../config\n" + a + "\trefs/tags/a b\n" + a + "\trefs/tags/\x01\n" + a + "\trefs/tags/a..b\n" + a + "\trefs/tags/x.lock\n" + a + "\trefs/tags/-x\n": nil,
	} {
		if got, err := parseTags(out); err != nil || !reflect.DeepEqual(got, want) {
			t.Errorf("%q: %v, %v; want %v", out, got, err, want)
		}
	}
	var many strings.Builder
	for i := range mostTags + 1 {
		fmt.Fprintf(&many, "%s\trefs/tags/v%d\n", a, i)
	}
	if _, err := parseTags(many.String()); !errors.Is(err, ErrTooLarge) {
		t.Errorf("too many tags: %v", err)
	}
	list := &bounded{}
	if _, err := list.Write(make([]byte, longestList+1)); !errors.Is(err, ErrTooLarge) || !list.over {
		t.Errorf("a list that is too long: %v", err)
	}
}
