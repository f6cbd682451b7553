package main

import (
	"cmp"
	"context"
	"encoding/json"
	"fmt"
	"io/fs"
	"maps"
	"os"
	"os/exec"
	"path"
	"path/filepath"
	"regexp"
	"slices"
	"strings"

	"github.com/causaldocs/causal/knowledge/manifest"
	"github.com/causaldocs/causal/knowledge/source"
)

// javap lists the public and protected classes and members of what javac makes of the sources, as far as a module exports them.
// CLASSPATH has what they need. Packages called internal are for callers or not, as one likes.
func javap(ctx context.Context, dir string) (account, error) {
	place, err := os.MkdirTemp("", "causal-api")
	if err != nil {
		return account{}, err
	}
	defer func() { _ = os.RemoveAll(place) }()
	main, err := mainSources(dir)
	if err != nil {
		return account{}, err
	}
	files, err := below(filepath.Join(main, "java"), ".java")
	if err != nil {
		return account{}, err
	}
	templates, _ := below(filepath.Join(main, "java-templates"), ".java") // what a build fills in compiles as it is
	args := append([]string{"-proc:none", "-nowarn", "-encoding", "UTF-8", "-d", place}, append(files, templates...)...)
	compile := exec.CommandContext(ctx, "javac", args...) //nolint:gosec // somebody named the directory
	if text, err := compile.CombinedOutput(); err != nil {
		return account{}, fmt.Errorf("javac: %w: %.2000s", err, text)
	}
	classes, err := below(place, ".class")
	if err != nil {
		return account{}, err
	}
	exported := exportedBy(main)
	classes = slices.DeleteFunc(classes, func(file string) bool {
		in, err := filepath.Rel(place, filepath.Dir(file))
		return err != nil || exported != nil && !exported[strings.ReplaceAll(in, "/", ".")]
	})
	text, err := exec.CommandContext(ctx, "javap", append([]string{"-protected"}, classes...)...).Output()
	if err != nil {
		return account{}, fmt.Errorf("javap: %w", err)
	}
	public, sources := classMembers(string(text)), strings.TrimPrefix(strings.TrimPrefix(filepath.Join(main, "java"), filepath.Clean(dir)), "/")
	maps.DeleteFunc(public, func(name string, _ bool) bool { return exported == nil && strings.Contains(name, ".internal.") })
	compiled := map[string]bool{}
	for _, f := range files {
		compiled[filepath.Base(f)] = true
	}
	return account{public: public, tells: func(s *symbol) bool {
		return !isConstructor(s.As[0]) && strings.HasPrefix(s.dir, sources) && compiled[s.File]
	}}, nil
}

// mainSources is where the sources of a project lie, or those of its part that is called as it is.
func mainSources(dir string) (string, error) {
	var err error
	for _, part := range []string{".", filepath.Base(dir), filepath.Base(dir) + "-api"} {
		main := filepath.Join(dir, part, "src", "main")
		if _, err = os.Stat(filepath.Join(main, "java")); err == nil {
			return main, nil
		}
	}
	return "", err
}

var exports = regexp.MustCompile(`(?m)^\s*exports\s+([\w.]+)\s*;`)

// exportedBy are the packages that a module exports; nil where nothing says so.
func exportedBy(main string) map[string]bool {
	for _, place := range []string{"java", "java9"} {
		text, err := os.ReadFile(filepath.Join(main, place, "module-info.java"))
		if err != nil {
			continue
		}
		out := map[string]bool{}
		for _, m := range exports.FindAllStringSubmatch(string(text), -1) {
			out[m[1]] = true
		}
		return out
	}
	return nil
}

// isConstructor reports whether a name ends in that of its class twice. Those that nobody wrote cannot be told from others.
func isConstructor(name string) bool {
	class, member := path.Dir(strings.ReplaceAll(name, ".", "/")), name[strings.LastIndexByte(name, '.')+1:]
	return path.Base(class) == member
}

func below(dir, ending string) ([]string, error) {
	var out []string
	err := filepath.WalkDir(dir, func(name string, e fs.DirEntry, err error) error {
		if err == nil && strings.HasSuffix(name, ending) && !strings.HasSuffix(name, "module-info"+ending) {
			out = append(out, name)
		}
		return err
	})
	return out, err
}

var (
	classHead  = regexp.MustCompile(`^(?:public|protected) (?:[a-z-]+ )*(?:class|interface|@interface) ([\w.$]+)`)
	ofEnum     = regexp.MustCompile(` (values\(\)|valueOf\(java.lang.String\))|public static final [\w.$]+ [A-Z]\w*;`)
	memberName = regexp.MustCompile(`([\w.$]+)(?:\(|;| =)`)
)

// classMembers reads what javap prints. Members of a class that cannot be named are none, as are those that compilers add. The
// constants of an enumeration are part of its declaration.
func classMembers(text string) map[string]bool {
	out := map[string]bool{}
	class, enum := "", false
	for line := range strings.Lines(text) {
		switch m := classHead.FindStringSubmatch(line); {
		case m != nil:
			enum = strings.Contains(line, " extends java.lang.Enum<")
			class = strings.ReplaceAll(m[1], "$", ".")
			out[class] = true
		case !strings.HasPrefix(line, "  "):
			class = ""
		case class != "":
			name := memberName.FindStringSubmatch(line)
			if name == nil || strings.Contains(name[1], "$") || strings.Contains(name[1], ".") || enum && ofEnum.MatchString(line) {
				continue
			}
			out[class+"."+name[1]] = true
		}
	}
	return out
}

// crate is what rustdoc tells of one.
type crate struct {
	Root  json.Number
	Index map[string]struct {
		Name       *string
		Visibility any
		Inner      map[string]json.RawMessage
	}
}

// rustdoc lists the items that callers can name, by the paths from the crate. Cargo would ask for all that the crate may ever depend
// on, so rustdoc reads it alone: with all of its features where they need nothing else, else with those that do not.
func rustdoc(ctx context.Context, dir string) (account, error) {
	place, err := os.MkdirTemp("", "causal-api")
	if err != nil {
		return account{}, err
	}
	defer func() { _ = os.RemoveAll(place) }()
	text, err := os.ReadFile(filepath.Join(dir, "Cargo.toml"))
	if err != nil {
		return account{}, err
	}
	cargo := manifest.Read(text)
	edition := cmp.Or(cargo.Table("package").Text("edition"), "2015")
	name := strings.ReplaceAll(cmp.Or(cargo.Table("lib").Text("name"), cargo.Table("package").Text("name")), "-", "_")
	read := func(features []string) ([]byte, error) {
		args := []string{"src/lib.rs", "--crate-name", name, "--edition", edition, "-o", place, "-Zunstable-options", "--output-format", "json", "--cap-lints", "allow"}
		for _, f := range features {
			args = append(args, "--cfg", fmt.Sprintf("feature=%q", f))
		}
		c := exec.CommandContext(ctx, "rustdoc", args...) //nolint:gosec // somebody named the directory
		c.Dir, c.Env = dir, append(os.Environ(), "RUSTC_BOOTSTRAP=1")
		return c.CombinedOutput()
	}
	all := cargo.Table("features").Keys()
	if _, err := read(all); err != nil {
		features := []string{"default", "std", "alloc"}
		for _, f := range all {
			if _, err := read(append(features, f)); err == nil {
				features = append(features, f)
			}
		}
		if text, err = read(features); err != nil {
			return account{}, fmt.Errorf("rustdoc: %.2000s", text)
		}
	}
	public, err := rustItems(place)
	return account{public: public, tells: func(s *symbol) bool { return s.Import == name && thereToday(s, public) }}, err
}

// rustItems reads what rustdoc wrote.
func rustItems(place string) (map[string]bool, error) {
	files, err := filepath.Glob(filepath.Join(place, "*.json"))
	if err != nil || len(files) != 1 {
		return nil, fmt.Errorf("rustdoc wrote %d files: %w", len(files), err)
	}
	data, err := os.ReadFile(files[0])
	if err != nil {
		return nil, err
	}
	var all crate
	if err := json.Unmarshal(data, &all); err != nil {
		return nil, fmt.Errorf("read what rustdoc wrote: %w", err)
	}
	out := map[string]bool{}
	all.module(all.Root.String(), strings.TrimSuffix(filepath.Base(files[0]), ".json"), map[string]bool{}, out)
	return out, nil
}

// module adds the public items of a module, under a path.
func (c crate) module(id, where string, inside map[string]bool, out map[string]bool) {
	if inside[id] {
		return
	}
	inside[id] = true
	defer delete(inside, id)
	var m struct{ Items []json.Number }
	if json.Unmarshal(c.Index[id].Inner["module"], &m) != nil {
		return
	}
	for _, item := range m.Items {
		c.item(item.String(), where, "", inside, out)
	}
}

// item adds one item, under its own name or the one that it is passed on by.
func (c crate) item(id, where, as string, inside map[string]bool, out map[string]bool) {
	it := c.Index[id]
	if it.Visibility != "public" && it.Inner["macro"] == nil && it.Inner["proc_macro"] == nil {
		return
	}
	if raw, ok := it.Inner["use"]; ok {
		var u struct {
			Name   string
			ID     *json.Number
			IsGlob bool `json:"is_glob"`
		}
		if json.Unmarshal(raw, &u) != nil || u.ID == nil {
			return
		}
		if u.IsGlob {
			c.module(u.ID.String(), where, inside, out)
			return
		}
		if c.Index[u.ID.String()].Inner == nil { // of another crate
			out[where+"::"+u.Name] = true
			return
		}
		c.item(u.ID.String(), where, u.Name, inside, out)
		return
	}
	if it.Name == nil {
		return
	}
	if as == "" {
		as = *it.Name
	}
	full := where + "::" + as
	out[full] = true
	c.module(id, full, inside, out)
	c.methods(it.Inner, full, out)
}

// methods adds what a type offers by itself and what a trait asks for.
func (c crate) methods(inner map[string]json.RawMessage, where string, out map[string]bool) {
	for _, kind := range []string{"struct", "enum", "union", "trait"} {
		var t struct{ Impls, Items []json.Number }
		if json.Unmarshal(inner[kind], &t) != nil {
			continue
		}
		members := t.Items
		for _, id := range t.Impls {
			var i struct {
				Trait *json.RawMessage
				Items []json.Number
			}
			if kind != "trait" && json.Unmarshal(c.Index[id.String()].Inner["impl"], &i) == nil && i.Trait == nil {
				for _, m := range i.Items {
					if c.Index[m.String()].Visibility == "public" {
						members = append(members, m)
					}
				}
			}
		}
		for _, m := range members {
			if it := c.Index[m.String()]; it.Name != nil {
				out[where+"::"+*it.Name] = true
			}
		}
	}
}

// thereToday reports whether the module of a symbol is built on this system.
func thereToday(s *symbol, public map[string]bool) bool {
	if s.Kind == source.Reexport || s.Kind == source.Namespace {
		return false
	}
	module := s.As[0][:max(strings.LastIndex(s.As[0], "::"), 0)]
	return module == s.Import || public[module]
}
