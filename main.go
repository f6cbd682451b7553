// Command causal keeps a repository's documentation true: it knows what each statement rests on, and what a change
// made wrong.
package main

import (
	"os"

	"github.com/causaldocs/causal/app/cli"
)

func main() {
	os.Exit(cli.Main())
}
