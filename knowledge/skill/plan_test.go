package skill

import (
	"fmt"
	"strings"
	"testing"
)

// specs are the capabilities of the tests.
var specs = Specs{
	"text.make": {
		ID: "text.make", Input: []Field{
			{Name: "text", Type: String, Required: true, Check: func(v any) error {
				if strings.Contains(v.(string), "BAD") {
					return fmt.Errorf("%q is bad", v)
				}
				return nil
			}}, {Name: "data", Type: Any},
		}, Output: []Field{{Name: "text", Type: String}, {Name: "list", Type: List}, {Name: "map", Type: Map}},
	},
	"model.ask":  {ID: "model.ask", Output: []Field{{Name: "answer", Type: Map}}, Else: true},
	"page.write": {ID: "page.write", Input: []Field{{Name: "text", Type: String}}, Writes: true},
	RunSkill: {
		ID: RunSkill, Input: []Field{{Name: "skill", Type: String, Required: true}, {Name: "inputs", Type: Map}},
		Output: []Field{{Name: "outputs", Type: Map}, {Name: "run_id", Type: String}},
	},
}

// skillOf is the file of a skill with steps, each a flow mapping.
func skillOf(id, more string, steps ...string) File {
	text := fmt.Sprintf("id: %s\nversion: 1.0.0\ndescription: x\n%ssteps:\n", id, more)
	for _, s := range steps {
		text += "  - " + s + "\n"
	}
	return File{Name: Path(id), Data: []byte(text)}
}

const made = "{id: a, uses: text.make, input: {text: x}, output: {text: vars.x}}"

func TestProblemsHaveFileAndLine(t *testing.T) {
	t.Parallel()
	for name, c := range map[string]struct {
		file File
		want string
	}{
		"unknown key of a skill":  {skillOf("s", "colour: red\n", made), `s.yml:4: unknown key "colour" in a skill`},
		"unknown key of a step":   {skillOf("s", "", made, "{id: b, uses: text.make, imput: {text: x}}"), `s.yml:6: unknown key "imput" in a step`},
		"unknown key of frame":    {skillOf("s", "frame: {gaol: x}\n", made), `s.yml:4: unknown key "gaol" in frame`},
		"unknown key of an input": {skillOf("s", "inputs: {a: {tipe: string}}\n", made), `s.yml:4: unknown key "tipe" in the input a`},
		"unknown type":            {skillOf("s", "inputs: {a: {type: poem}}\n", made), `s.yml:4: the input a has the unknown type "poem"`},
		"wrong default":           {skillOf("s", "inputs: {a: {type: integer, default: x}}\n", made), `s.yml:4: the default of the input a is no integer`},
		"unknown trigger":         {skillOf("s", "when: [never]\n", made), `s.yml:4: when "never" must be update, review or manual`},
		"capability":              {skillOf("s", "", "{id: a, uses: shell.run}"), `s.yml:5: unknown capability "shell.run"`},
		"duplicate id":            {skillOf("s", "", made, "{id: a, uses: text.make, input: {text: x}}"), `s.yml:6: two steps have the id "a"`},
		"missing input":           {skillOf("s", "", "{id: a, uses: text.make, output: {text: vars.x}}"), `s.yml:5: text.make needs the input "text"`},
		"input that is not taken": {skillOf("s", "", "{id: a, uses: text.make, input: {text: x, tone: y}}"), `s.yml:5: text.make does not take the input "tone"`},
		"input of another type":   {skillOf("s", "", "{id: a, uses: text.make, input: {text: [x]}}"), `s.yml:5: the input "text" of text.make must be a string`},
		"literal that is checked": {skillOf("s", "", "{id: a, uses: text.make, input: {text: BAD}}"), `s.yml:5: the input "text": "BAD" is bad`},
		"merge strategy":          {skillOf("s", "", "{id: a, uses: text.make, input: {text: x}, config: {merge_strategy: shuffle}}"), `s.yml:5: unknown merge strategy "shuffle"`},
		"read-only target":        {skillOf("s", "", "{id: a, uses: text.make, input: {text: x}, output: {text: inputs.x}}"), `s.yml:5: target "inputs.x" is read-only`},
		"unknown target":          {skillOf("s", "", "{id: a, uses: text.make, input: {text: x}, output: {text: nowhere.x}}"), `s.yml:5: unknown target "nowhere.x"`},
		"target without path":     {skillOf("s", "", "{id: a, uses: text.make, input: {text: x}, output: {text: vars}}"), `s.yml:5: target "vars" has no path`},
		"unknown slot":            {skillOf("s", "", "{id: a, uses: text.make, input: {text: x}, output: {text: working.hopes}}"), `s.yml:5: target "working.hopes": working has no "hopes"`},
		"unknown output":          {skillOf("s", "", "{id: a, uses: text.make, input: {text: x}, output: {poem: vars.x}}"), `s.yml:5: text.make has no output "poem"`},
		"nothing writes it":       {skillOf("s", "", "{id: a, uses: text.make, input: {text: vars.x}}"), `s.yml:5: vars.x is read, and no earlier step writes it`},
		"a later step writes it":  {skillOf("s", "", "{id: b, uses: text.make, input: {text: vars.x}}", made), `s.yml:5: vars.x is read`},
		"deep in a value":         {skillOf("s", "", "{id: a, uses: text.make, input: {text: x, data: {k: [working.risks.0]}}}"), `s.yml:5: working.risks.0 is read`},
		"in a condition":          {skillOf("s", "", "{id: a, uses: text.make, if: 'vars.n > 1', input: {text: x}}"), `s.yml:5: vars.n is read`},
		"input not declared":      {skillOf("s", "", "{id: a, uses: text.make, input: {text: inputs.no}}"), `s.yml:5: inputs.no: the skill has no input "no"`},
		"two plain writes":        {skillOf("s", "", made, "{id: b, uses: text.make, input: {text: x}, output: {text: vars.x}}"), `s.yml:6: target "vars.x" is written twice`},
		"two in one mapping":      {skillOf("s", "", "{id: b, uses: text.make, input: {text: x}, output: {text: vars.x, list: vars.x}}"), `s.yml:5: target "vars.x" is written twice`},
		"below a text":            {skillOf("s", "", made, "{id: b, uses: text.make, input: {text: x}, output: {text: vars.x.y}}"), `s.yml:6: target "vars.x.y": vars.x is a string`},
		"append a text":           {skillOf("s", "", "{id: b, uses: text.make, input: {text: x}, output: {text: vars.x}, config: {merge_strategy: append}}"), `s.yml:5: append to "vars.x"`},
		"expression":              {skillOf("s", "", "{id: a, uses: text.make, if: 'vars.n >', input: {text: x}}"), `s.yml:5: if: `},
		"loop in an expression":   {skillOf("s", "inputs: {l: {type: list}}\n", "{id: a, uses: text.make, if: 'all(inputs.l, true)', input: {text: x}}"), `s.yml:6: if: functions that loop`},
		"name in an expression":   {skillOf("s", "", "{id: a, uses: text.make, if: 'secret == 1', input: {text: x}}"), `s.yml:5: if: unknown name "secret"`},
		"else":                    {skillOf("s", "", "{id: a, uses: text.make, input: {text: x}, else: {text: y}}"), `s.yml:5: a step with text.make cannot have else`},
		"else without an output":  {skillOf("s", "", "{id: a, uses: model.ask, output: {answer: vars.x}, else: {}}"), `s.yml:5: else has no "answer"`},
		"no skill":                {skillOf("s", "", "{id: a, uses: skill.run, input: {skill: t}}"), `s.yml:5: there is no skill "t"`},
		"itself":                  {skillOf("s", "", "{id: a, uses: skill.run, input: {skill: s}}"), `s.yml:5: the skills s and s run each other in a circle`},
		"no steps":                {File{Name: Path("s"), Data: []byte("id: s\nversion: 1.0.0\ndescription: x\nsteps: []\n")}, `s.yml:4: a skill needs at least one step`},
		"other id":                {skillOf("other", "", made), ""},
		"not YAML":                {File{Name: Path("s"), Data: []byte("id: [\n")}, "s.yml:"},
		"a list":                  {File{Name: Path("s"), Data: []byte("- x\n")}, "s.yml:1: a skill must be a mapping"},
		"empty":                   {File{Name: Path("s"), Data: nil}, "s.yml:1: the file is empty"},
		"alias":                   {File{Name: Path("s"), Data: []byte("id: s\nversion: &v 1.0.0\ndescription: *v\nsteps: []\n")}, "s.yml:2: anchors and aliases are not allowed"},
		"key twice":               {File{Name: Path("s"), Data: []byte("id: s\nid: s\nversion: 1\ndescription: x\nsteps: []\n")}, "s.yml:2: "},
		"two documents":           {File{Name: Path("s"), Data: []byte("id: s\n---\nid: s\n")}, "s.yml:2: a second document"},
	} {
		set := Read([]File{c.file}, specs)
		if c.want == "" {
			if len(set.Problems) > 0 {
				t.Errorf("%s: %v", name, set.Problems)
			}
			continue
		}
		text := (&Error{set.Problems}).Error()
		if !strings.Contains(text, "\n"+Dir+"/"+c.want) && !strings.HasPrefix(text, Dir+"/"+c.want) {
			t.Errorf("%s:\n%s\nwant %s", name, text, c.want)
		}
		if len(set.Skills) > 0 {
			t.Errorf("%s: the skill can be run", name)
		}
	}
}

func TestMoreThan64Steps(t *testing.T) {
	t.Parallel()
	var steps []string
	for i := range MostSteps + 1 {
		steps = append(steps, fmt.Sprintf("{id: s%d, uses: text.make, input: {text: x}}", i))
	}
	if set := Read([]File{skillOf("s", "", steps[:MostSteps]...)}, specs); len(set.Problems) > 0 {
		t.Error(set.Problems)
	}
	set := Read([]File{skillOf("s", "", steps...)}, specs)
	if len(set.Problems) != 1 || set.Problems[0].Line != 5+MostSteps {
		t.Error(set.Problems)
	}
}

func TestCirclesAndCallersOfBrokenSkills(t *testing.T) {
	t.Parallel()
	runs := func(id, other string) File {
		return skillOf(id, "", "{id: a, uses: skill.run, input: {skill: "+other+"}}")
	}
	set := Read([]File{runs("a", "b"), runs("b", "c"), runs("c", "a"), runs("d", "e"), runs("e", "f"), skillOf("f", "", "{id: a, uses: no.such}"), skillOf("g", "", made)}, specs)
	var broken []string
	for _, p := range set.Problems {
		broken = append(broken, p.String())
	}
	text := strings.Join(broken, "\n")
	for _, want := range []string{"a.yml:5: the skills a and b run each other", "b.yml:5: the skills b and c", "c.yml:5: the skills c and a", "d.yml:5: the skill e has problems", "e.yml:5: the skill f has problems", "f.yml:5: unknown"} {
		if !strings.Contains(text, want) {
			t.Errorf("%s is not in\n%s", want, text)
		}
	}
	if len(set.Skills) != 1 || set.Skills["g"] == nil {
		t.Errorf("%d skills can be run", len(set.Skills))
	}
}

func TestNestedSkills(t *testing.T) {
	t.Parallel()
	inner := skillOf("inner", "inputs: {word: {type: string, required: true}}\n", "{id: w, uses: page.write, input: {text: inputs.word}}")
	set := Read([]File{inner, skillOf("outer", "", "{id: a, uses: skill.run, input: {skill: inner, inputs: {word: x}}}"), skillOf("reader", "", made)}, specs)
	if len(set.Problems) > 0 {
		t.Fatal(set.Problems)
	}
	if set.ReadsOnly("outer") || set.ReadsOnly("inner") || !set.ReadsOnly("reader") || !set.Uses("outer", "page.write") {
		t.Error("the effects of nested skills do not count")
	}
	for _, bad := range []string{"{skill: inner}", "{skill: inner, inputs: {}}", "{skill: inner, inputs: {word: x, tone: y}}", "{skill: inner, inputs: {word: 1}}", "{skill: vars.x}"} {
		set := Read([]File{inner, skillOf("outer", "", made, "{id: b, uses: skill.run, input: "+bad+"}")}, specs)
		if len(set.Broken["outer"]) == 0 {
			t.Errorf("%s is accepted", bad)
		}
	}
}

func FuzzRead(f *testing.F) {
	f.Add([]byte("id: s\nversion: 1.0.0\ndescription: x\nsteps:\n  - " + made + "\n"))
	f.Add([]byte("a: &a [x]\nb: *a\n"))
	f.Fuzz(func(_ *testing.T, data []byte) {
		Read([]File{{Name: Path("s"), Data: data}}, specs)
	})
}
