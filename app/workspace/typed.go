package workspace

import (
	"path"
	"strings"

	"github.com/causaldocs/causal/knowledge/canonical"
	"github.com/causaldocs/causal/knowledge/source"
)

func (a *askable) typed(m Meant) string {
	switch m.Meaning {
	case MeansFile, MeansOverview, MeansPrinciple, MeansRules, MeansDecisions, MeansLog, MeansSpec, MeansAnswer, MeansAnswers, MeansSkill:
		return canonical.Path(m.File)
	case MeansSymbol:
		return a.qualifier(m.Module) + m.Name
	case MeansElement:
		if m.Module == "." {
			return a.layout.Page(m.Module) + "#" + m.Name
		}
		return canonical.Path(m.Module) + "#" + m.Name
	}
	if m.Module == "." {
		return a.layout.Page(m.Module)
	}
	return canonical.Path(m.Module)
}

// qualifier returns the prefix for a symbol's name: the module path, or the title of the root unless it is ambiguous.
func (a *askable) qualifier(module string) string {
	if module != "." {
		return canonical.Path(module) + "."
	}
	if a.rootTitle != "" {
		return a.rootTitle + "."
	}
	return a.layout.Page(module) + "#"
}

// rootTitleOf returns the title of the root, empty if it could also name another module.
func rootTitleOf(modules []Summary) string {
	title := ""
	for _, m := range modules {
		if m.Path == "." {
			title = m.Title
		}
	}
	for _, m := range modules {
		if m.Path != "." && (m.Title == title || path.Base(m.Path) == title || strings.HasPrefix(m.Path, title+"/")) {
			return ""
		}
	}
	return title
}

func (a *askable) describe(m Meant) string {
	switch m.Meaning {
	case MeansSymbol:
		for _, s := range a.node(m.Module).PublicAPI {
			if s.Name == m.Name {
				return kindWord(s.Kind) + " in " + m.File
			}
		}
	case MeansElement:
		return ElementWord(m.Element) + " of " + m.Module
	case MeansModule:
		return strings.TrimSuffix("module: "+a.node(m.Module).Purpose, ": ")
	}
	return string(m.Meaning)
}

func kindWord(k source.Kind) string {
	if k == source.Func {
		return "function"
	}
	return string(k)
}

func (a *askable) choice(m Meant) Choice { return Choice{a.typed(m), a.describe(m)} }
