package main

import (
	"context"
	"fmt"
	"strings"

	"github.com/causaldocs/causal/review/change"
	"github.com/causaldocs/causal/review/finding"
	"github.com/causaldocs/causal/review/match"
)

// loss is how many identities there were to carry, and how many were not.
type loss struct{ carried, lost int }

func (l loss) share() float64 { return float64(l.lost) / float64(max(l.carried, 1)) }

// tally is what was measured: by scheme, on lines that stayed as they were and on lines that were edited.
type tally struct {
	commits, files, findings int
	unchanged, edited        [4]loss
}

// names are the schemes in the order in which a tally has them: causal's first, with the old version at hand and without.
var names = [4]string{"causal", "causal, old version forgotten", schemes[0].name, schemes[1].name}

func (t *tally) add(o tally) {
	t.commits, t.files, t.findings = t.commits+o.commits, t.files+o.files, t.findings+o.findings
	for i := range names {
		t.unchanged[i].carried, t.unchanged[i].lost = t.unchanged[i].carried+o.unchanged[i].carried, t.unchanged[i].lost+o.unchanged[i].lost
		t.edited[i].carried, t.edited[i].lost = t.edited[i].carried+o.edited[i].carried, t.edited[i].lost+o.edited[i].lost
	}
}

// holds reports whether causal lost little enough. Without the old version, an edited line is known by its declaration alone, which
// is shown and not held to anything. Where there was nothing to carry, nothing is proved.
func (t *tally) holds() bool {
	return t.unchanged[0].carried > 0 && t.unchanged[0].share() <= mostLostUnchanged && t.unchanged[1].share() <= mostLostUnchanged &&
		t.edited[0].share() <= mostLostEdited
}

func (t *tally) text() string {
	var b strings.Builder
	fmt.Fprintf(&b, "%d commits, %d changed files, %d findings in them\n\n", t.commits, t.files, t.findings)
	fmt.Fprintf(&b, "%-34s %24s %24s\n", "lost", "on unchanged lines", "on edited lines")
	for i, name := range names {
		u, e := t.unchanged[i], t.edited[i]
		fmt.Fprintf(&b, "%-34s %16s %6.2f%% %16s %6.2f%%\n", name, fmt.Sprint(u.lost, " of ", u.carried), 100*u.share(), fmt.Sprint(e.lost, " of ", e.carried), 100*e.share())
	}
	return b.String()
}

// measure walks one repository.
func measure(ctx context.Context, dir string, commits int) (tally, error) {
	contents, err := openBlobs(ctx, dir)
	if err != nil {
		return tally{}, err
	}
	defer contents.close()
	var t tally
	err = walk(ctx, dir, commits, func(files []pair) error {
		var c commit
		for _, p := range files {
			if !sources.MatchString(p.now) || !sources.MatchString(p.was) {
				continue
			}
			before, err := contents.read(p.before)
			if err != nil {
				return err
			}
			after, err := contents.read(p.after)
			if err != nil {
				return err
			}
			if len(before) <= largest && len(after) <= largest {
				c.add(p, look(p.was, p.before, before), look(p.now, p.after, after))
			}
		}
		t.commits++
		c.judge(&t)
		return nil
	})
	return t, err
}

// commit is one commit's files, in both versions, with all findings of either.
type commit struct {
	pairs         []pair
	old, new      []version
	before, after []finding.Finding
}

func (c *commit) add(p pair, before, after version) {
	c.pairs, c.old, c.new = append(c.pairs, p), append(c.old, before), append(c.new, after)
	c.before, c.after = append(c.before, before.found...), append(c.after, after.found...)
}

// judge compares what each scheme carries with the truth.
func (c *commit) judge(t *tally) {
	same, edited := c.truth()
	carriers := []func(old, now int) bool{c.matching(true), c.matching(false)}
	for _, s := range schemes {
		var was, is []string
		for i := range c.pairs {
			was, is = append(was, s.keys(c.old[i])...), append(is, s.keys(c.new[i])...)
		}
		carriers = append(carriers, func(old, now int) bool { return was[old] == is[now] })
	}
	for i, carries := range carriers {
		tell(&t.unchanged[i], same, carries)
		tell(&t.edited[i], edited, carries)
	}
	t.files, t.findings = t.files+len(c.pairs), t.findings+len(c.before)
}

func tell(l *loss, truth [][2]int, carries func(old, now int) bool) {
	for _, pair := range truth {
		if l.carried++; !carries(pair[0], pair[1]) {
			l.lost++
		}
	}
}

// matching is causal's, with the lines of the old versions or without.
func (c *commit) matching(seeing bool) func(old, now int) bool {
	became := map[string]match.Version{}
	for i, p := range c.pairs {
		v := match.Version{Path: p.now}
		if seeing {
			v.Lines = new(change.Compare(c.old[i].lines, c.new[i].lines))
		}
		became[p.was] = v
	}
	earlier := make([]match.Earlier, len(c.before))
	for i, f := range c.before {
		earlier[i] = match.Earlier{Finding: f}
	}
	of := match.Match(earlier, c.after, func(path, _ string) match.Version { return became[path] })
	return func(old, now int) bool { return of[now] == old }
}

// truth pairs the findings that are the same, by their indices: on lines that git maps, and on those that one block has in place of
// another, where a rule finds as many in either.
func (c *commit) truth() (same, edited [][2]int) {
	type place struct {
		rule string
		line int
	}
	type block struct {
		rule string
		hunk int
	}
	before, after := 0, 0
	for i := range c.pairs {
		p, now, was, is := &c.pairs[i], map[place]int{}, map[block][]int{}, map[block][]int{}
		for _, f := range c.new[i].found {
			if hunk := p.edited(f.Line); hunk > 0 {
				is[block{f.Rule, hunk}] = append(is[block{f.Rule, hunk}], after)
			} else {
				now[place{f.Rule, f.Line}] = after + 1
			}
			after++
		}
		var order []block
		for _, f := range c.old[i].found {
			line, hunk := p.to(f.Line)
			if hunk > 0 {
				b := block{f.Rule, hunk}
				if was[b] == nil {
					order = append(order, b)
				}
				was[b] = append(was[b], before)
			} else if found := now[place{f.Rule, line}]; found > 0 {
				same = append(same, [2]int{before, found - 1})
			}
			before++
		}
		for _, b := range order {
			if len(was[b]) == len(is[b]) {
				for k := range was[b] {
					edited = append(edited, [2]int{was[b][k], is[b][k]})
				}
			}
		}
	}
	return same, edited
}
