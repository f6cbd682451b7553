package golang_test

import (
	"testing"

	"github.com/causaldocs/causal/knowledge/source/golang"
	"github.com/causaldocs/causal/knowledge/source/sourcetest"
)

func TestHeaders(t *testing.T) {
	sourcetest.Headers(t, golang.Language{}, "shop.go", `package shop

func Parse[T any, U ~[]T](a, b int, done func(int) error, rest ...map[string]int) (n int, err error) { return 0, nil }
func (s *Shop[T]) Len(int, string) int { return 1 }
func Done(c chan<- struct{}) (<-chan int, error) { return nil, nil }
type Shop[T any] struct {
	// A is the int of shops.
	A, B int
	hidden string
	Run func(a int) error
	Base
}
type Open interface {
	// Get gets.
	Get(a, b int) (int, error)
	Shop[int] | string
}
type Name = map[string]int
const Limit, Other int = 3, 4
var Held = []int{1}
`, `
Parse: <T: any, U: ~[]T> (a: int, b: int, done: func(int) error, v:rest: ...map[string]int) -> (n int, err error)
Shop.Len: (s:s: *Shop[T], : int, : string) -> int
Done: (c: chan<- struct{}) -> (<-chan int, error)
Shop: <T: any> {A: int, B: int, Run: (a int) error}
Open: {Get: (a, b int) (int, error)}
Name: -> map[string]int
Limit: -> int = 3
Other: -> int = 4
Held: = []int{…}
`)
}
