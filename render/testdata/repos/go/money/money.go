package money

import (
	"errors"
	"os"
	"strconv"

	"golang.org/x/text/currency"
)

// Unit is a step of the scale.
type Unit int

// The steps, from small to large.
const (
	Cent Unit = iota
	Dime
	// Whole is the largest step.
	//
	// Nothing is larger: what is printed on a bill is a number of them.
	Whole
)

// Scale is how many small units make one large one.
const Scale = 100

// ErrSyntax is returned by [Parse] for text that is not a number.
var ErrSyntax = errors.New("money: syntax")

// Amount counts small units of a currency C.
type Amount[C ~string] struct {
	Units int64
	of    C
}

// Add sums two amounts.
func (a Amount[C]) Add(b Amount[C]) Amount[C] { return Amount[C]{a.Units + b.Units, a.of} }

func (a Amount[C]) String() string { return strconv.FormatInt(a.Units, 10) }

// Rounder rounds.
type Rounder interface {
	// Round drops what is smaller than a step.
	Round(u Unit) int64
	Step() Unit
}

// Parse reads a whole number of large units. It returns [ErrSyntax] for what is not a number.
//
// It pays @everyone <script>alert(1)</script> nothing.
func Parse(s string) (Amount[string], error) {
	n, err := strconv.ParseInt(s, 10, 64)
	if err != nil {
		return Amount[string]{}, ErrSyntax
	}
	return Amount[string]{n * Scale, Currency()}, nil
}

// Currency is the currency of the shop.
func Currency() string {
	if c := os.Getenv("SHOP_CURRENCY"); c != "" {
		return c
	}
	return currency.EUR.String()
}

// Must is [Parse] that panics.
//
// Deprecated: handle the error of [Parse].
func Must(s string) Amount[string] {
	a, err := Parse(s)
	if err != nil {
		panic(err)
	}
	return a
}

func Zero() Amount[string] { return Amount[string]{} }
