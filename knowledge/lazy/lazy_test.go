package lazy_test

import (
	"sync"
	"testing"

	"github.com/causaldocs/causal/knowledge/lazy"
)

func TestValueIsComputedOnceAndNotBefore(t *testing.T) {
	t.Parallel()
	made := 0
	v := lazy.Value[map[string]int]{Make: func() map[string]int {
		made++
		return map[string]int{"a": 1}
	}}
	if made != 0 {
		t.Fatal("computed before it was asked for")
	}
	var group sync.WaitGroup
	for range 8 {
		group.Go(func() {
			if v.Get()["a"] != 1 {
				t.Error("a wrong value")
			}
		})
	}
	group.Wait()
	if made != 1 {
		t.Errorf("computed %d times", made)
	}
}
