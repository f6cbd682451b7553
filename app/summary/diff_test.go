package summary

import (
	"strings"
	"testing"
)

// TestPagesThatAreTooLongToCompare: the comment says so, and takes no time over it.
func TestPagesThatAreTooLongToCompare(t *testing.T) {
	t.Parallel()
	before, after := strings.Repeat("a\n", mostCompared/2), strings.Repeat("b\n", mostCompared/2)
	if got := pageDiff(before, after); len(got) != mostCompared {
		t.Errorf("%d lines differ", len(got))
	}
	if got := pageDiff(before, after+"b\n"); len(got) != 1 || !strings.Contains(got[0], "too many to compare") {
		t.Errorf("%.200q", got)
	}
	if got := fenced([]string{"+````", "-``"}); !strings.HasPrefix(got, "`````diff\n") || !strings.HasSuffix(got, "\n`````") {
		t.Errorf("%q", got)
	}
}
