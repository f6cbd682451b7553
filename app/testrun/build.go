package testrun

import (
	"fmt"
	"os"
	"slices"
	"strconv"
	"strings"

	"github.com/causaldocs/causal/knowledge/lazyregexp"
	"github.com/causaldocs/causal/testgen"
	"github.com/causaldocs/causal/testgen/golang"
)

// recordBinary is the name of the built recorder.
const recordBinary = "record.test"

// read reads the sources of the package, as the go command selects them.
func (p *pack) read() error {
	said, err := p.command("list", "-f", "{{range .GoFiles}}{{.}}\n{{end}}", ".")
	if err != nil {
		return fmt.Errorf("%w: %s", err, said)
	}
	for _, name := range strings.Fields(said) {
		data, err := os.ReadFile(p.place(name))
		if err != nil {
			return fmt.Errorf("read the sources of %s: %w", p.dir, err)
		}
		p.sources = append(p.sources, golang.Source{Name: name, Data: data})
	}
	return nil
}

// reached returns the functions of the package that the calls reach. Only those get mutants.
func (p *pack) reached(list []*testgen.Call) func(name string) bool {
	within := map[string]bool{}
	for _, c := range list {
		for _, name := range golang.PlanOf(c.Target).Within {
			within[name] = true
		}
	}
	return func(name string) bool { return within[name] }
}

// instrumented is an overlay with instrumented sources and without tests.
func (p *pack) instrumented(list []*testgen.Call) (overlay, error) {
	layer, err := p.hidden(func(name string) bool { return strings.HasSuffix(name, "_test.go") })
	if err != nil || p.plain {
		return layer, err
	}
	if p.woven, err = golang.Instrument(p.sources, p.reached(list), p.without); err != nil {
		return nil, err
	}
	for _, f := range append(slices.Clone(p.woven.Files), p.woven.Support) {
		if err := p.lay(layer, f.Name, f.Data); err != nil {
			return nil, err
		}
	}
	return layer, nil
}

// mostAttempts bounds the attempts to build a recorder, each without the code that failed to build.
const mostAttempts = 8

var buildLine = lazyregexp.New(`(?m)^(?:\S*[/\\])?([^\s/\\:]+\.go):(\d+):\d+: (.*)$`)

// recorder builds a recorder for the calls; nil if none can be built.
func (p *pack) recorder(list []*testgen.Call) (*golang.Recorder, error) {
	if p.sources == nil {
		if err := p.read(); err != nil {
			return nil, err
		}
	}
	left, said := list, ""
	for range mostAttempts {
		layer, err := p.instrumented(list)
		if err != nil {
			return nil, err
		}
		r, err := golang.NewRecorder(left, !p.plain)
		if err != nil {
			return nil, err
		}
		if len(r.Calls) == 0 {
			return nil, nil
		}
		if err := p.lay(layer, golang.RecorderFile, r.Code); err != nil {
			return nil, err
		}
		if said, err = p.build(layer, recordBinary, "-gcflags=-e"); err == nil {
			return r, nil
		}
		if p.ctx.Err() != nil {
			return nil, err
		}
		left = p.mend(r, said)
	}
	return nil, fmt.Errorf("the recorder does not build: %s", said)
}

// mend leaves out the calls or mutants that did not build, or else all instrumentation.
func (p *pack) mend(r *golang.Recorder, said string) []*testgen.Call {
	left, mutants := r.Calls, len(p.without)
	for _, m := range buildLine.FindAllStringSubmatch(said, -1) {
		line, _ := strconv.Atoi(m[2])
		if m[1] != golang.RecorderFile {
			if p.woven != nil {
				for _, id := range p.woven.At(m[1], line) {
					p.without[id] = true
				}
			}
			continue
		}
		if c := r.At(line); c != nil {
			c.Fault = "it does not build: " + m[3]
			left = slices.DeleteFunc(slices.Clone(left), func(other *testgen.Call) bool { return other == c })
		}
	}
	if len(left) == len(r.Calls) && len(p.without) == mutants {
		p.plain, p.woven = true, nil
	}
	return left
}

// mostShown bounds the calls of one function for each mutant that they request.
const mostShown = 48

// kill determines which mutants the calls with a result detect.
func (p *pack) kill(r *golang.Recorder) error {
	if p.woven == nil || len(p.woven.Mutants) == 0 {
		return nil
	}
	var order []*testgen.Call
	count := map[*testgen.Target]int{}
	for _, c := range r.Calls {
		if c.ID != "" || len(c.Runs) < runs || c.Runs[0].Info().Ended != "" || c.Runs[0].(*golang.Outcome).Panic != "" || count[c.Target] == mostShown {
			continue
		}
		count[c.Target]++
		order = append(order, c)
	}
	ended := map[*testgen.Target]int{}
	for process := 0; len(order) > 0; process++ {
		made, err := p.process(fmt.Sprintf("%s-mutants-%d", recordBinary, process), order, 0, golang.RecordMutants+"=1")
		if err != nil {
			return err
		}
		n := 0
		for ; n < len(order) && made[order[n].Number] != nil && made[order[n].Number].Info().Ended == ""; n++ {
			o := order[n].Runs[0].(*golang.Outcome)
			for _, number := range made[order[n].Number].(*golang.Outcome).Killed {
				o.Kills = append(o.Kills, p.woven.Mutants[number-1])
			}
		}
		if n < len(order) { // a mutant ended the process, but it is not known which
			ended[order[n].Target]++
			n++
		}
		order = slices.DeleteFunc(slices.Clone(order[n:]), func(c *testgen.Call) bool { return ended[c.Target] >= mostEnded })
	}
	return nil
}
