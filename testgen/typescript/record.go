package typescript

import (
	_ "embed"
	"fmt"
	"strings"

	"github.com/causaldocs/causal/testgen"
	"github.com/causaldocs/causal/testgen/spec"
)

// Recorder is a test file, in a temporary copy, that makes calls of the functions of one source file and writes their
// outcomes. It replaces the generated tests.
type Recorder struct {
	Code  []byte
	Calls []*testgen.Call // the calls that can be written, in order
}

// The environment variables of a recorder.
const (
	RecordDir   = "CAUSAL_RECORD" // directory with KEY.json, a list of call numbers; outcomes go to KEY.out
	RecordCover = "CAUSAL_COVER"  // set to record the code that each call reaches
)

//go:embed recorder.txt
var recorderFrame string

// NewRecorder writes the recorder of one source file. root is a part of the paths of all files in the copy, which
// identifies its code. It numbers the calls and records why a call cannot be written.
func NewRecorder(calls []*testgen.Call, key, root string) *Recorder {
	r := &Recorder{}
	var b, bodies strings.Builder
	for _, c := range calls {
		p := PlanOf(c.Target)
		args, err := p.args(&spec.Case{Args: c.Args})
		if err != nil {
			c.Fault = err.Error()
			continue
		}
		c.Number = len(r.Calls)
		r.Calls = append(r.Calls, c)
		bodies.WriteString(p.callCode(args))
	}
	if len(r.Calls) == 0 {
		return r
	}
	b.WriteString("import { test } from \"vitest\";\nimport causalFs from \"node:fs\";\nimport causalInspector from \"node:inspector\";\n")
	b.WriteString("import { Worker as CausalWorker } from \"node:worker_threads\";\n")
	fmt.Fprintf(&b, "import * as causalTarget from %s;\n\n", quote(PlanOf(r.Calls[0].Target).Import))
	fmt.Fprintf(&b, "const causalKey = %s;\nconst causalRoot = %s;\n", quote(key), quote(root))
	b.WriteString("const causalCalls = [\n" + bodies.String() + "];\n")
	r.Code = []byte(b.String() + recorderFrame)
	return r
}

func (p *Plan) callCode(args []node) string {
	given := len(args)
	for given > 0 && args[given-1].text == undefinedCode {
		given--
	}
	values := make([]string, given)
	for i, a := range args[:given] {
		values[i] = a.flat()
		if p.Params[i].Rest {
			values[i] = "..." + values[i]
		}
	}
	call := func(exported string) string {
		return "causalTarget." + exported
	}
	text := fmt.Sprintf("  { args: () => [%s], call: (...a) => %s(...a)", strings.Join(values, ", "), call(p.Exported))
	if given <= 1 && len(p.Laws) > 0 {
		text += ", law: ["
		for _, l := range p.Laws {
			switch l.Law {
			case spec.Idempotent:
				text += "async (a, r) => causalSame(await " + call(p.Exported) + "(r), r), "
			case spec.RoundTrip:
				text += "async (a, r) => causalSame(await " + call(l.Name) + "(r), a), "
			default:
				text += "() => true, "
			}
		}
		text += "]"
	}
	return text + " },\n"
}
