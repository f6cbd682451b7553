package skills

import (
	"encoding/json"
	"errors"
	"io/fs"
	"strings"

	"github.com/causaldocs/causal/knowledge/skill"
)

// answers are a model's answers for one page. They are stored: a check needs no model.
type answers struct {
	kept map[string]json.RawMessage
	used map[string]json.RawMessage
}

func (a answers) begin() answers { return answers{a.kept, map[string]json.RawMessage{}} }

func (a answers) get(key string) (json.RawMessage, bool) {
	raw, ok := a.kept[key]
	if ok {
		a.used[key] = raw
	}
	return raw, ok
}

func (a answers) keep(key string, raw json.RawMessage) { a.used[key] = raw }

// answersFile returns the file with the answers for a page.
func answersFile(page string) string {
	return skill.Dir + "/answers/" + strings.TrimSuffix(page, ".md") + ".json"
}

// readAnswers reads the stored answers for a page. A damaged file has no answers: the model is asked again.
func readAnswers(files interface {
	Read(name string) ([]byte, error)
}, page string) (answers, error) {
	data, err := files.Read(answersFile(page))
	if errors.Is(err, fs.ErrNotExist) {
		return answers{}, nil
	}
	if err != nil {
		return answers{}, err
	}
	a := answers{}
	if json.Unmarshal(data, &a.kept) != nil {
		return answers{}, nil
	}
	return a, nil
}

func (a answers) encode() []byte {
	if len(a.used) == 0 {
		return nil
	}
	data, err := json.MarshalIndent(a.used, "", "  ")
	if err != nil {
		return nil // an answer is JSON
	}
	return append(data, '\n')
}
