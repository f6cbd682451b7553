package sarif

import (
	"cmp"
	"errors"
	"fmt"
	"slices"
	"strings"
)

type run struct {
	*reader

	wire runObject
	out  Run
}

func (r *run) read() error {
	r.out.Tool = toolName(string(r.wire.Tool.Driver.Name))
	switch r.out.Tool {
	case "":
		return errors.New("a run does not name its tool (tool.driver.name)")
	case r.without:
		return nil
	}
	components := []*toolComponent{&r.wire.Tool.Driver}
	for i := range r.wire.Tool.Extensions.list {
		components = append(components, &r.wire.Tool.Extensions.list[i])
	}
	for _, c := range components {
		if c.Rules.cut {
			return fmt.Errorf("a run has more than %d rules", mostRules)
		}
		c.index()
	}
	if slices.Contains(r.wire.Invocations.list, true) {
		r.unfinished("its log says that it failed")
	}
	if r.wire.External {
		r.unfinished("its log keeps results in other files, which are not read")
	}
	found := r.wire.Results.list
	if left := mostEntries - r.results; r.wire.Results.cut || len(found) > left {
		found = found[:min(len(found), left)]
		r.unfinished(fmt.Sprintf("its log has more than %d results, and the rest was not read", mostEntries))
	}
	r.results += len(found)
	for i := range found {
		r.add(r.interpret(&found[i]))
	}
	r.runs = append(r.runs, r.out)
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

func (c *toolComponent) index() {
	c.named = make(map[string]*descriptor, len(c.Rules.list))
	for i := range c.Rules.list {
		d := &c.Rules.list[i].v
		if c.named[string(d.ID)] == nil {
			c.named[string(d.ID)] = d
		}
	}
}

// ruleOf finds the rule of a result and its tool component. The rule is nil if the log does not contain it.
func (r *run) ruleOf(found *result) (*toolComponent, *descriptor) {
	c, extensions := &r.wire.Tool.Driver, r.wire.Tool.Extensions.list
	if at := found.Rule.Component.Index.from(0, -1); at >= 0 && at < len(extensions) {
		c = &extensions[at]
	} else if name := found.Rule.Component.Name; name != "" && name != c.Name {
		if at := slices.IndexFunc(extensions, func(e toolComponent) bool { return e.Name == name }); at >= 0 {
			c = &extensions[at]
		}
	}
	at := found.RuleIndex.from(0, found.Rule.Index.from(0, -1))
	if at >= 0 && at < len(c.Rules.list) {
		return c, &c.Rules.list[at].v
	}
	// A result's ID may extend that of its rule after a slash.
	for id := string(cmp.Or(found.RuleID, found.Rule.ID)); id != ""; {
		if rule := c.named[id]; rule != nil {
			return c, rule
		}
		id = id[:max(0, strings.LastIndexByte(id, '/'))]
	}
	return c, nil
}
