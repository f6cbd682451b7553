package main

import (
	"strings"

	"github.com/causaldocs/causal/app/proof/reference"
)

// readPage reads the page of commands: what it tells of one program.
func readPage(text, program string) surface {
	out := surface{}
	for _, row := range reference.Commands(text) {
		path := row.Command
		if row.Kind == reference.Command {
			path = row.Names[0]
		}
		if first, _, _ := strings.Cut(path, " "); first != program {
			continue
		}
		element := path
		if row.Kind == reference.Command {
			out.add(path, thing{kind: "command"})
		} else {
			names := make([]thing, len(row.Names))
			for i, name := range row.Names {
				names[i] = thing{"flag", name, ""}
			}
			last := &names[longestName(names)]
			last.fallback = row.Default
			for _, name := range names {
				out.add(path, name)
			}
			element += " --" + last.name
		}
		if row.Guarded {
			out.guard(element)
		}
	}
	return out
}
