package enginetest_test

import (
	"context"
	"encoding/json"
	"errors"
	"fmt"
	"os"
	"path"
	"strings"

	"github.com/causaldocs/causal/knowledge/engine"
	"github.com/causaldocs/causal/knowledge/engine/enginetest"
	"github.com/causaldocs/causal/knowledge/fact"
	"github.com/causaldocs/causal/knowledge/frame"
)

// register is a plugin that keeps the TODOs of each Go file, and a page of all of them.
type register struct{ files engine.Files }

// version is raised when the same input gives another output.
const version = "todo/1"

// todos is a stored conclusion about a file.
type todos struct {
	Summary   string   `json:"summary"`
	Todos     []string `json:"todos"`
	Condition string   `json:"invalidation_condition"`
	Generator string   `json:"generator"`
	Evidence  []string `json:"evidence"`
}

func (p register) Kinds() []engine.Kind {
	generator := func(engine.Reader, string) (string, error) { return version, nil }
	return []engine.Kind{{
		Name: "todo", Generator: generator, Path: storedIn, Load: p.load, Remove: p.remover(storedIn),
		Subjects: func(r engine.Reader) ([]string, error) { return goFiles(r, ".") },
		Owner: func(file string) (string, bool) {
			subject := strings.TrimSuffix(strings.TrimPrefix(file, ".causal/todos/"), ".json")
			return subject, file == storedIn(subject)
		},
	}, {
		Name: "page", Derived: true, Generator: generator, Path: pageOf, Load: p.loadPage, Remove: p.remover(pageOf),
		Subjects: func(engine.Reader) ([]string, error) { return []string{"todo"}, nil },
		Owner:    func(file string) (string, bool) { return "todo", file == pageOf("todo") },
	}}
}

func storedIn(file string) string { return ".causal/todos/" + file + ".json" }
func pageOf(name string) string   { return "docs/" + name + ".md" }

// goFiles lists the Go files below a directory. It is asked again when a directory that it read has other files.
func goFiles(r engine.Reader, dir string) (found []string, err error) {
	names, err := r.Read(fact.New(fact.Listings, dir))
	list, _ := names.([]string) // of a directory that is not there, nothing can be read
	for _, name := range list {
		switch {
		case path.Ext(name) == ".go":
			found = append(found, path.Join(dir, name))
		case strings.HasSuffix(name, "/"):
			below, failed := goFiles(r, path.Join(dir, name))
			found, err = append(found, below...), errors.Join(err, failed)
		}
	}
	return found, err
}

// find lists the TODOs of a file. Reading the file records it as evidence.
func find(r engine.Reader, file string) ([]string, error) {
	found := []string{}
	content, err := r.Read(fact.New(fact.Blobs, file))
	text, _ := content.([]byte)
	for line := range strings.Lines(string(text)) {
		if _, todo, ok := strings.Cut(line, "// TODO: "); ok {
			found = append(found, strings.ToValidUTF8(strings.TrimSpace(todo), "?"))
		}
	}
	return found, err
}

// TransformInput shows the TODOs of a file to the model. Pages need no model.
func (p register) TransformInput(in engine.Input, _ engine.CoreContext) (map[string]any, error) {
	if in.Unit.Kind == "page" {
		return nil, nil
	}
	found, err := find(in, in.Unit.Subject)
	return map[string]any{"todos": found}, err
}

// Draft sums up without a model, in the form that a model uses.
func (p register) Draft(slice map[string]any) (string, error) {
	list, _ := slice["todos"].([]any)
	return fmt.Sprintf(`{"summary":"%d left to do"}`, len(list)), nil
}

// ParseOutput takes a sentence from the answer, if it is one, and the facts from where they are.
func (p register) ParseOutput(raw string, in engine.Input, _ frame.Frame) (engine.Conclusion, error) {
	if in.Unit.Kind == "page" {
		return listAll(in)
	}
	var t todos
	if err := json.Unmarshal([]byte(raw), &t); err != nil || t.Summary == "" || len(t.Summary) > 200 || strings.ContainsAny(t.Summary, "\n<>") {
		return engine.Conclusion{}, fmt.Errorf("the answer about %s is no summary of at most 200 bytes: %.100q", in.Unit, raw)
	}
	found, err := find(in, in.Unit.Subject)
	wrong := engine.Vocabulary(enginetest.Words).Call("modified", in.Unit.Subject)
	return todos{Summary: t.Summary, Todos: found, Condition: wrong.String()}.conclusion(), err
}

func (t todos) conclusion() engine.Conclusion {
	return engine.Conclusion{
		Text: t.Summary, Body: t, Digest: fact.Digest(append([]string{t.Summary}, t.Todos...)...), Confidence: 1, Condition: t.Condition,
		Excerpts: map[string]string{"list": strings.Join(t.Todos, "\n- ")}, // all that the page rests on
	}
}

// listAll rests on which files there are and on their lists, and not on how those are summed up.
func listAll(r engine.Reader) (engine.Conclusion, error) {
	units, err := r.Read(engine.UnitsOf("todo"))
	files, _ := units.([]string)
	text := "# To do\n"
	for _, file := range files {
		list, failed := r.Read(engine.ExcerptOf(engine.Unit{Kind: "todo", Subject: file}, "list"))
		if err = errors.Join(err, failed); list != nil && list != "" {
			text += fmt.Sprintf("\n## %s\n\n- %s\n", file, list)
		}
	}
	return page(text), err
}

func page(text string) engine.Conclusion {
	return engine.Conclusion{Text: "a page", Body: text, Digest: fact.Digest(text), Confidence: 1, Condition: "evidence_changed()"}
}

// Store writes, and decides nothing.
func (p register) Store(c engine.Conclusion, _ frame.Frame) error {
	file, data := pageOf(c.Unit.Subject), []byte(fmt.Sprint(c.Body))
	if t, ok := c.Body.(todos); ok {
		t.Generator = c.Generator
		for _, o := range c.Evidence {
			t.Evidence = append(t.Evidence, o.String())
		}
		file = storedIn(c.Unit.Subject)
		data, _ = json.MarshalIndent(t, "", "  ") // strings always encode
	}
	_, err := p.files.Write(file, data)
	return err
}

// load reads what Store wrote, and says so when it is not that.
func (p register) load(_ engine.Reader, file string) (*engine.Conclusion, error) {
	data, err := p.files.Read(storedIn(file))
	if err != nil {
		return nil, nil
	}
	var t todos
	err = json.Unmarshal(data, &t)
	c := t.conclusion()
	c.Generator = t.Generator
	for _, text := range t.Evidence {
		o, failed := fact.Parse(text)
		c.Evidence, err = append(c.Evidence, o), errors.Join(err, failed)
	}
	if err != nil {
		c.Damaged = err.Error()
	}
	return &c, nil
}

// loadPage reads a page. Its evidence is not stored: without a cache, the page is rendered again and compared.
func (p register) loadPage(_ engine.Reader, name string) (*engine.Conclusion, error) {
	data, err := p.files.Read(pageOf(name))
	if err != nil {
		return nil, nil
	}
	c := page(string(data))
	return &c, nil
}

func (p register) remover(storedIn func(subject string) string) func(string) (engine.Removal, error) {
	return func(subject string) (engine.Removal, error) {
		_, err := p.files.Read(storedIn(subject))
		if err != nil {
			return engine.Removal{}, nil
		}
		return engine.Removal{Done: true}, p.files.Remove(storedIn(subject), ".causal")
	}
}

// Example is a whole plugin: the TODOs of each file, and a page that lists them all.
func Example() {
	dir, err := os.MkdirTemp("", "index")
	if err != nil {
		fmt.Println(err)
		return
	}
	defer os.RemoveAll(dir)
	repository := enginetest.NewRepository(dir, map[string]string{"a.go": "package a\n// TODO: say hello\n", "b/b.go": "package b\n"})
	defer repository.Close()
	update := func() {
		files := repository.Files()
		config, err := repository.Open(files, register{files})
		if err != nil {
			fmt.Println(err)
			return
		}
		report, err := engine.New(config).Update(context.Background())
		if err != nil {
			fmt.Println(err)
			return
		}
		fmt.Println("ran", report.Ran)
		for _, f := range report.Fell {
			fmt.Printf("- %s, by %s: %s\n", f.Unit, f.Reasons[0].Because, f.Reasons[0])
		}
	}
	update()
	repository.Write("b/b.go", "package b\n// TODO: say good-bye\n")
	update()
	repository.Write("b/b.go", "package b\n\nvar B int // TODO: say good-bye\n")
	update()
	update()
	page, _ := repository.Read("docs/todo.md")
	fmt.Println(page)
	// Output:
	// ran [page/todo todo/a.go todo/b/b.go]
	// - page/todo, by new: new
	// - todo/a.go, by new: new
	// - todo/b/b.go, by new: new
	// ran [page/todo todo/b/b.go]
	// - page/todo, by evidence_changed(): todo/b/b.go was re-evaluated
	// - todo/b/b.go, by modified("b/b.go"): b/b.go changed
	// ran [todo/b/b.go]
	// - todo/b/b.go, by modified("b/b.go"): b/b.go changed
	// ran []
	// # To do
	//
	// ## a.go
	//
	// - say hello
	//
	// ## b/b.go
	//
	// - say good-bye
}
