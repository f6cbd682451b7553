package stale

import (
	"fmt"
	"path"
	"regexp"
	"slices"
	"strings"

	"github.com/causaldocs/causal/knowledge/condition"
	"github.com/causaldocs/causal/knowledge/survey"
	"github.com/causaldocs/causal/review/change"
	"github.com/causaldocs/causal/review/finding"
)

// References finds the removed names in a document's code spans and fences, and links to removed files. It reports
// each name once per line.
func References(r survey.Reader, doc string, names []Name) ([]finding.Finding, error) {
	content, err := survey.Blob(r, doc)
	if err != nil || content == nil {
		return nil, err
	}
	pieces, ok := piecesOf(doc, content)
	if !ok {
		return nil, nil
	}
	d := newDocument(r, pieces, doc)
	var out []finding.Finding
	for _, n := range names {
		found, err := d.find(n)
		if err != nil {
			return nil, err
		}
		out = append(out, found...)
	}
	slices.SortStableFunc(out, finding.Compare)
	return out, nil
}

// piecesOf lists the code of a document, or the lines of a setting file that pass values.
func piecesOf(doc string, content []byte) (pieces []piece, ok bool) {
	if change.IsDocument(doc) {
		return codeOf(content)
	}
	passed, _ := change.Passed(doc, content)
	for i, line := range change.Split(passed) {
		if line != "" {
			pieces = append(pieces, piece{text: line, line: i + 1, fenced: true})
		}
	}
	return pieces, true
}

type document struct {
	survey.Reader
	pieces []piece
	path   string
	having map[string][]int // indexes of the pieces that contain a word
	looks  int              // remaining search steps
}

// Limits of the search. A hand-written document takes a thousandth of them.
const (
	longestCodeLine = 4096 // in bytes
	mostLooks       = 1 << 20
	aroundLooks     = 1 << 9 // cost of reading the sentence around a span
)

func newDocument(r survey.Reader, pieces []piece, doc string) *document {
	d := &document{r, pieces, doc, map[string][]int{}, mostLooks}
	for i, p := range pieces {
		if len(p.text) > longestCodeLine {
			continue
		}
		for word := range strings.FieldsFuncSeq(p.text, func(c rune) bool { return c < 0x80 && !change.IsWord(byte(c)) }) {
			if list := d.having[word]; len(list) == 0 || list[len(list)-1] != i {
				d.having[word] = append(list, i)
			}
		}
	}
	return d
}

// with lists the pieces that contain the longest word of n.
func (d *document) with(n Name) []int {
	longest, text := "", n.Text
	if n.Kind == Path {
		text = path.Base(text)
	}
	for word := range strings.FieldsFuncSeq(text, func(c rune) bool { return c < 0x80 && !change.IsWord(byte(c)) }) {
		if len(word) > len(longest) {
			longest = word
		}
	}
	list := d.having[longest]
	if d.looks -= len(list); d.looks < 0 {
		return nil
	}
	return list
}

func (d *document) find(n Name) ([]finding.Finding, error) {
	pieces := d.with(n)
	if n.Kind == Symbol && d.declares(n, pieces) || n.Kind == Flag && d.quotes(n.Text, pieces) {
		return nil, nil
	}
	var out []finding.Finding
	for _, i := range pieces {
		p := d.pieces[i]
		if p.indent || len(out) > 0 && out[len(out)-1].Line == p.line {
			continue
		}
		names, err := d.names(i, n)
		if err != nil {
			return nil, err
		}
		if !names {
			continue
		}
		if d.looks -= aroundLooks; d.looks < 0 {
			return out, nil
		}
		if !p.gone() {
			out = append(out, d.tell(n, p.line))
		}
	}
	return out, nil
}

func (d *document) tell(n Name, line int) finding.Finding {
	conditions := []condition.Condition{untilModified(d.path)}
	if n.Kind == Symbol {
		conditions = append(conditions, vocabulary.Call("symbol_changed", n.Module, n.Symbol))
	} else {
		conditions = append(conditions, untilModified(n.Path))
	}
	what, shown := string(n.Kind), n.Text
	if n.Kind == Flag {
		shown = "--" + n.Text
	}
	message := fmt.Sprintf("This text names the %s %s, which this change removed from %s; it no longer exists in the code.", what, shown, n.Path)
	kind := what + " removed"
	switch {
	case n.Kind == Path && n.Now != "":
		message, kind = fmt.Sprintf("This text names the file %s, which this change renamed to %s.", shown, n.Now), what+" renamed"
	case n.Kind == Path:
		message = fmt.Sprintf("This text names the file %s, which this change removed.", shown)
	case n.Now != "":
		message, kind = fmt.Sprintf("This text names the %s %s, which this change renamed to %s.", what, shown, n.Now), what+" renamed"
	}
	symbol := n.Symbol
	if symbol == "" {
		symbol = shown
	}
	return finding.Finding{
		Rule: ReferenceRule, Category: finding.DocsDrift, Severity: finding.Warning, Path: d.path, Line: line, EndLine: line, Side: finding.Right,
		Symbol: symbol, Message: message, Change: kind, Condition: condition.Any(conditions...).String(),
	}
}

func (d *document) names(i int, n Name) (bool, error) {
	p := d.pieces[i]
	if p.link {
		return n.Kind == Path && d.leadsTo(p.text, n.Text), nil
	}
	switch n.Kind {
	case Flag:
		return namesFlag(d.command(i), p, n.Text), nil
	case Variable:
		return namesVariable(p, n.Text), nil
	case Path:
		return d.namesFile(p.text, n.Text)
	}
	return namesSymbol(p, n), nil
}

// quotes reports whether a code block contains a flag in quotes, as examples that declare a flag do.
func (d *document) quotes(flag string, pieces []int) bool {
	return slices.ContainsFunc(pieces, func(i int) bool {
		return d.pieces[i].fenced && quoted(flag).MatchString(d.pieces[i].text)
	})
}

func quoted(flag string) *regexp.Regexp {
	return regexp.MustCompile("[\"'`]-{0,2}" + regexp.QuoteMeta(flag) + "[\"'`]")
}

func (d *document) command(i int) string {
	line := d.pieces[i].text
	for i > 0 && d.pieces[i].fenced && d.pieces[i-1].fence == d.pieces[i].fence && strings.HasSuffix(d.pieces[i-1].text, `\`) && len(line) < 4096 {
		i--
		line = strings.TrimSuffix(d.pieces[i].text, `\`) + " " + line
	}
	return line
}

// elsewhere lists programs of other projects, which may have flags of the same name.
var elsewhere = []string{
	"git", "gh", "hub", "docker", "podman", "docker-compose", "kubectl", "helm", "kind", "minikube", "npm", "npx", "yarn", "pnpm", "bun", "bunx", "deno", "node",
	"go", "cargo", "rustup", "rustc", "pip", "pip3", "pipx", "uv", "uvx", "poetry", "python", "python3", "pytest", "tox", "brew", "apt", "apt-get", "apk", "dnf", "yum",
	"curl", "wget", "make", "cmake", "ninja", "bazel", "gcc", "clang", "mvn", "gradle", "java", "javac", "tsc", "eslint", "jest", "vitest", "terraform", "aws", "gcloud", "az",
	"ssh", "rsync", "tar", "grep", "find", "sed", "ls", "systemctl", "journalctl", "psql", "mysql", "redis-cli", "openssl", "ffmpeg",
}

// namesFlag reports whether a piece names a flag of the project. In a command of an unknown program, the flag must
// contain a hyphen. A single word such as --verbose counts only at the beginning.
func namesFlag(command string, p piece, flag string) bool {
	for from := 0; ; {
		at := change.WordAt(p.text, flag, from)
		if at < 0 {
			return false
		}
		end := at + len(flag)
		from = end
		dashes := strings.TrimRight(p.text[:at], "-")
		if n := at - len(dashes); n != 1 && n != 2 || dashes != "" && strings.IndexByte(" \t[(|,", dashes[len(dashes)-1]) < 0 {
			continue
		}
		if end < len(p.text) && strings.IndexByte("-./:", p.text[end]) >= 0 {
			continue
		}
		if strings.TrimSpace(dashes) == "" && (!p.fenced || strings.TrimSpace(command) == strings.TrimSpace(p.text)) {
			return true
		}
		if strings.Contains(flag, "-") && !slices.Contains(elsewhere, program(command)) {
			return true
		}
	}
}

func program(command string) string {
	for word := range strings.FieldsSeq(command) {
		if word == "$" || word == "#" || word == ">" || word == "%" || word == "sudo" || word == "exec" || word == "env" || strings.Contains(word, "=") {
			continue
		}
		return path.Base(word)
	}
	return ""
}

// namesVariable reports whether a piece names an environment variable. A name without an underscore needs the syntax
// of a variable.
func namesVariable(p piece, name string) bool {
	for from := 0; ; {
		at := change.WordAt(p.text, name, from)
		if at < 0 {
			return false
		}
		from = at + len(name)
		dollar := at > 0 && (p.text[at-1] == '$' || strings.HasSuffix(p.text[:at], "${"))
		if strings.Contains(name, "_") || dollar || strings.HasPrefix(p.text[from:], "=") || !p.fenced && strings.TrimSpace(p.text) == name {
			return true
		}
	}
}

// namesFile reports whether a text names a removed file, relative to the root or to the document's directory, and no
// existing file matches from a directory between. Import paths do not count.
func (d *document) namesFile(text, file string) (bool, error) {
	if imports.MatchString(text) {
		return false, nil
	}
	for word := range strings.FieldsFuncSeq(text, func(c rune) bool {
		return c < 0x80 && !change.IsWord(byte(c)) && !strings.ContainsRune("./@+-:~$*{}<>", c)
	}) {
		word = strings.TrimPrefix(strings.TrimRight(word, ".:"), "./")
		if !strings.Contains(word, "/") || path.Base(word) != path.Base(file) || strings.ContainsAny(word, ":~$*{}<>") || path.IsAbs(word) {
			continue
		}
		means := false
		for dir := path.Dir(d.path); ; dir = path.Dir(dir) {
			at := path.Join(dir, word)
			means = means || at == file && (dir == "." || dir == path.Dir(d.path))
			there, err := survey.Exists(d, at)
			if err != nil {
				return false, err
			}
			if there {
				means = false
				break
			}
			if dir == "." {
				break
			}
		}
		if means {
			return true, nil
		}
	}
	return false, nil
}
