package main

import (
	"cmp"
	"context"
	"encoding/json"
	"fmt"
	"os"
	"os/exec"
	"path/filepath"
	"regexp"
	"slices"
	"strings"

	"github.com/causaldocs/causal/knowledge/manifest"
	"github.com/causaldocs/causal/knowledge/source"
)

// crate is rustdoc's JSON of a crate.
type crate struct {
	Root  json.Number
	Index map[string]rustItem
	account
}

// rustHidden matches hidden lines and fences of an example.
var rustHidden = regexp.MustCompile("(?m)^\\s*(?:#(?: .*)?|```.*)$")

type rustItem struct {
	Name       *string
	Visibility any
	Docs       string
	Inner      map[string]json.RawMessage
}

// add takes an item up under the name that callers use.
func (c crate) add(name string, it rustItem) {
	c.public[name] = true
	c.told[name] = telling{signature: rustHead(it.Inner["function"]), doc: rustHidden.ReplaceAllString(it.Docs, "\n\n")}
}

// rustdoc lists the public items by their paths. It runs rustdoc without Cargo, which would need all optional dependencies. If all
// features do not compile without dependencies, it enables those that do.
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
	edition := cmp.Or(cargo.Table("package").Text("edition"), cargo.Table("workspace").Table("package").Text("edition"), "2015")
	name := strings.ReplaceAll(cmp.Or(cargo.Table("lib").Text("name"), cargo.Table("package").Text("name")), "-", "_")
	read := func(features []string) ([]byte, error) {
		args := []string{"src/lib.rs", "--crate-name", name, "--edition", edition, "-o", place, "-Zunstable-options", "--output-format", "json", "--cap-lints", "allow"}
		for _, f := range features {
			args = append(args, "--cfg", fmt.Sprintf("feature=%q", f))
		}
		c := exec.CommandContext(ctx, "rustdoc", args...) //nolint:gosec // the directory is the user's argument
		c.Dir, c.Env = dir, append(os.Environ(), "RUSTC_BOOTSTRAP=1")
		return c.CombinedOutput()
	}
	list := cargo.Table("features")
	all := list.Keys()
	if _, err := read(all); err != nil {
		slices.SortStableFunc(all, func(a, b string) int { // features with dependencies last: code that uses them does not compile
			return cmp.Compare(strings.Count(strings.Join(list.Texts(a), " "), "dep:"), strings.Count(strings.Join(list.Texts(b), " "), "dep:"))
		})
		features := []string{"default", "std", "alloc"}
		for before := 0; before < len(features); { // some need one that comes later
			before = len(features)
			for _, f := range all {
				if slices.Contains(features, f) {
					continue
				}
				if _, err := read(append(features, f)); err == nil {
					features = append(features, f)
				}
			}
		}
		if text, err = read(features); err != nil {
			return account{}, fmt.Errorf("rustdoc: %.2000s", text)
		}
	}
	found, err := rustItems(place)
	return account{found.public, func(s *symbol) bool { return s.Import == name && thereToday(s, found.public) }, found.told, equal(rustSignature)}, err
}

// rustItems reads the output of rustdoc.
func rustItems(place string) (account, error) {
	files, err := filepath.Glob(filepath.Join(place, "*.json"))
	if err != nil || len(files) != 1 {
		return account{}, fmt.Errorf("rustdoc wrote %d files: %w", len(files), err)
	}
	data, err := os.ReadFile(files[0])
	if err != nil {
		return account{}, err
	}
	all := crate{account: account{public: map[string]bool{}, told: map[string]telling{}}}
	if err := json.Unmarshal(data, &all); err != nil {
		return account{}, fmt.Errorf("parse rustdoc's output: %w", err)
	}
	all.module(all.Root.String(), strings.TrimSuffix(filepath.Base(files[0]), ".json"), map[string]bool{})
	return all.account, nil
}

// module adds the public items of a module, under a path.
func (c crate) module(id, where string, inside map[string]bool) {
	if inside[id] {
		return
	}
	inside[id] = true
	defer delete(inside, id)
	var m struct{ Items []json.Number }
	if json.Unmarshal(c.Index[id].Inner["module"], &m) != nil {
		return
	}
	slices.SortStableFunc(m.Items, func(a, b json.Number) int { // a module has its own path before others
		return cmp.Compare(len(c.Index[a.String()].Inner["use"]), len(c.Index[b.String()].Inner["use"]))
	})
	for _, item := range m.Items {
		c.item(item.String(), where, "", inside)
	}
}

// item adds an item under its name, or under the name of a re-export.
func (c crate) item(id, where, as string, inside map[string]bool) {
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
		if json.Unmarshal(raw, &u) != nil || u.ID == nil || u.Name == "_" {
			return
		}
		if u.IsGlob {
			c.module(u.ID.String(), where, inside)
			return
		}
		if c.Index[u.ID.String()].Inner == nil { // of another crate
			c.public[where+"::"+u.Name] = true
			return
		}
		if m := c.Index[u.ID.String()]; m.Inner["module"] != nil && m.Visibility == "public" { // whose members have their own path
			c.add(where+"::"+u.Name, m)
			return
		}
		c.item(u.ID.String(), where, u.Name, inside)
		return
	}
	if it.Name == nil {
		return
	}
	if as == "" {
		as = *it.Name
	}
	full := where + "::" + as
	c.add(full, it)
	c.module(id, full, inside)
	c.methods(it.Inner, full)
}

// methods adds the inherent methods of a type and the methods of a trait.
func (c crate) methods(inner map[string]json.RawMessage, where string) {
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
				c.add(where+"::"+*it.Name, it)
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
