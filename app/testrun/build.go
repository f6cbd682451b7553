package testrun

import (
	"fmt"
	"os"
	"path/filepath"
	"slices"
	"strconv"
	"strings"

	"github.com/causaldocs/causal/knowledge/lazyregexp"
	"github.com/causaldocs/causal/testgen/golang"
)

// recordBinary is what was built to make calls.
const recordBinary = "record.test"

// read reads the sources of the package, as the go command chooses them.
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

// reached are the functions of the package that the calls reach: of those there are mutants.
func (p *pack) reached(list []*call) func(name string) bool {
	within := map[string]bool{}
	for _, c := range list {
		for _, name := range c.Plan.Within {
			within[name] = true
		}
	}
	return func(name string) bool { return within[name] }
}

// instrumented is an overlay without any tests, and with instrumented sources.
func (p *pack) instrumented(list []*call) (overlay, error) {
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

// mostAttempts is how many times a recorder is written without what did not build.
const mostAttempts = 8

var buildLine = lazyregexp.New(`(?m)^(?:\S*[/\\])?([^\s/\\:]+\.go):(\d+):\d+: (.*)$`)

// recorder builds what makes the calls; nil when none can be made.
func (p *pack) recorder(list []*call) (*golang.Recorder, error) {
	if p.sources == nil {
		if err := p.read(); err != nil {
			return nil, err
		}
	}
	of, left := map[*golang.Call]*call{}, []*golang.Call{}
	for _, c := range list {
		of[c.Call] = c
		left = append(left, c.Call)
	}
	said := ""
	for range mostAttempts {
		layer, err := p.instrumented(list)
		if err != nil {
			return nil, err
		}
		r, err := golang.NewRecorder(left, !p.plain)
		if err != nil {
			return nil, err
		}
		for c, why := range r.Misfits {
			of[c].fault = why
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
		left = p.mend(r, of, said)
	}
	return nil, fmt.Errorf("the recorder does not build: %s", said)
}

// mend leaves out what did not build: calls, mutants or, where it is neither, all that was put into the sources.
func (p *pack) mend(r *golang.Recorder, of map[*golang.Call]*call, said string) []*golang.Call {
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
			of[c].fault = "it does not build: " + m[3]
			left = slices.DeleteFunc(slices.Clone(left), func(other *golang.Call) bool { return other == c })
		}
	}
	if len(left) == len(r.Calls) && len(p.without) == mutants {
		p.plain, p.woven = true, nil
	}
	return left
}

// mostShown is how many calls of one function are made for each mutant that they ask for.
const mostShown = 48

// kill finds out which mutants show in the calls that give a result.
func (p *pack) kill(r *golang.Recorder, of map[*golang.Call]*call) error {
	if p.woven == nil || len(p.woven.Mutants) == 0 {
		return nil
	}
	var order []int
	count := map[*Job]int{}
	for i, c := range r.Calls {
		one := of[c]
		if one.id != "" || len(one.runs) < runs || one.runs[0].Ended != "" || one.runs[0].Panic != "" || count[one.job] == mostShown {
			continue
		}
		count[one.job]++
		order = append(order, i)
	}
	ended := map[*Job]int{}
	for process := 0; len(order) > 0; process++ {
		out := filepath.Join(p.temp, fmt.Sprintf("%s-mutants-%d", recordBinary, process))
		if err := p.process(out, order, 0, golang.RecordMutants+"=1"); err != nil {
			return err
		}
		made, err := outcomes[golang.Outcome](out)
		if err != nil {
			return err
		}
		n := 0
		for ; n < len(order) && made[order[n]] != nil && made[order[n]].Ended == ""; n++ {
			for _, number := range made[order[n]].Killed {
				c := of[r.Calls[order[n]]]
				c.kills = append(c.kills, p.woven.Mutants[number-1])
			}
		}
		if n < len(order) { // a mutant ended the process: which of them is not known
			ended[of[r.Calls[order[n]]].job]++
			n++
		}
		order = slices.DeleteFunc(slices.Clone(order[n:]), func(i int) bool { return ended[of[r.Calls[i]].job] >= mostEnded })
		_ = os.Remove(out)
	}
	return nil
}
