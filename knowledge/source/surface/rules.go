package surface

import "strings"

// Rules say what calls, decorators and names mean in a language and its frameworks.
type Rules struct {
	Env         EnvRules
	Routes      RouteRules
	Config      ConfigRules
	Commands    CommandRules
	Models      []ModelRule
	Entities    EntityRules
	Controllers ControllerRules
	Jobs        JobRules
	Exits       map[string]bool // functions that end the program with a code
	ExitWords   []string        // in the names of functions that may exit with their argument
	Scoped      bool            // IDs contain the function, and parameters have types
	Predeclared map[string]bool // functions of the language
	Constants   bool            // those of functions count in the whole file
	Self        map[string]bool // names of the receiver in methods
	Nothing     map[string]bool // names of values that are no default

	reads, ends, owners map[string]bool // see Prepare
}

// Prepare notes the names that calls, members and subscripts have to have for their last elements where a rule is about them: others
// need not be spelled out.
func (r *Rules) Prepare() *Rules {
	r.reads, r.ends, r.owners = map[string]bool{}, map[string]bool{}, map[string]bool{}
	for _, names := range []map[string]bool{r.Env.Objects, r.Env.Calls, r.Env.Methods} {
		for name := range names {
			_, name, _ = cutLast(name)
			r.reads[name] = true
		}
	}
	for name := range r.Env.All {
		_, name, _ = cutLast(name)
		r.reads[name] = true
	}
	for name := range r.Exits {
		_, name, _ = cutLast(name)
		r.ends[name] = true
	}
	for name := range r.Routes.Calls {
		owner, _, _ := cutLast(name)
		r.owners[owner] = owner != ""
	}
	return r
}

// Words are the names that a call has for its last element where a rule is about it.
func (r *Rules) Words() map[string]bool {
	out := map[string]bool{}
	for _, names := range []map[string]bool{r.reads, r.ends} {
		for name := range names {
			out[name] = !r.Env.Methods[name] && name != "get"
		}
	}
	add := func(name string) { out[name[strings.LastIndexByte(name, '.')+1:]] = true }
	for name := range r.Routes.Makers {
		add(name)
	}
	for name, rule := range r.Routes.Calls {
		if !r.Routes.Named && rule.Listed == "" {
			add(name)
		}
	}
	for name := range r.Routes.Mounts {
		if !r.Routes.Named {
			add(name)
		}
	}
	r.Controllers.words(add)
	r.Entities.words(add)
	r.Jobs.words(add)
	return out
}

// Words are the names of calls that make a command line, whatever they are called on.
func (c *CommandRules) Words(out map[string]bool) {
	for name := range c.Calls {
		if name[0] != '@' && name[0] != '=' {
			_, name, _ = cutLast(name)
			out[name] = true
		}
	}
}
