package sarif

import (
	"cmp"
	"errors"
	"fmt"
	"slices"
	"strings"
)

type toolComponent struct {
	name     string
	rules    []descriptor
	named    map[string]int // index of the first rule of each ID
	messages map[string]message
}

// run is a run that is being read. Its members have no fixed order, so results are interpreted at the end.
type run struct {
	*reader

	driver     toolComponent
	extensions []toolComponent
	artifacts  []location
	bases      map[string]location
	points     bool // columns count code points
	rules      int
	results    []result
	out        Run
}

func (l *reader) run() error {
	if l.met++; l.met > mostRuns {
		return fmt.Errorf("it has more than %d runs", mostRuns)
	}
	r := &run{reader: l}
	members := map[string]func() error{
		"tool":                           r.tool,
		"results":                        r.readResults,
		"artifacts":                      r.readArtifacts,
		"originalUriBaseIds":             r.readBases,
		"invocations":                    r.invocations,
		"columnKind":                     r.columnKind,
		"externalPropertyFileReferences": r.external,
	}
	err := l.doc.object("a run", func(key string) error {
		if read, ok := members[key]; ok {
			return read()
		}
		return l.doc.skip()
	})
	if err != nil {
		return err
	}
	r.out.Tool = toolName(r.driver.name)
	if r.out.Tool == "" {
		return errors.New("a run does not name its tool (tool.driver.name)")
	}
	if r.out.Tool == l.without {
		return nil
	}
	for i := range r.results {
		r.add(r.interpret(&r.results[i]))
	}
	if r.out.More > 0 {
		r.unfinished(fmt.Sprintf("%d of its results were not read, for there are too many", r.out.More))
	}
	l.runs = append(l.runs, r.out)
	return nil
}

func (r *run) add(found Result) {
	if !r.seen[found] {
		r.seen[found] = true
		r.out.Results = append(r.out.Results, found)
	}
}

func (r *run) unfinished(why string) {
	if r.out.Unfinished == "" {
		r.out.Unfinished = why
	}
}

func (r *run) tool() error {
	return r.doc.object("tool", func(key string) error {
		switch key {
		case "driver":
			return r.component(&r.driver)
		case "extensions":
			return r.doc.array(key, func() error {
				if len(r.extensions) == mostListed {
					return fmt.Errorf("a tool has more than %d extensions", mostListed)
				}
				r.extensions = append(r.extensions, toolComponent{})
				return r.component(&r.extensions[len(r.extensions)-1])
			})
		}
		return r.doc.skip()
	})
}

func (r *run) component(c *toolComponent) error {
	return r.doc.object("a tool's driver or extension", func(key string) error {
		switch key {
		case "name":
			var name text
			_, err := r.doc.value(&name)
			c.name = string(name)
			return err
		case "globalMessageStrings":
			c.messages = nil
			if _, err := r.doc.value(&c.messages); err != nil {
				return err
			}
			return r.room(descriptor{Messages: c.messages}.size())
		case "rules":
			if c.named == nil {
				c.named = map[string]int{}
			}
			return r.doc.array(key, func() error { return r.rule(c) })
		}
		return r.doc.skip()
	})
}

func (r *run) room(n int) error {
	if !r.keep(n) {
		return fmt.Errorf("its rules and files take more than %d MiB", mostText>>20)
	}
	return nil
}

func (r *run) rule(c *toolComponent) error {
	if r.rules++; r.rules > mostRules {
		return fmt.Errorf("a run has more than %d rules", mostRules)
	}
	var d descriptor
	if _, err := r.doc.value(&d); err != nil {
		return err
	}
	if _, ok := c.named[string(d.ID)]; !ok {
		c.named[string(d.ID)] = len(c.rules)
	}
	c.rules = append(c.rules, d)
	return r.room(d.size())
}

func (r *run) readResults() error {
	return r.doc.array("results", func() error {
		if r.reader.results == mostResults {
			r.out.More++
			_, err := r.doc.value(new(ignored))
			return err
		}
		var found result
		if _, err := r.doc.value(&found); err != nil {
			return err
		}
		found.settle()
		if !r.keep(found.size()) {
			r.out.More++
			return nil
		}
		r.reader.results++
		r.results = append(r.results, found)
		return nil
	})
}

func (r *run) readArtifacts() error {
	return r.doc.array("artifacts", func() error {
		if len(r.artifacts) == mostArtifacts {
			_, err := r.doc.value(new(ignored))
			return err
		}
		var a struct {
			Location location `json:"location"`
		}
		if _, err := r.doc.value(&a); err != nil {
			return err
		}
		r.artifacts = append(r.artifacts, a.Location)
		return r.room(len(a.Location.URI) + len(a.Location.Base))
	})
}

func (r *run) readBases() error {
	r.bases = nil // of duplicate keys, the last counts
	_, err := r.doc.value(&r.bases)
	return err
}

func (r *run) columnKind() error {
	var kind text
	_, err := r.doc.value(&kind)
	r.points = kind == "unicodeCodePoints"
	return err
}

func (r *run) invocations() error {
	return r.doc.array("invocations", func() error {
		var i struct {
			Successful *bool `json:"executionSuccessful"`
		}
		malformed, err := r.doc.value(&i)
		if malformed != "" || i.Successful != nil && !*i.Successful {
			r.unfinished("its log says that it failed")
		}
		return err
	})
}

func (r *run) external() error {
	var files struct {
		Results list[ignored] `json:"results"`
	}
	malformed, err := r.doc.value(&files)
	if malformed != "" || len(files.Results) > 0 {
		r.unfinished("its log keeps results in other files, which are not read")
	}
	return err
}

// ruleOf finds the rule of a result and its tool component. The rule is nil if the log does not contain it.
func (r *run) ruleOf(found *result) (*toolComponent, *descriptor) {
	c := &r.driver
	if at := found.Rule.Component.Index.from(0, -1); at >= 0 && at < len(r.extensions) {
		c = &r.extensions[at]
	} else if name := string(found.Rule.Component.Name); name != "" && name != r.driver.name {
		if at := slices.IndexFunc(r.extensions, func(e toolComponent) bool { return e.name == name }); at >= 0 {
			c = &r.extensions[at]
		}
	}
	at := found.RuleIndex.from(0, found.Rule.Index.from(0, -1))
	if at >= 0 && at < len(c.rules) {
		return c, &c.rules[at]
	}
	// A result's ID may extend that of its rule after a slash.
	for id := string(cmp.Or(found.RuleID, found.Rule.ID)); id != ""; {
		if at, ok := c.named[id]; ok {
			return c, &c.rules[at]
		}
		id = id[:max(0, strings.LastIndexByte(id, '/'))]
	}
	return c, nil
}
