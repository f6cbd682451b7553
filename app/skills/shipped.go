package skills

import (
	"embed"
	"path"

	"github.com/causaldocs/causal/knowledge/skill"
)

//go:embed shipped/*.yml
var shipped embed.FS

// SchemaFile is the path of the JSON Schema of skills, for editors.
const SchemaFile = skill.Dir + "/skill.schema.json"

// Shipped returns the skill files that come with the program.
func Shipped() (out []skill.File) {
	entries, err := shipped.ReadDir("shipped")
	if err != nil {
		panic(err) // it is in the program
	}
	for _, e := range entries {
		data, err := shipped.ReadFile(path.Join("shipped", e.Name()))
		if err != nil {
			panic(err)
		}
		out = append(out, skill.File{Name: skill.Dir + "/" + e.Name(), Data: data})
	}
	return out
}
