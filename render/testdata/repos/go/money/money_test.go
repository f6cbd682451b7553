package money_test

import (
	"fmt"
	"testing"

	"example.com/shop/money"
)

func ExampleParse() {
	a, err := money.Parse("12")
	fmt.Println(a, err)
	// Output: 1200 <nil>
}

func Example() {
	fmt.Println(money.Scale)
	// Output: 100
}

func TestParse(t *testing.T) {}
