package python

import (
	"github.com/causaldocs/causal/testgen"
	"github.com/causaldocs/causal/testgen/spec"
)

// Language generates specs and tests for Python.
var Language = &testgen.Language{
	Name: "python", Version: "det/4", Comment: comment, Manifests: manifests, Owns: Owns, Open: open,
	Code: func(specs []testgen.Coded) ([]byte, testgen.Misfits, error) {
		data, _, misfits := Tests(specs)
		return data, misfits, nil
	},
}

const comment = "#"

// Fits implements testgen.Plan.
func (p *Plan) Fits(c *spec.Case) error {
	if c.Want == nil {
		return p.fitting(c.Args)
	}
	_, _, err := p.row(c)
	return err
}

// Expression returns the call of a case as Python, with the module under the name "module".
func (p *Plan) Expression(args []spec.Typed) (string, error) {
	how, values, err := p.given(args)
	if err != nil {
		return "", err
	}
	c := how.columns(scope{})
	for i := range c.parts {
		c.parts[i].column = values[i]
	}
	return c.call("module." + p.Name), nil
}
