package python

import (
	"strings"

	"github.com/causaldocs/causal/knowledge/source"
)

// settings is a class of pydantic that is filled from a configuration or from the environment.
type settings struct {
	level  int32
	name   string
	line   int
	env    bool   // it reads the environment
	prefix string // what its variables begin with
	fields []source.Fact
}

// configuration finds the keys of configurations: the fields of classes that rest on BaseSettings, and of those that rest on BaseModel
// and are called after a configuration, or stand in one.
func (x *reader) configuration() {
	if !strings.Contains(x.src, "pydantic") {
		return
	}
	var open, all []*settings
	close := func(level int32) {
		for len(open) > 0 && open[len(open)-1].level >= level {
			open = open[:len(open)-1]
		}
	}
	for _, l := range x.lines {
		first, end := int(l.first), int(l.end)
		if first >= end {
			continue
		}
		close(l.level)
		if x.is(first, end, "class") && x.isName(first+1, end) {
			if s := x.settingsAt(first, l, open); s != nil {
				open, all = append(open, s), append(all, s)
			}
			continue
		}
		if len(open) == 0 {
			continue
		}
		s := open[len(open)-1]
		for i := first; i+2 < end; i++ {
			if x.isName(i, end) && x.text(i) == "env_prefix" && (x.is(i+1, end, "=")) {
				s.prefix = x.literalAt(i + 2)
			}
		}
		if l.level == s.level+1 && x.isName(first, end) && x.is(first+1, end, ":") {
			x.setting(s, first, end)
		}
	}
	x.configured(all)
}

// settingsAt takes up a class of pydantic; nil for any other.
func (x *reader) settingsAt(i int, l line, open []*settings) *settings {
	end := int(l.end)
	name := x.text(i + 1)
	is, env := false, false
	for j := i + 3; j < end && !x.is(j, end, ":"); j++ {
		if x.isName(j, end) {
			env = env || x.text(j) == "BaseSettings" || strings.HasSuffix(x.text(j), "Settings") && strings.HasSuffix(name, "Settings")
			is = is || env || x.text(j) == "BaseModel"
		}
	}
	if !is || len(open) > 0 {
		return nil
	}
	return &settings{level: l.level, name: name, env: env, line: int(x.toks[i].line)}
}

// setting reads `name: type = default`.
func (x *reader) setting(s *settings, first, end int) {
	name := x.text(first)
	if name == "model_config" || strings.HasPrefix(name, "_") {
		return
	}
	f := source.Fact{Kind: source.Config, Name: name, Of: s.name, Line: int(x.toks[first].line)}
	at, depth := first+2, 0
	for ; at < end && (depth > 0 || !x.is(at, end, "=")); at++ {
		depth += x.depth(at)
	}
	if x.text(first+2) == "ClassVar" {
		return
	}
	f.Value = strings.TrimSpace(valid(x.src[x.toks[first+2].start:x.toks[at-1].end]))
	if len(f.Value) > longestType || strings.Contains(f.Value, "\n") {
		f.Value = ""
	}
	if x.isName(first+2, end) && at == first+3 {
		f.ID = x.text(first + 2)
	}
	if at+1 < end {
		x.settingDefault(&f, at+1, end)
	} else if !strings.Contains(f.Value, "None") && !strings.Contains(f.Value, "Optional") {
		f.Usage = source.Required
	}
	f.Default = valid(f.Default)
	s.fields = append(s.fields, f)
}

// longestType is how many bytes a type has that is told.
const longestType = 60

// settingDefault reads what stands behind the equals sign: a literal, or Field(default, description="…").
func (x *reader) settingDefault(f *source.Fact, i, end int) {
	if !x.isName(i, end) || x.text(i) != "Field" || !x.is(i+1, end, "(") {
		f.Default, f.Usage = x.fallback(i, end)
		return
	}
	f.Usage = source.Required
	if !x.is(i+3, end, "=") {
		if f.Default, f.Usage = x.fallback(i+2, x.nameEnd(i+2)); x.is(i+2, end, "...") || x.is(i+2, end, ")") {
			f.Usage = source.Required
		}
	}
	args := x.arguments(i + 1)
	if a, given := pick(args, "default", -1); given {
		f.Default, f.Usage = x.fallback(a.from, a.to)
	} else if _, given := pick(args, "default_factory", -1); given {
		f.Usage = source.Computed
	}
	for _, part := range []struct {
		key string
		to  *string
	}{{"description", &f.Help}, {"alias", &f.Name}, {"validation_alias", &f.Name}} {
		a, given := pick(args, part.key, -1)
		if !given {
			continue
		}
		if text, ok := x.plain(a.from); ok && text != "" {
			*part.to = valid(text)
			if part.to == &f.Name {
				f.Also = f.Name
			}
		}
	}
}

// configured tells what the classes say that are configurations, and those of the file that stand in one.
func (x *reader) configured(all []*settings) {
	told := map[string]bool{}
	for _, s := range all {
		if s.env || isConfigName(s.name) {
			told[s.name] = true
			x.facts = append(x.facts, source.Fact{Kind: source.Config, ID: s.name, Of: source.Program, Line: s.line})
		}
	}
	for n := len(all) - 1; n >= 0; n-- { // a class stands behind those that stand in it
		s := all[n]
		for _, f := range s.fields {
			if !told[s.name] {
				break
			}
			told[f.ID] = true
			x.facts = append(x.facts, f)
			if s.env {
				name := s.prefix + f.Name
				if f.Also != "" {
					name = f.Also
				}
				x.facts = append(x.facts, source.Fact{Kind: source.Env, Name: strings.ToUpper(name), Default: f.Default, Usage: f.Usage, Help: f.Help, Line: f.Line})
			}
		}
	}
	for i := range x.facts {
		if x.facts[i].Kind == source.Config {
			x.facts[i].Also = "" // the name was taken up
		}
	}
}

// isConfigName reports whether a class is called after a configuration.
func isConfigName(name string) bool {
	name = strings.ToLower(name)
	for _, end := range []string{"config", "configuration", "settings"} {
		if strings.HasSuffix(name, end) {
			return true
		}
	}
	return false
}
