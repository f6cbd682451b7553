package answer

import (
	"context"
	"strings"

	"github.com/causaldocs/causal/app/skills"
	"github.com/causaldocs/causal/app/workspace"
	"github.com/causaldocs/causal/knowledge/engine"
	"github.com/causaldocs/causal/knowledge/skill"
)

// explainSkill explains a page of a skill by its evidence.
func (p place) explainSkill(ctx context.Context, a *Why, e *workspace.Knowledge, m workspace.Meant, x *engine.Explanation) error {
	a.Name, a.File, a.Page, a.Pages = "the page of the skill "+m.Name, skill.Path(m.Name), m.File, []string{m.File}
	a.Generator, a.From, a.Says = skills.Version, "written by "+a.File, "a page of the skill "+m.Name
	set, err := e.Skills()
	if err != nil {
		return err
	}
	if s := set.Skills[m.Name]; s != nil {
		a.Says, a.quoted = s.Description, true
	}
	if x == nil {
		return nil
	}
	a.Because = append(a.Because, because{What: a.File, Level: "content", How: "skill"})
	if x.Conclusion == nil {
		return nil
	}
	seen := map[string]bool{a.File: true}
	for _, o := range x.Conclusion.Evidence {
		what, level := skills.Describe(o.Fact)
		if what == "" || seen[what] {
			continue
		}
		seen[what] = true
		a.Because = append(a.Because, because{What: what, Level: level, Hash: o.Digest, How: read})
	}
	return p.lastChange(ctx, a, []string{strings.TrimPrefix(m.File, "./")})
}
