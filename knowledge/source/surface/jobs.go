package surface

import (
	"cmp"
	"slices"
	"strings"

	"github.com/causaldocs/causal/knowledge/lazyregexp"
	"github.com/causaldocs/causal/knowledge/source"
)

// JobRules describe how code declares jobs of schedulers and queues: functions by library name, methods of any value
// with a dot, decorators with an @.
type JobRules struct {
	Calls  map[string]JobRule
	Tables map[string]JobRule // maps, by name suffix: each key is a job's name
	Lists  map[string]bool    // lists of handlers, by class and name
	Rows   map[string]JobRule // lists of maps with a handler and a schedule, by lowercase name
	Adds   string             // method that adds to such a list
	Queues map[string]bool    // functions that create a named queue
	Queued map[string]JobRule // methods of queues
	Chains map[string]bool    // methods that begin a chain with the schedule, which ends with Do and the handler
	Wraps  map[string]bool    // functions whose first argument is the handler
	Owned  map[string]JobRule // methods of values whose name has Owner
	Owner  string
	Bases  []string           // suffixes of classes whose subclasses are jobs
	Timing []string           // members of these with the schedule, and its fields
	Timers map[string]JobRule // functions that repeat a function, in milliseconds; they are jobs where a server starts
	Server []string           // texts of which one occurs in the files of servers
	Page   []string           // texts that occur in the files of web pages only
}

// JobRule maps arguments, by keyword or position, to roles; "*" is all others. A name with an empty rule declares no
// job.
type JobRule map[string]Role

// periodic matches the schedules of cron: "0 3 * * *", "@daily".
var periodic = lazyregexp.New(`^(?:(?:CRON_)?TZ=\S+ )?(?:@\w|[\w*/,?#-]+(?: [\w*/,?#-]+){4,6}$)`)

// longestSchedule bounds a schedule in a fact, in bytes.
const longestSchedule = 120

// inheritedJob adds a class whose base class says that it is a job.
func (f *finder) inheritedJob(n *Node) {
	if len(n.Args) == 0 || !slices.ContainsFunc(f.Jobs.Bases, func(end string) bool { return strings.HasSuffix(last(n.Args[0]), end) }) {
		return
	}
	var when *Node
	is := func(name string) bool { return slices.Contains(f.Jobs.Timing, name) }
	for _, m := range n.Body {
		switch {
		case m.Kind == Bind && is(m.Key):
			when = m.X
		case m.Kind == Func && is(m.Text):
			f.results(m.Body, func(x *Node) { when = x })
		}
	}
	if when != nil && when.Kind == Map {
		if at := slices.IndexFunc(when.Args, func(p *Node) bool { return p.Kind == Bind && is(p.Key) }); at >= 0 {
			when = when.Args[at].X
		}
	}
	args := []*Node{{Kind: Name, Text: n.Text}}
	if when != nil {
		args = append(args, when)
	}
	f.job(JobRule{"0": Handles, "1": When}, args, n.Text, nil, n)
}

func (f *finder) decoratedJob(n *Node) {
	for _, s := range n.Body { // methods of such a class are jobs
		if n.Kind == Class && s.Kind == Func && slices.ContainsFunc(s.Marks, func(m *Node) bool { return m.Kind == Call && f.jobRule(m.X, 0) != nil }) {
			return
		}
	}
	for _, m := range n.Marks {
		if rule := f.jobRule(called(m), 0); rule != nil {
			handler := &Node{Kind: Name, Text: n.Text}
			if in := f.frame(); in.Kind == Class {
				handler = &Node{Kind: Member, Text: n.Text, X: &Node{Kind: Name, Text: in.name}}
			}
			f.job(rule, m.Args, n.Text, handler, n)
		}
	}
}

// jobRule returns the rule for a decorator, also through a function of the file that returns such a decorator.
func (f *finder) jobRule(callee *Node, depth int) JobRule {
	name := Dotted(callee)
	for _, key := range []string{f.Library(name), last(callee), "." + last(callee)} {
		rule, ok := f.Jobs.Calls["@"+key]
		if ok && (key[0] != '.' || callee.Kind == Member) {
			return rule
		}
	}
	made := f.functions[name]
	if made == nil || depth > 2 || callee.Kind != Name {
		return nil
	}
	var rule JobRule
	body := slices.Clip(made.Body)
	for _, s := range made.Body {
		f.Step()
		if s.Kind == Func {
			body = append(body, s.Body...)
		}
	}
	f.results(body, func(x *Node) {
		if x.Kind != Call {
			return
		}
		for x.Kind == Call {
			x = x.X
		}
		if found := f.jobRule(x, depth+1); found != nil {
			rule = found
		}
	})
	return rule
}

func (f *finder) calledJob(n *Node) {
	if n.X.Kind == Member && strings.EqualFold(n.X.Text, "do") && len(n.Args) > 0 && f.Jobs.Chains != nil {
		left := longestName
		for x := n.X.X; left > 0 && (x.Kind == Call || x.Kind == Member); x, left = x.X, left-1 {
			if x.Kind == Call && x.X.Kind == Member && f.Jobs.Chains[x.X.Text] {
				when := &Node{Kind: Unknown, From: x.X.To - int32(len(x.X.Text)), To: n.X.X.To}
				f.job(JobRule{"0": When, "1": Handles}, []*Node{when, n.Args[0]}, "", nil, n)
				return
			}
		}
	}
	if n.X.Kind == Member && n.X.Text == f.Jobs.Adds && len(n.Args) == 1 {
		if row := f.Jobs.Rows[strings.ToLower(last(n.X.X))]; row != nil {
			f.rowJob(row, n.Args[0])
		}
	}
	rule, ok := f.Jobs.Calls[f.Library(Dotted(n.X))]
	if !ok && n.X.Kind == Member {
		rule, ok = f.Jobs.Calls["."+n.X.Text]
	}
	name := ""
	if timer := f.Jobs.Timers[Dotted(n.X)]; timer != nil && f.starts() {
		rule, ok = timer, true
	}
	if n.X.Kind == Member && !ok && f.queues[Dotted(n.X.X)] != "" {
		name = f.queues[Dotted(n.X.X)]
		rule, ok = f.Jobs.Queued[n.X.Text]
	}
	if n.X.Kind == Member && !ok && f.Jobs.Owner != "" && len(n.Args) > 1 && strings.Contains(strings.ToLower(Dotted(n.X.X)), f.Jobs.Owner) {
		if rule, ok = f.Jobs.Owned[n.X.Text]; n.Args[0].Kind == Text {
			rule = JobRule{"0": When, "1": Handles}
		}
	}
	if ok && f.eachRow(n, f.calledJob) {
		return
	}
	args := n.Args
	if len(args) > 2 && rule["0"] == When && rule["1"] == Handles {
		if args[0].Kind == Text && args[1].Kind == Text { // the name comes first
			name, args = args[0].Text, args[1:]
		}
		if len(args) > 2 && args[1].Kind == Map { // options precede the handler
			args = []*Node{args[0], args[2], args[1]}
		}
	}
	if ok && len(args) > 0 {
		f.job(rule, args, name, nil, n)
	}
}

// starting matches the names of functions that run when a server starts.
var starting = lazyregexp.New(`^(?i:(?:on)?(?:start|init|main|setup|boot|run|listen|serve|schedule|create|open|load))`)

// isServer reports whether the file is of a server rather than of a page.
func (f *finder) isServer() bool {
	occurs := func(text string) bool { return strings.Contains(f.Src, text) }
	return slices.ContainsFunc(f.Jobs.Server, occurs) && !slices.ContainsFunc(f.Jobs.Page, occurs)
}

// starts reports whether the current code runs once, when a server starts.
func (f *finder) starts() bool {
	if !f.server {
		return false
	}
	for _, in := range f.frames[1:] {
		if in.Kind == Func && !starting.MatchString(cmp.Or(in.Node.Text, in.Node.Key)) {
			return false
		}
	}
	return true
}

func (f *finder) queue(n *Node) {
	if f.Jobs.Queues == nil || n.X == nil || n.X.Kind != Call || len(n.X.Args) == 0 || !f.Jobs.Queues[f.Library(Dotted(n.X.X))] {
		return
	}
	if name, ok := f.text(n.X.Args[0]); ok {
		f.queues[Dotted(n.Args[0])] = name
	}
}

// listedJobs adds the jobs of a named table, or of a list in a class.
func (f *finder) listedJobs(name string, value *Node) {
	if value == nil {
		return
	}
	if value.Kind == List && f.Jobs.Lists[f.frame().Text+"."+name] {
		for _, a := range value.Args {
			f.job(JobRule{"0": Handles}, []*Node{a}, "", nil, a)
		}
	}
	if rule := f.Jobs.Rows[strings.ToLower(name)]; rule != nil && value.Kind == List {
		for _, a := range value.Args {
			f.rowJob(rule, a)
		}
	}
	rule := f.Jobs.Tables[name]
	if value.Kind != Map || rule == nil {
		return
	}
	for _, p := range value.Args {
		if name, ok := f.text(key(p)); ok && p.X != nil && p.X.Kind == Map {
			f.job(rule, p.X.Args, name, nil, p)
		}
	}
}

// rowJob adds the job of a map that has a handler and a schedule.
func (f *finder) rowJob(rule JobRule, row *Node) {
	handles, timed := false, false
	for _, p := range row.Args {
		name, _ := f.text(key(p))
		handles, timed = handles || rule[name] == Handles, timed || rule[name] == Unit || rule[name] == When
	}
	if row.Kind == Map && handles && timed {
		f.job(rule, row.Args, "", nil, row)
	}
}

func key(p *Node) *Node {
	switch {
	case p.Key != "":
		return &Node{Kind: Text, Text: p.Key}
	case p.Kind == Bind && len(p.Args) == 1:
		return p.Args[0]
	}
	return nil
}

// runs returns the function that a closure calls last, also in another thread.
func (f *finder) runs(n *Node) *Node {
	for left := longestName; n != nil && left > 0; left-- {
		switch {
		case n.Kind == Return:
			n = n.X
		case (n.Kind == Func || n.Kind == Block) && len(n.Body) > 0:
			n = n.Body[len(n.Body)-1]
		case n.Kind == Call && len(n.Args) == 1 && (n.Args[0].Kind == Block || n.Args[0].Kind == Call && f.Routes.Functions):
			n = n.Args[0] // spawn(run())
		case n.Kind == Call && len(n.Args) == 1 && n.Args[0].Kind == List:
			return nil // several
		case n.Kind == Call:
			return n.X
		default:
			return n
		}
	}
	return n
}

func (f *finder) job(rule JobRule, args []*Node, name string, handler, at *Node) {
	var schedule []string
	for i, a := range expand(args) {
		keyed, ok := f.text(key(a))
		role, known := rule[keyed]
		if !ok {
			role, known = rule[roleKey(a, i)]
		}
		if !known {
			role = rule["*"]
		}
		value := valueIn(a)
		text, isText := f.text(value)
		switch role {
		case Called:
			if name = cmp.Or(text, name); handler != nil && (value.Kind == Number || value.Kind == Operator) {
				schedule = append(schedule, f.Written(value))
			}
		case Handles:
			if handler != nil && value.Kind != Func && value.Kind != Name && value.Kind != Member {
				continue
			}
			if value.Kind == Call && f.Jobs.Wraps[Dotted(value.X)] && len(value.Args) > 0 {
				value = value.Args[0]
			}
			if handler = value; isText {
				handler = &Node{Kind: Name, Text: text}
			}
		case When, Unit, Cron, Millis:
			if role == Cron && isText && !periodic.MatchString(text) {
				return
			}
			if !isText {
				text = f.Written(value)
			}
			if role == Unit && ok {
				text = keyed + "=" + text
			}
			if role == Millis {
				text += " ms"
			}
			schedule = append(schedule, text)
		}
	}
	if parameter(f.declared(), handler) >= 0 || handler != nil && handler.Kind == Func && len(handler.Body) == 0 && name == "" {
		return // its callers have the job, or it only checks the schedule
	}
	when := strings.Join(schedule, " ")
	if len(when) > longestSchedule {
		when = strings.ToValidUTF8(when[:longestSchedule], "") + "…"
	}
	fact := source.Fact{Kind: source.Job, Name: name, Usage: when}
	if f.Routes.Functions {
		handler = f.runs(handler)
	} else if handler != nil && handler.Kind == Func {
		body := slices.DeleteFunc(slices.Clone(handler.Body), func(s *Node) bool { return s.Kind == Call && logs.MatchString(Dotted(s.X)) })
		if len(body) == 1 {
			handler = f.runs(body[0])
		}
	}
	if handler != nil {
		fact.Value = strings.TrimPrefix(f.handler(handler, 0), source.Anonymous)
	}
	if text, _, _ := strings.Cut(fact.Value, "("); fact.Name == "" {
		fact.Name = cmp.Or(f.rowNames[at], text[strings.LastIndexByte(text, '.')+1:])
	}
	if fact.Name == "" {
		fact.Name = cmp.Or(f.frame().Text, source.Unknown)
		f.unnamed[f.frame().Node] = append(f.unnamed[f.frame().Node], len(f.facts))
	}
	f.tell(fact, at)
}

// logs matches functions that write a log.
var logs = lazyregexp.New(`^(?:this\.)?(?i:console|log|logger)\.`)

// rowJobs records the name in a map for the calls that are its values, which may schedule a job:
// { name: "clean", job: schedule(…) }.
func (f *finder) rowJobs(row *Node) {
	for _, p := range row.Args {
		if value := valueIn(p); value.Kind == Call {
			name, _ := f.text(property([]*Node{row}, "name"))
			id, _ := f.text(property([]*Node{row}, "id"))
			f.rowNames[value] = cmp.Or(name, id)
		}
	}
}

// nameJobs removes the name of a function from the jobs that it schedules if there are several.
func (f *finder) nameJobs() {
	for _, jobs := range f.unnamed {
		for _, i := range jobs {
			if len(jobs) > 1 && i < len(f.facts) {
				f.facts[i].Name = source.Unknown
			}
		}
	}
}
