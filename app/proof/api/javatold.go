package main

import (
	"context"
	_ "embed"
	"os"
	"os/exec"
	"path/filepath"
	"regexp"
	"strings"
)

//go:embed Told.java
var toldJava string

// javaTold returns signatures and comments of public elements from the compiler.
func javaTold(ctx context.Context, place string, files []string) (map[string]telling, error) {
	program := filepath.Join(place, "Told.java")
	if err := os.WriteFile(program, []byte(toldJava), 0o600); err != nil {
		return nil, err
	}
	told, err := told(exec.CommandContext(ctx, "java", append([]string{program}, files...)...)) //nolint:gosec // the directory is the user's argument
	for name, t := range told {
		t.signature = javaForms(t.signature)
		told[name] = t
	}
	return told, err
}

// javaSignature are the heads of a method, as javaTold has them.
func javaSignature(s *symbol) string { return javaForms(s.Signature) }

func javaForms(text string) string {
	var out []string
	for line := range strings.Lines(text) {
		if form := javaForm(strings.TrimSpace(line)); form != "" {
			out = append(out, form)
		}
	}
	return inOrder(out)
}

var (
	javaAnnotation = regexp.MustCompile(`@[\w.]+(?:\((?:[^()"]|"(?:[^"\\]|\\.)*")*\))?\s*`)
	javaModifier   = regexp.MustCompile(`\b(?:public|protected|private|static|final|abstract|default|synchronized|native|strictfp) `)
	javaPackage    = regexp.MustCompile(`(?:\w+\.)+(\w)`)
	lastWord       = regexp.MustCompile(`(\w+)((?:\[\])*)$`)
	throws         = regexp.MustCompile(`^ ?throws [\w., ]+`)
)

// javaForm normalizes a method signature: result, parameters and exceptions, with simple type names. It returns "" for other declarations.
func javaForm(line string) string {
	line = javaModifier.ReplaceAllString(javaAnnotation.ReplaceAllString(line, ""), "")
	head, rest, ok := strings.Cut(line, "(")
	if !ok {
		return ""
	}
	if generic, ok := strings.CutPrefix(head, "<"); ok {
		_, head = javaLists.split(generic)
	}
	parts, after := javaLists.split(rest)
	for i, p := range parts {
		parts[i] = lastWord.ReplaceAllString(p, "$2 $1") // move array brackets before the name
	}
	form := lastWord.ReplaceAllString(head, "") + "(" + strings.Join(parts, ",") + ")" + throws.FindString(after)
	return strings.Join(strings.Fields(javaPackage.ReplaceAllString(form, "$1")), "")
}
