package cli

import (
	"context"
	"encoding/json"
	"errors"
	"fmt"
	"slices"
	"strings"

	"github.com/spf13/cobra"

	"github.com/causaldocs/causal/app/answer"
	"github.com/causaldocs/causal/app/plain"
	"github.com/causaldocs/causal/app/skills"
	"github.com/causaldocs/causal/app/summary"
	"github.com/causaldocs/causal/app/workspace"
	"github.com/causaldocs/causal/knowledge/skill"
)

func newSkills(world IO) *cobra.Command {
	var asJSON bool
	list := func(cmd *cobra.Command, _ []string) error { return runSkillList(cmd.Context(), world, asJSON) }
	c := &cobra.Command{
		Use:   "skills",
		Short: "List, check and run the skills of the repository",
		Long: `List the skills under .causal/skills/. A skill is a YAML file: its steps call capabilities of causal and pass values on. A skill
that runs on update keeps a page up to date, and one that runs on review adds findings.

causal init --skills writes two skills and the JSON Schema for editors. The guide is docs/skills.md of causal.`,
		Args: cobra.NoArgs,
		RunE: list,
	}
	c.Flags().BoolVar(&asJSON, "json", false, "print one JSON object")
	sub := &cobra.Command{Use: "list", Short: "List the skills", Args: cobra.NoArgs, RunE: list}
	sub.Flags().BoolVar(&asJSON, "json", false, "print one JSON object")
	c.AddCommand(sub, newSkillsCheck(world), newSkillsRun(world), newSkillsCapabilities(world), newSkillsSchema(world))
	return c
}

func runSkillList(ctx context.Context, world IO, asJSON bool) error {
	return looking(ctx, world, ".", func(_ *place, e *workspace.Knowledge) error {
		set, err := e.Skills()
		if err != nil {
			return err
		}
		l := answer.SkillsOf(set)
		return world.answer(asJSON, l, l.Text)
	})
}

func newSkillsCheck(world IO) *cobra.Command {
	var asJSON bool
	c := &cobra.Command{
		Use:   "check [FILE...]",
		Short: "Report every problem of the skills, with file and line",
		Long: `Report every problem of the skills: unknown keys and capabilities, references to values that no earlier step writes, wrong
targets, circles. The exit code is 2 when there is one. FILE limits the report to these files.`,
		RunE: func(cmd *cobra.Command, args []string) error {
			return runSkillCheck(cmd.Context(), world, args, asJSON)
		},
	}
	c.Flags().BoolVar(&asJSON, "json", false, "print one JSON object")
	return c
}

func runSkillCheck(ctx context.Context, world IO, files []string, asJSON bool) error {
	return looking(ctx, world, ".", func(_ *place, e *workspace.Knowledge) error {
		set, err := e.Skills()
		if err != nil {
			return err
		}
		var names []string
		for _, f := range files {
			name, err := e.SkillFile(world.Dir, f)
			if err != nil {
				return usage(err)
			}
			names = append(names, name)
		}
		problems := append([]skill.Problem{}, set.Problems...)
		if len(names) > 0 {
			problems = slices.DeleteFunc(problems, func(p skill.Problem) bool { return !slices.Contains(names, p.File) })
		}
		if asJSON {
			err = world.answer(true, map[string]any{"problems": problems}, nil)
		} else {
			for _, p := range problems {
				_, _ = plain.Fprintf(world.Err, "%s\n", p.String())
			}
			if len(problems) == 0 {
				_, err = plain.Fprintf(world.Out, "%s without problems\n", summary.Count(len(set.Skills), "skill"))
			}
		}
		if err == nil && len(problems) > 0 {
			return exit{code: ExitUsage}
		}
		return err
	})
}

type skillRunFlags struct {
	inputs      []string
	json, trace bool
}

func newSkillsRun(world IO) *cobra.Command {
	var flags skillRunFlags
	c := &cobra.Command{
		Use:   "run ID",
		Short: "Run a skill",
		Long: `Run a skill and print its outputs. A step with docs.page writes its page. The exit code is 1 when a step fails, and 2 when the
skill has a problem.`,
		Example: "  causal skills run changelog --input since=v1.2.0\n  causal skills run onboarding --trace",
		Args:    cobra.ExactArgs(1),
		RunE:    func(cmd *cobra.Command, args []string) error { return runSkill(cmd.Context(), world, args[0], flags) },
	}
	world.offlineFlag(c)
	c.Flags().StringArrayVar(&flags.inputs, "input", nil, "`KEY=VALUE` of an input; may be repeated")
	c.Flags().BoolVar(&flags.json, "json", false, "print one JSON object")
	c.Flags().BoolVar(&flags.trace, "trace", false, "also print the steps, with what each read and wrote")
	return c
}

func runSkill(ctx context.Context, world IO, id string, flags skillRunFlags) error {
	return looking(ctx, world, ".", func(p *place, e *workspace.Knowledge) error {
		set, err := e.Skills()
		if err != nil {
			return err
		}
		inputs, err := inputsOf(set.Skills[id], flags.inputs)
		if err != nil {
			return usage(err)
		}
		if s := set.Skills[id]; s != nil {
			if !set.ReadsOnly(id) {
				if err := p.lock(ctx); err != nil {
					return err
				}
			}
			if err := p.openModel(false); err != nil {
				return err
			}
			if err := e.Look(ctx); err != nil {
				return err
			}
		}
		r, written, err := e.RunSkill(ctx, id, inputs)
		if broken, ok := errors.AsType[*skill.Error](err); ok {
			return usage(broken)
		}
		if wrong, ok := errors.AsType[*skill.InputError](err); ok {
			return usage(wrong)
		}
		if err != nil {
			return err
		}
		return p.tellSkillRun(r, written, flags)
	})
}

func (p *place) tellSkillRun(r *skills.Result, written []string, flags skillRunFlags) error {
	a := answer.SkillRunOf(r, written)
	if err := p.world.answer(flags.json, a, func() string { return a.Text(flags.trace) }); err != nil {
		return err
	}
	for _, why := range r.Unread {
		_, _ = plain.Fprintf(p.world.Err, "partial: not all of the code was read: %s\n", why)
	}
	for _, name := range written {
		_, _ = plain.Fprintf(p.world.Err, "wrote %s\n", name)
	}
	p.tellModel()
	if r.Err != nil {
		return exit{ExitFindings, fmt.Errorf("the skill %s failed: %w", r.Skill, r.Err)}
	}
	return nil
}

// inputsOf parses KEY=VALUE inputs. Values of types other than string are JSON.
func inputsOf(s *skill.Skill, list []string) (map[string]any, error) {
	out := map[string]any{}
	for _, pair := range list {
		key, value, ok := strings.Cut(pair, "=")
		if !ok {
			return nil, fmt.Errorf("--input %s: write it as KEY=VALUE", pair)
		}
		out[key] = value
		if s == nil || s.Inputs[key].Type == "" || s.Inputs[key].Type == skill.String { // the run reports an unknown input
			continue
		}
		v, err := skill.FromJSON([]byte(value))
		switch {
		case err == nil:
			out[key] = v
		case s.Inputs[key].Type != skill.Any:
			return nil, fmt.Errorf("--input %s: the value is no %s", pair, s.Inputs[key].Type)
		}
	}
	return out, nil
}

func newSkillsCapabilities(world IO) *cobra.Command {
	var asJSON bool
	c := &cobra.Command{
		Use:   "capabilities",
		Short: "List the capabilities that steps can use",
		Args:  cobra.NoArgs,
		RunE: func(*cobra.Command, []string) error {
			list := skills.Specs.Describe()
			return world.answer(asJSON, map[string]any{"capabilities": list}, func() string {
				var rows [][]string
				for _, c := range list {
					rows = append(rows, []string{c.ID, c.About})
				}
				return strings.Join(answer.Table(rows), "\n") + "\n"
			})
		},
	}
	c.Flags().BoolVar(&asJSON, "json", false, "print one JSON object, with the schemas of inputs and outputs")
	return c
}

func newSkillsSchema(world IO) *cobra.Command {
	return &cobra.Command{
		Use:   "schema",
		Short: "Print the JSON Schema of skills",
		Args:  cobra.NoArgs,
		RunE: func(*cobra.Command, []string) error {
			data, err := skillSchema()
			if err == nil {
				_, err = world.Out.Write(data)
			}
			return err
		},
	}
}

func skillSchema() ([]byte, error) {
	data, err := json.MarshalIndent(skills.Specs.Schema(), "", "  ")
	return append(data, '\n'), err
}
