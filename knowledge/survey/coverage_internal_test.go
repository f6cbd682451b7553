package survey

import (
	"fmt"
	"testing"
)

func TestManyKindsOfFilesAreAddedUp(t *testing.T) {
	t.Parallel()
	counts := map[string]*FileCount{"go": {By: ByLanguage, Name: "go", Files: 7}}
	for i := range mostCounts + 4 {
		name := fmt.Sprintf(".x%03d", i)
		counts[name] = &FileCount{By: ByType, Name: name, Files: 2}
	}
	got := counted(counts)
	if last := got[len(got)-1]; len(got) != mostCounts+1 || got[0].Name != "go" || last.Name != "others" || last.Files != 10 {
		t.Errorf("%d counts, the last is %+v", len(got), last)
	}
}
