package skills

import (
	"github.com/causaldocs/causal/knowledge/survey"
	"github.com/causaldocs/causal/render"
)

func (s *session) project(map[string]any) (map[string]any, error) {
	tasks, err := render.Tasks(s.reader, s.hides)
	if err != nil {
		return nil, err
	}
	commands := []any{}
	for _, t := range tasks {
		commands = append(commands, map[string]any{"purpose": t.Purpose, "command": t.Run, "runs": t.Does, "from": t.File})
	}
	files, err := render.Documents(s.reader)
	if err != nil {
		return nil, err
	}
	documents := []any{}
	for _, name := range files {
		documents = append(documents, name)
	}
	readme, err := survey.ReadmeOf(s.reader, ".")
	return map[string]any{"commands": commands, "documents": documents, "readme": readme.Path, "root": "/", "pages": "/" + s.config.Layout.Docs + "/"}, err
}
