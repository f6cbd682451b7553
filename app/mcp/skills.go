package mcp

import (
	"context"
	"fmt"
	"slices"
	"strings"

	"github.com/causaldocs/causal/app/answer"
	"github.com/causaldocs/causal/app/plain"
	"github.com/causaldocs/causal/app/workspace"
)

type skillArguments struct {
	Skill  string         `json:"skill"            jsonschema:"the id of a skill that only reads, as skills_list names it"`
	Inputs map[string]any `json:"inputs,omitempty" jsonschema:"the inputs of the skill, by name"`
}

type skillFilter struct {
	Skill string `json:"skill,omitempty" jsonschema:"the id of the only skill to list; default: all"`
}

func (s *Server) addSkills() {
	add(s, tool[skillFilter]{
		name: "skills_list", title: "List the skills of the repository", result: answer.SkillList{},
		about: "Lists the skills that maintainers wrote for this repository and that only read, with their inputs: queries about the code, its history and its decisions.",
		rest:  "Run `causal skills` in a terminal.",
		run: func(ctx context.Context, _ string, in skillFilter) (*answered, error) {
			return s.look(ctx, func(_ *workspace.Workspace, e *workspace.Knowledge) (*answered, error) {
				set, err := e.Skills()
				if err != nil {
					return nil, err
				}
				list := answer.SkillsOf(set)
				var writing []string
				list.Skills = slices.DeleteFunc(list.Skills, func(l answer.SkillLine) bool {
					wanted := in.Skill == "" || l.ID == in.Skill
					if wanted && !l.ReadsOnly {
						writing = append(writing, l.ID)
					}
					return !wanted || !l.ReadsOnly
				})
				switch text := list.Text(); {
				case len(writing) > 0:
					var b strings.Builder
					if len(list.Skills)+len(list.Problems) > 0 {
						b.WriteString(text)
					}
					plain.Add(&b, "run with `causal skills run ID` in a terminal, because they write pages or findings: %s\n", strings.Join(writing, ", "))
					return &answered{text: b.String(), value: list}, nil
				case in.Skill != "" && len(list.Skills)+len(list.Problems) == 0:
					return nil, fmt.Errorf("there is no skill %s", in.Skill)
				default:
					return &answered{text: text, value: list}, nil
				}
			})
		},
	})
	add(s, tool[skillArguments]{
		name: "skills_run", title: "Run a skill", result: answer.SkillRun{},
		about: "Runs a skill of skills_list and answers with its outputs and the trace of its steps. Skills that write pages or findings are refused.",
		rest:  "Run `causal skills run` in a terminal.",
		run:   s.runSkill,
	})
}

func (s *Server) runSkill(ctx context.Context, _ string, in skillArguments) (*answered, error) {
	return s.look(ctx, func(_ *workspace.Workspace, e *workspace.Knowledge) (*answered, error) {
		set, err := e.Skills()
		if err != nil {
			return nil, err
		}
		if set.Skills[in.Skill] != nil && !set.ReadsOnly(in.Skill) {
			return nil, fmt.Errorf("the skill %s writes; run `causal skills run %s` in a terminal", in.Skill, in.Skill)
		}
		if err := e.Look(ctx); err != nil {
			return nil, err
		}
		r, _, err := e.RunSkill(ctx, in.Skill, in.Inputs)
		if err != nil {
			return nil, err
		}
		told := answer.SkillRunOf(r, nil)
		var b strings.Builder
		b.WriteString(told.Text(false))
		if r.Err != nil {
			plain.Add(&b, "the skill failed: %v\n", r.Err)
		}
		return &answered{text: b.String(), value: told, failed: r.Err != nil}, nil
	})
}
