package enginetest_test

import (
	"testing"

	"github.com/causaldocs/causal/knowledge/engine"
	"github.com/causaldocs/causal/knowledge/engine/enginetest"
)

var (
	todoFiles = map[string]string{
		"README.md": "a project\n", "a.go": "package a\n// TODO: say hello\n", "b/b.go": "package b\n", "b/c/c.go": "package c\n// TODO: one\n// TODO: two\n",
		"odd \"\xff/x.go": "package x\n// TODO: \xff\n",
	}
	todoEdits = []enginetest.Edit{
		{Name: "what nobody reads", Files: map[string]string{"README.md": "another project\n", "b/notes.txt": "// TODO: no code\n"}},
		{Name: "something else to do", Files: map[string]string{"b/b.go": "package b\n// TODO: say good-bye\n"}, Ran: []string{"page/todo", "todo/b/b.go"}},
		{Name: "nothing to do with it", Files: map[string]string{"b/b.go": "package b\n\nvar B int // TODO: say good-bye\n"}, Ran: []string{"todo/b/b.go"}},
		{Name: "a file more", Files: map[string]string{"d/e/e.go": "package e\n// TODO: begin\n"}, Ran: []string{"page/todo", "todo/d/e/e.go"}},
		{Name: "a file less", Gone: []string{"a.go"}, Ran: []string{"page/todo"}, Removed: []string{"todo/a.go"}},
		{Name: "a file that moves", Gone: []string{"b/c/c.go"}, Files: map[string]string{"c.go": "package c\n// TODO: one\n// TODO: two\n"}, Ran: []string{"page/todo", "todo/c.go"}, Removed: []string{"todo/b/c/c.go"}},
		{Name: "all is done", Files: map[string]string{"b/b.go": "package b\n"}, Ran: []string{"page/todo", "todo/b/b.go"}},
	}
)

func TestTheExamplePassesTheSuite(t *testing.T) {
	t.Parallel()
	enginetest.Run(t, func(t testing.TB) enginetest.Subject {
		return enginetest.InMemory(t, todoFiles, func(files engine.Files) []engine.Plugin { return []engine.Plugin{register{files}} }, todoEdits...)
	})
}
