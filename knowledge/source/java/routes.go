package java

import (
	"iter"
	"strings"

	"github.com/causaldocs/causal/knowledge/source"
)

func (p *parser) attributes(a annotation) iter.Seq2[string, span] {
	return func(yield func(string, span) bool) {
		if a.args == 0 {
			return
		}
		close := a.To - 1
		for i := a.args + 1; i < close; {
			name := "value"
			if p.kind(i) == word && p.kind(i+1) == '=' {
				name = p.text(i)
				i += 2
			}
			from := i
			for i < close && p.kind(i) != ',' {
				i = max(i+1, p.ends[i])
			}
			if !yield(name, span{From: from, To: min(i, close)}) {
				return
			}
			i++
		}
	}
}

// strings returns the string literals of an attribute: one, or several in braces; nil if any is computed.
func (p *parser) strings(s span) []int32 {
	if s.To-s.From == 1 && p.kind(s.From) == text {
		return []int32{s.From}
	}
	if p.kind(s.From) != '{' {
		return nil
	}
	var out []int32
	for i := s.From + 1; i < s.To-1; i++ {
		switch {
		case p.kind(i) == ',':
		case p.kind(i) == text && (p.kind(i+1) == ',' || p.kind(i+1) == '}'):
			out = append(out, i)
		default:
			return nil
		}
	}
	return out
}

// framework describes how annotations map methods to routes.
type framework struct {
	// class annotations contain the path prefix; required means that there is no route without one.
	class    map[string]bool
	required bool
	// verbs maps method annotations to HTTP methods.
	verbs map[string]string
	// path is the method annotation with the path; "" if the verb's annotation contains it.
	path string
	of   string // what gives the routes of classes a prefix
}

var frameworks = []framework{
	{ // Spring
		class: map[string]bool{"RequestMapping": true},
		verbs: map[string]string{
			"GetMapping": "GET", "PostMapping": "POST", "PutMapping": "PUT", "DeleteMapping": "DELETE",
			"PatchMapping": "PATCH", "RequestMapping": "",
		},
	},
	{ // JAX-RS
		class: map[string]bool{"Path": true}, required: true, path: "Path", of: source.Served,
		verbs: map[string]string{
			"GET": "GET", "POST": "POST", "PUT": "PUT", "DELETE": "DELETE", "PATCH": "PATCH", "HEAD": "HEAD",
			"OPTIONS": "OPTIONS",
		},
	},
	{ // Micronaut
		class: map[string]bool{"Controller": true}, required: true,
		verbs: map[string]string{
			"Get": "GET", "Post": "POST", "Put": "PUT", "Delete": "DELETE", "Patch": "PATCH", "Head": "HEAD",
			"Options": "OPTIONS",
		},
	},
}

// clients are annotations of interfaces that call routes instead of serving them.
var clients = map[string]bool{"FeignClient": true, "HttpExchange": true, "RegisterRestClient": true, "Client": true}

func (p *parser) routes() []source.Fact {
	types, functional := map[string]decl{}, strings.Contains(p.src, "RouterFunction")
	var out []source.Fact
	for _, d := range p.decls {
		if isType(d.kind) {
			types[d.name] = d
			out = append(append(out, p.servlet(d)...), p.served(d)...)
			continue
		}
		owner, ok := types[d.scope]
		out = append(out, p.scheduled(d)...)
		if _, client := p.annotated(owner.mods, clients); !ok || client || d.kind != source.Method {
			continue
		}
		for _, f := range frameworks {
			out = append(out, p.mapped(f, owner, d)...)
		}
		if functional {
			out = append(out, p.functional(owner, d)...)
		}
	}
	return out
}

// stepsOfRoute is how many steps a route counts for: a class may have any number of paths, and of methods.
const stepsOfRoute = 16

func (p *parser) mapped(f framework, owner, d decl) []source.Fact {
	var out []source.Fact
	for _, a := range p.annotations(d.mods) {
		verb, ok := f.verbs[a.name]
		if !ok || f.path != "" && a.args != 0 {
			continue
		}
		beginnings, ok := []string{""}, !f.required
		if c, is := p.annotated(owner.mods, f.class); is {
			beginnings, ok = p.paths(owner, c), true
		}
		if !ok {
			return nil
		}
		at := a
		if f.path != "" {
			at, _ = p.annotated(d.mods, map[string]bool{f.path: true})
		}
		methods := []string{verb}
		if verb == "" {
			methods = p.requestMethods(a)
		}
		fact := source.Fact{Kind: source.Route, Value: d.name, Of: f.of, Line: int(p.line(a.From))}
		if owner.kind == source.Interface {
			fact.Of = owner.name
		}
		for _, method := range methods {
			for _, beginning := range beginnings {
				for _, path := range p.paths(owner, at) {
					p.meter.Steps(stepsOfRoute)
					fact.Name = strings.TrimSpace(method + " " + route(beginning, path))
					out = append(out, fact)
				}
			}
		}
	}
	return out
}

// paths returns the paths of an annotation, or one empty path.
func (p *parser) paths(owner decl, a annotation) []string {
	var out []string
	for name, s := range p.attributes(a) {
		if name != "value" && name != "path" && name != "uri" && name != "urlPatterns" {
			continue
		}
		if p.kind(s.From) == '{' {
			s = span{From: s.From + 1, To: s.To - 1}
		}
		for i := s.From; i < s.To; i++ {
			p.meter.Step()
			var path string
			path, i = p.path(owner, span{From: i, To: s.To})
			out = append(out, path)
		}
	}
	if len(out) == 0 {
		out = []string{""}
	}
	return out
}

// path evaluates a path expression up to a comma: literals, and placeholders for constants.
func (p *parser) path(owner decl, s span) (path string, end int32) {
	i := s.From
	for ; i < s.To && p.kind(i) != ','; i++ {
		switch p.kind(i) {
		case '+':
		case text:
			path += p.literal(i)
		case word:
			name := p.text(i)
			for i+2 < s.To && p.kind(i+1) == '.' && p.kind(i+2) == word && len(name) < longestPath {
				i += 2
				name += "." + p.text(i)
			}
			if !strings.Contains(name, ".") {
				name = owner.name + "." + name
			}
			if value, ok := p.constantPath(owner, name); ok {
				path += value
			} else {
				path += source.Placeholder(name)
			}
		default:
			for i < s.To && p.kind(i) != ',' {
				i = max(i+1, p.ends[i])
			}
			return source.Placeholder(""), i
		}
		if len(path) > longestPath {
			return source.Placeholder(""), s.To
		}
	}
	return path, i
}

// constantPath evaluates a constant of the file.
func (p *parser) constantPath(owner decl, name string) (string, bool) {
	if p.values == nil {
		p.values = map[string]span{}
		for _, d := range p.decls {
			if _, known := p.values[d.name]; !known && d.value.To > d.value.From {
				p.values[d.name] = d.value
			}
		}
	}
	value, known := p.values[name]
	if !known || p.depth > mostConstants {
		return "", false
	}
	p.depth++
	text, _ := p.path(owner, span{From: value.From + 1, To: value.To})
	p.depth--
	return text, !strings.Contains(text, "$(")
}

// mostConstants bounds the constants that a constant refers to.
const mostConstants = 8

// longestPath limits the bytes of a path.
const longestPath = 1024

func (p *parser) requestMethods(a annotation) []string {
	var out []string
	for name, s := range p.attributes(a) {
		for i := s.From; name == "method" && i < s.To; i++ {
			if next := p.kind(i + 1); p.kind(i) == word && next != '.' {
				out = append(out, p.name(i))
			}
		}
	}
	if len(out) == 0 {
		return []string{""}
	}
	return out
}

func route(beginning, path string) string {
	out := strings.Trim(beginning, "/")
	if rest := strings.TrimLeft(path, "/"); rest != "" && out != "" {
		out += "/" + rest
	} else {
		out += rest
	}
	if strings.HasPrefix(out, "$(") {
		return out
	}
	return "/" + out
}

func (p *parser) servlet(d decl) []source.Fact {
	a, ok := p.annotated(d.mods, map[string]bool{"WebServlet": true, "ServerEndpoint": true})
	if !ok {
		return nil
	}
	var out []source.Fact
	for _, path := range p.paths(d, a) {
		if path != "" {
			out = append(out, source.Fact{Kind: source.Route, Name: path, Line: int(p.line(a.From))})
		}
	}
	return out
}

// controllers are annotations of classes that serve the routes of the interfaces that they implement.
var controllers = map[string]bool{"RestController": true, "Controller": true, "RequestMapping": true}

// applications are annotations of classes with the path of all resources.
var applications = map[string]bool{"ApplicationPath": true}

// served mounts all resources, and the routes of the interfaces that a controller implements. It adds the jobs that Quartz runs.
func (p *parser) served(d decl) []source.Fact {
	_, serves := p.annotated(d.mods, controllers)
	beginnings := []string{""}
	if c, is := p.annotated(d.mods, frameworks[0].class); is {
		beginnings = p.paths(d, c)
	}
	var out []source.Fact
	if a, is := p.annotated(d.mods, applications); is {
		for _, at := range p.paths(d, a) {
			out = append(out, source.Fact{Kind: source.Mount, ID: source.Served, Of: source.Program, Name: route("", at), Line: int(p.line(a.From))})
		}
	}
	for i, after := d.head.From, false; i < d.head.To; i = max(i+1, p.ends[i]) {
		after = after || p.isWord(i, "implements")
		name := p.shown(p.text(i))
		switch line := int(p.line(d.head.From)); {
		case !after || p.kind(i) != word || p.kind(i+1) == '.':
		case name == "Job" && strings.Contains(p.src, "org.quartz."):
			out = append(out, source.Fact{Kind: source.Job, Name: d.name, Value: d.name + ".execute", Line: line})
		case serves && name != "implements":
			for _, at := range beginnings {
				p.meter.Steps(stepsOfRoute)
				out = append(out, source.Fact{Kind: source.Mount, ID: name, Of: source.Program, Name: route("", at), Line: line})
			}
		}
	}
	return out
}

// scheduled reads @Scheduled(cron = "0 0 1 * * ?") and @Scheduled(fixedRate = 5000).
func (p *parser) scheduled(d decl) []source.Fact {
	var out []source.Fact
	for _, a := range p.annotations(d.mods) {
		if a.name != "Scheduled" || d.kind != source.Method {
			continue
		}
		var when []string
		for name, s := range p.attributes(a) {
			value := p.shown(strings.Trim(p.src[p.toks[s.From].start:p.toks[s.To-1].end], `"`))
			switch {
			case name == "cron":
				when = append(when, value)
			case name == "every" || strings.HasPrefix(name, "fixed"):
				when = append(when, name+"="+value)
			}
		}
		out = append(out, source.Fact{Kind: source.Job, Name: d.name[strings.LastIndexByte(d.name, '.')+1:], Value: d.name, Usage: strings.Join(when, " "), Line: int(p.line(a.From))})
	}
	return out
}
