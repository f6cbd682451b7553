// Package lazy computes tables of the program when they are first used. Every command, and every child of the server, would
// otherwise build the tables of all languages and all checks when it starts.
package lazy

import (
	"strings"
	"sync"
)

// Value is computed by Make when it is first asked for. A package variable of this type with a function literal for Make is data
// of the program: nothing runs when the package is initialised.
type Value[T any] struct {
	Make  func() T
	once  sync.Once
	value T
}

// Get returns the value. It is safe for concurrent use; callers must not change what it returns.
func (v *Value[T]) Get() T {
	v.once.Do(v.fill)
	return v.value
}

func (v *Value[T]) fill() { v.value = v.Make() }

// Words computes the set of the words in a text.
func Words(text string) *Value[map[string]bool] {
	return &Value[map[string]bool]{Make: func() map[string]bool { return Set(text) }}
}

// Set returns the set of the words in a text.
func Set(text string) map[string]bool {
	set := map[string]bool{}
	for word := range strings.FieldsSeq(text) {
		set[word] = true
	}
	return set
}
