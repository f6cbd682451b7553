package typescript

import (
	"fmt"
	"slices"
	"strings"

	"github.com/causaldocs/causal/testgen"
	"github.com/causaldocs/causal/testgen/spec"
)

func (u *unit) law(c *spec.Case) error {
	i := slices.IndexFunc(u.plan.Laws, func(l testgen.Law) bool { return l.Law == c.Law && l.Inverse == c.Inverse })
	if i < 0 {
		return fmt.Errorf("nothing says of %s that this holds", u.plan.Name)
	}
	l := u.plan.Laws[i]
	var values []node
	used := 1
	if l.Law == spec.NoPanic {
		used = len(u.plan.Params)
		for used > 0 && u.plan.Params[used-1].Optional {
			used--
		}
	}
	for _, id := range c.Over {
		o := u.Spec.Case(id)
		if o == nil || o.Quarantined != "" {
			continue
		}
		args, err := u.plan.args(o)
		if err != nil {
			return err
		}
		if u.used([]row{{args: args}}) > used {
			continue // a law covers only the first argument
		}
		if one := args[0]; l.Law != spec.NoPanic {
			values = append(values, one)
		} else {
			values = append(values, node{text: "[", close: "]", items: args[:used]})
		}
	}
	if len(values) == 0 {
		return fmt.Errorf("no case can check it")
	}
	if l.Law == spec.NoPanic {
		return u.fuzz(c, values, used)
	}
	u.over(c, l, values)
	return nil
}

// over writes a law that is checked with the arguments of cases.
func (u *unit) over(c *spec.Case, l testgen.Law, values []node) {
	name := u.names[0]
	await, async := "", ""
	if u.plan.Late || l.Wrapped {
		async = "async "
	}
	if u.plan.Late {
		await = "await "
	}
	u.vitest["expect"] = true
	u.opening(c, async)
	list := node{text: "for (const " + name + " of [", close: "]", items: values, behind: ") {", broken: rowsOf(values)}
	if !u.plan.Params[0].Type.plain() {
		u.constant("values: "+u.plan.Params[0].arrayText(u.paramType(0)), node{text: "[", close: "]", items: values, broken: rowsOf(values)})
		list = leaf("for (const " + name + " of values) {")
	}
	u.out.WriteString("    ")
	list.print(&u.out, 4, 4, 0)
	u.out.WriteString("\n")
	call := await + u.call([]string{name})
	if l.Law == spec.Idempotent {
		fmt.Fprintf(&u.out, "      const once = %s;\n      expect(%s).toEqual(once);\n", call, u.call([]string{"once"}))
	} else {
		back := ""
		if l.Wrapped {
			back = "await "
		}
		expect := node{text: "expect(", close: ")", behind: ".toEqual(" + name + ");", items: []node{leaf(back + u.use(u.plan.Import, l.Name) + "(" + call + ")")}}
		u.out.WriteString("      ")
		expect.print(&u.out, 6, 6, 0)
		u.out.WriteString("\n")
	}
	u.out.WriteString("    }\n  });\n")
}

func (in *Param) arrayText(text string) string {
	if strings.ContainsAny(text, " |") && !strings.HasPrefix(text, "Parameters<") {
		return "(" + text + ")[]"
	}
	return text + "[]"
}

func (u *unit) opening(c *spec.Case, async string) {
	u.out.WriteString("\n  test(" + quote(title(c)) + ", " + async + "() => {\n")
}

// arbitrary are the fast-check generators.
var arbitrary = map[Kind]string{Text: "fc.string()", Number: "fc.double()", Boolean: "fc.boolean()"}

// fuzz writes a property test that no input makes the target throw.
func (u *unit) fuzz(c *spec.Case, examples []node, used int) error {
	var makers []node
	for _, in := range u.plan.Params[:used] {
		maker := arbitrary[in.Type.Kind]
		if maker == "" {
			return fmt.Errorf("nothing makes values for %s", in.Name)
		}
		makers = append(makers, leaf(maker))
	}
	if !u.plan.Check {
		return fmt.Errorf("package.json has no fast-check any more")
	}
	u.check = true
	async, property, await := "", "fc.property(", ""
	if u.plan.Late {
		async, property, await = "async ", "fc.asyncProperty(", "await "
	}
	u.opening(c, async)
	fmt.Fprintf(&u.out, "    %sfc.assert(\n      %s", await, property)
	for _, m := range makers {
		u.out.WriteString(m.text + ", ")
	}
	names := u.names[:used]
	fmt.Fprintf(&u.out, "%s(%s) => {\n        %s%s;\n      }),\n      ", async, strings.Join(names, ", "), await, u.call(names))
	list := node{text: "examples: [", close: "]", items: examples}
	list.broken = rowsOf(examples)
	options := node{text: "{", close: "}", spaced: true, items: []node{leaf("seed: 1"), list}}
	options.print(&u.out, 6, 6, 1)
	u.out.WriteString(",\n    );\n  });\n")
	return nil
}
