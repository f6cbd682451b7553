package manifest

import (
	"cmp"
	"errors"
	"path"
	"slices"
	"strings"
	"unicode"

	"go.yaml.in/yaml/v4"

	"github.com/causaldocs/causal/knowledge/lazyregexp"
)

// Setting is the value of a variable or configuration key in a file.
type Setting struct {
	Name, Value string
	For         string // service or profile
	Help        string // the comment above
	Variable    bool   // read from the environment by code or the file itself; Value is the default
	Required    bool   // the variable is mandatory; Help is the message
}

// Bounds of the settings that are read.
const (
	longestSettings = 256 << 10 // bytes of a file
	mostSettings    = 1000      // of a file
	mostSteps       = 10_000    // mappings of a file, with those of aliases
	mostDocuments   = 32        // of a YAML file
	mostNodes       = 1 << 18   // of a YAML document, aliases expanded
	textOfNode      = 16        // bytes of text that count as a node
	deepestSetting  = 16
	fewestWords     = 3 // of a useful message
)

type settingsForm struct {
	name *lazyregexp.Regexp
	read func(r *settingsReader, content string) error
}

// settingsForms are by base name.
var settingsForms = []settingsForm{
	{lazyregexp.New(`^\.?env\.(?:example|sample|template|dist|defaults)$`), (*settingsReader).dotenv},
	{lazyregexp.New(`^(?:docker-)?compose(?:[.-][\w.-]+)?\.ya?ml$`), (*settingsReader).compose},
	{lazyregexp.New(`^(?:application|bootstrap)(?:-[\w-]+)?\.properties$`), (*settingsReader).properties},
	{lazyregexp.New(`^(?:application|bootstrap)(?:-[\w-]+)?\.ya?ml$`), (*settingsReader).application},
}

// resource matches a file in a directory from which Spring reads configurations, also with a name that the program states. Such a
// file has settings if its values refer to variables.
var resource = lazyregexp.New(`(?:^|/)src/main/resources/(?:config/)?[\w.-]+\.(?:properties|ya?ml)$`)

// IsSettings reports whether a file has settings by its name: ".env.example", "compose.yml",
// "application-dev.properties".
func IsSettings(name string) bool {
	return resource.MatchString(name) || slices.ContainsFunc(settingsForms, func(f settingsForm) bool { return f.name.MatchString(path.Base(name)) })
}

// Settings returns the settings of a file, or an error if it cannot be parsed.
func Settings(name string, content []byte) ([]Setting, error) {
	base := path.Base(name)
	r := &settingsReader{seen: map[Setting]bool{}}
	var read func(r *settingsReader, content string) error
	for _, f := range settingsForms {
		if f.name.MatchString(base) {
			read = f.read
			_, r.of, _ = strings.Cut(strings.TrimSuffix(base, path.Ext(base)), "-")
		}
	}
	if read == nil && resource.MatchString(name) && placeholder.Match(content) {
		if read = (*settingsReader).application; path.Ext(base) == ".properties" {
			read = (*settingsReader).properties
		}
	}
	if read == nil || len(content) > longestSettings {
		return nil, nil
	}
	err := read(r, string(content))
	return r.out, err
}

type settingsReader struct {
	of   string // the profile in the file name
	out  []Setting
	seen map[Setting]bool
	// steps counts the mappings that were read, also those of aliases.
	steps int
}

func (r *settingsReader) add(s Setting) {
	if s.Name == "" || len(r.out) == mostSettings || r.seen[s] {
		return
	}
	r.seen[s] = true
	r.out = append(r.out, s)
}

var (
	assignment  = lazyregexp.New(`^(#\s*)?(?:export\s+)?([A-Za-z_][A-Za-z0-9_]*)\s*=\s*(.*)$`)
	placeholder = lazyregexp.New(`\$\{([A-Z][A-Z0-9_]*)(?::?([-?+])([^{}]*)|:([^{}]*))?\}`)
)

// dotenv reads lines `NAME=value`. A commented-out line is an optional variable.
func (r *settingsReader) dotenv(content string) error {
	var above []string
	beside := false // another setting is above
	for line := range strings.Lines(content) {
		line = strings.TrimSpace(line)
		m := assignment.FindStringSubmatch(line)
		switch {
		case m != nil && (m[1] == "" || m[2] == strings.ToUpper(m[2])):
			r.above(m[2], above, beside)
			r.add(Setting{Name: m[2], Value: unquoted(m[3]), Help: sentences(above)})
			above, beside = nil, true
			continue
		case strings.HasPrefix(line, "#"):
			text := strings.TrimSpace(strings.Trim(line, "#"))
			if above = append(above, text); rule.MatchString(text) {
				above = nil
			}
		default:
			above = nil
		}
		beside = false
	}
	return nil
}

// heading matches a comment that may be the title of a group.
var heading = lazyregexp.New(`^\S+(?: \S+){0,4}[^.?!:;,]$`)

// above takes the comment of the last setting for the title of a group if another setting without a comment follows.
func (r *settingsReader) above(name string, comment []string, beside bool) {
	if len(r.out) == 0 || len(comment) > 0 || !beside {
		return
	}
	if last := &r.out[len(r.out)-1]; last.Name != name && heading.MatchString(last.Help) {
		last.Help = ""
	}
}

// commentOf returns the comment above a node of a YAML file, or else behind its value, without settings that are commented out.
func commentOf(n, value *yaml.Node) string {
	return cmp.Or(commentIn(n.HeadComment), commentIn(value.LineComment))
}

func commentIn(comment string) string {
	var out []string
	for line := range strings.Lines(comment) {
		line = strings.TrimSpace(strings.TrimLeft(strings.TrimSpace(line), "#"))
		if line == "" || rule.MatchString(line) {
			out = nil // of what is before
		} else if !strings.HasPrefix(line, "- ") && !strings.Contains(line, "=") && !keyed.MatchString(line) {
			out = append(out, line)
		}
	}
	return sentences(out)
}

// rule matches the lines around the title of a section, keyed a key that is commented out.
var (
	rule  = lazyregexp.New(`^[-=*_~+]{5,}$`)
	keyed = lazyregexp.New(`^[\w.-]+:(?:\s+\S+)?$`)
)

// sentences joins the lines of a comment. A line that ends with a word and is followed by a capital is a title.
func sentences(lines []string) string {
	var b strings.Builder
	before := ""
	for _, line := range lines {
		if line == "" {
			continue
		}
		if before != "" {
			if unicode.IsUpper(rune(line[0])) && titled.MatchString(before) && !joining.MatchString(before) {
				b.WriteByte('.')
			}
			b.WriteByte(' ')
		}
		b.WriteString(line)
		before = line[max(0, len(line)-longestJoining):]
	}
	return b.String()
}

// longestJoining bounds the end of a line that decides, in bytes.
const longestJoining = 16

// titled matches a text that ends with a word, joining one that goes on.
var (
	titled  = lazyregexp.New(`[\pL\d)]$`)
	joining = lazyregexp.New(`\b(?:a|an|the|of|to|for|and|or|in|on|at|by|as|is|with|from|via|your)$`)
)

// unquoted returns a value without quotes or a trailing comment.
func unquoted(text string) string {
	if len(text) > 1 && (text[0] == '"' || text[0] == '\'') {
		if end := strings.IndexByte(text[1:], text[0]); end >= 0 {
			return text[1 : end+1]
		}
	}
	text, _, _ = strings.Cut(text, " #")
	return strings.TrimSpace(text)
}

// variables records the variables that a value refers to: `${NAME}`, `${NAME:-default}`, `${NAME:?why}`, and Spring's
// `${NAME:default}`.
// A default may refer to another variable.
func (r *settingsReader) variables(value, help string) {
	for range deepestSetting {
		inner := value
		value = placeholder.ReplaceAllString(value, "$3$4")
		r.referred(inner, help)
		if inner == value {
			return
		}
	}
}

func (r *settingsReader) referred(value, help string) {
	for _, m := range placeholder.FindAllStringSubmatch(value, mostSettings) {
		s := Setting{Name: m[1], Value: m[3] + m[4], Variable: true, Required: m[2] == "?", Help: help}
		switch m[2] {
		case "?":
			if s.Value, s.Help = "", ""; strings.Count(m[3], " ") >= fewestWords { // "not set" is not useful
				s.Help = m[3]
			}
		case "+":
			s.Value = "" // used only if the variable is set
		}
		r.add(s)
	}
}

// properties reads lines `key=value` or `key: value`.
func (r *settingsReader) properties(content string) error {
	var above []string
	for line := range strings.Lines(content) {
		line = strings.TrimSpace(line)
		at := strings.IndexAny(line, "=:")
		if line == "" || line[0] == '#' || line[0] == '!' || at <= 0 {
			if above = append(above, line); line == "" {
				above = nil
			}
			continue
		}
		value, help := strings.TrimSpace(line[at+1:]), commentIn(strings.Join(above, "\n"))
		above = nil
		r.add(Setting{Name: strings.TrimSpace(line[:at]), Value: value, For: r.of, Help: help})
		r.variables(value, help)
	}
	return nil
}

// application reads the keys of YAML documents, each of which may belong to a profile.
func (r *settingsReader) application(content string) error {
	return documents(content, func(root *yaml.Node) {
		of := r.of
		for _, key := range []string{"spring.config.activate.on-profile", "spring.profiles"} {
			if at := below(root, strings.Split(key, ".")...); at != nil && at.Kind == yaml.ScalarNode {
				of = at.Value
			}
		}
		r.keys(root, "", of, deepestSetting)
	})
}

func (r *settingsReader) keys(n *yaml.Node, prefix, of string, left int) {
	if left == 0 || len(r.out) >= mostSettings {
		return
	}
	if r.steps++; r.steps > mostSteps {
		return // aliases of aliases
	}
	each(n, func(key, value *yaml.Node) {
		name := prefix + key.Value
		switch {
		case value.Kind == yaml.MappingNode && len(value.Content) > 0:
			r.keys(value, name+".", of, left-1)
		case value.Kind == yaml.SequenceNode:
			var items []string
			for _, item := range value.Content {
				if item = aliased(item); item.Kind != yaml.ScalarNode {
					return
				}
				items = append(items, item.Value)
				r.variables(item.Value, "")
			}
			r.add(Setting{Name: name, Value: strings.Join(items, ","), For: of, Help: commentOf(key, value)})
		default:
			r.add(Setting{Name: name, Value: value.Value, For: of, Help: commentOf(key, value)})
			r.variables(value.Value, commentOf(key, value))
		}
	})
}

// compose reads the environment of services, and the variables that the file refers to.
func (r *settingsReader) compose(content string) error {
	for line := range strings.Lines(content) {
		if !strings.HasPrefix(strings.TrimSpace(line), "#") {
			r.variables(strings.ReplaceAll(line, "$${", ""), "")
		}
	}
	return documents(content, func(root *yaml.Node) {
		each(below(root, "services"), func(service, body *yaml.Node) {
			environment := below(body, "environment")
			each(environment, func(key, value *yaml.Node) {
				r.add(Setting{Name: key.Value, Value: value.Value, For: service.Value, Help: commentOf(key, value)})
			})
			if environment != nil && environment.Kind == yaml.SequenceNode {
				for _, item := range environment.Content {
					name, value, _ := strings.Cut(item.Value, "=")
					r.add(Setting{Name: name, Value: value, For: service.Value, Help: commentOf(item, item)})
				}
			}
		})
	})
}

// documents calls f for each document of a YAML file.
func documents(content string, f func(root *yaml.Node)) error {
	for _, part := range strings.SplitN("\n"+content, "\n---", mostDocuments) {
		n, err := document(part)
		if err != nil {
			return err
		}
		if n != nil {
			f(n)
		}
	}
	return nil
}

var errAliases = errors.New("its aliases expand to too many nodes")

// document returns the root of a document, or nil if it is empty.
func document(text string) (*yaml.Node, error) {
	var n yaml.Node
	if err := yaml.Unmarshal([]byte(text), &n); err != nil || len(n.Content) == 0 {
		return nil, err
	}
	if sizeOf(n.Content[0], map[*yaml.Node]int{}) > mostNodes {
		return nil, errAliases
	}
	return n.Content[0], nil
}

// sizeOf counts the nodes below a node with its aliases expanded.
func sizeOf(n *yaml.Node, known map[*yaml.Node]int) int {
	n = aliased(n)
	if size, ok := known[n]; ok {
		return size
	}
	if n.Anchor != "" {
		known[n] = mostNodes // in a circle
	}
	size := 1 + (len(n.Value)+len(n.HeadComment))/textOfNode
	for _, c := range n.Content {
		size = min(size+sizeOf(c, known), mostNodes+1)
	}
	if n.Anchor != "" {
		known[n] = size
	}
	return size
}

// each calls f for the entries of a mapping, and for those of a mapping that it merges.
func each(n *yaml.Node, f func(key, value *yaml.Node)) {
	if n = aliased(n); n == nil || n.Kind != yaml.MappingNode {
		return
	}
	own := map[string]bool{}
	for i := 0; i+1 < len(n.Content); i += 2 {
		if n.Content[i].Value != "<<" {
			own[n.Content[i].Value] = true
			f(n.Content[i], aliased(n.Content[i+1]))
		}
	}
	for i := 0; i+1 < len(n.Content); i += 2 {
		merged := aliased(n.Content[i+1])
		if n.Content[i].Value != "<<" || merged.Kind != yaml.MappingNode {
			continue
		}
		for j := 0; j+1 < len(merged.Content); j += 2 {
			if key := merged.Content[j]; !own[key.Value] && key.Value != "<<" {
				f(key, aliased(merged.Content[j+1]))
			}
		}
	}
}

// aliased returns the node that an alias stands for.
func aliased(n *yaml.Node) *yaml.Node {
	if n != nil && n.Kind == yaml.AliasNode {
		return n.Alias
	}
	return n
}

// below returns the node at a path of keys, or nil.
func below(n *yaml.Node, keys ...string) *yaml.Node {
	for _, key := range keys {
		var next *yaml.Node
		each(n, func(k, v *yaml.Node) {
			if k.Value == key {
				next = v
			}
		})
		if n = next; n == nil {
			return nil
		}
	}
	return n
}
