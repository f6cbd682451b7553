package survey

import (
	"fmt"
	"slices"
	"testing"

	"github.com/causaldocs/causal/knowledge/fact"
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

func TestEveryFamilyIsExplained(t *testing.T) {
	t.Parallel()
	ownText := []fact.Family{
		fact.Files, fact.Blobs, fact.Listings, linkFacts, fact.Symbols, fact.Bodies, fact.Callers, fact.Callees, fact.Implementers, listFacts,
	}
	for family := range families {
		if phrases[family] == "" && !slices.Contains(ownText, family) {
			t.Errorf("phrases has no text for %s", family)
		}
	}
}
