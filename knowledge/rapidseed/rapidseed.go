// Package rapidseed makes property tests draw the same examples in every run, so that a change is judged by what it changes.
// Tests import it for its effect. `make properties` draws others, and many more of them.
package rapidseed

import (
	"flag"

	_ "pgregory.net/rapid" // has the flag
)

func init() {
	if err := flag.Set("rapid.seed", "1"); err != nil {
		panic(err)
	}
}
