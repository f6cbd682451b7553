// Package languages lists every language that causal reads. A new one is added here.
package languages

import (
	"github.com/causaldocs/causal/knowledge/source"
	"github.com/causaldocs/causal/knowledge/source/cfamily"
	"github.com/causaldocs/causal/knowledge/source/ecma"
	"github.com/causaldocs/causal/knowledge/source/golang"
	"github.com/causaldocs/causal/knowledge/source/java"
	"github.com/causaldocs/causal/knowledge/source/python"
	"github.com/causaldocs/causal/knowledge/source/rust"
)

// All returns the languages, each once.
func All() []source.Language {
	return []source.Language{
		golang.Language{}, python.Language{}, ecma.TypeScript, ecma.JavaScript, java.Language{}, rust.Language{}, cfamily.C, cfamily.CPP,
	}
}
