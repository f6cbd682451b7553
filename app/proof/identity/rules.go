package main

import (
	"fmt"
	"go/ast"
	"go/parser"
	"go/token"
	"path"
	"regexp"
	"strings"

	"github.com/causaldocs/causal/knowledge/fact"
	"github.com/causaldocs/causal/review/change"
	"github.com/causaldocs/causal/review/finding"
	"github.com/causaldocs/causal/review/match"
)

// rules are what a linter could dislike, one finding a line. Those that are narrow tell which part of it.
var rules = []struct {
	name    string
	pattern *regexp.Regexp
	narrow  bool
}{
	{"todo", regexp.MustCompile(`\b(TODO|FIXME|XXX|HACK)\b`), false},
	{"returns-nothing", regexp.MustCompile(`\breturn (nil|None|null|undefined|NULL)\b`), false},
	{"bare-error", regexp.MustCompile(`\breturn (.*, )?err$|\braise$|\bthrow \w+;`), false},
	{"discards", regexp.MustCompile(`\b_ :?= |, _ :?= |\(void\)`), false},
	{"prints", regexp.MustCompile(`\b(fmt\.Print\w*|print|println|console\.\w+|log\.\w+|printf|eprintln!)\(.*`), true},
	{"dies", regexp.MustCompile(`\b(panic|unreachable|abort|exit|os\.Exit|log\.Fatal\w*|sys\.exit)!?\(.*`), true},
	{"number", regexp.MustCompile(`[^\w."'#-]\d{2,}\b`), true},
	{"negation", regexp.MustCompile(`\bif \(?(!|not )`), false},
	{"long", regexp.MustCompile(`^.{120,}`), false},
	{"empty", regexp.MustCompile(`(==|!=|:?=) *(""|'')`), true},
	{"any", regexp.MustCompile(`\b(interface\{\}|any|Any|Object|void \*)`), true},
	{"sleeps", regexp.MustCompile(`\b[sS]leep\(`), true},
}

// sources are the files that are looked at.
var sources = regexp.MustCompile(`\.(go|py|js|ts|tsx|java|rs|c|h|cc|cpp)$`)

// largest is how many bytes a file may have: larger ones are made by programs.
const largest = 1 << 20

// version is one version of a file with what the rules find in it.
type version struct {
	lines []string
	found []finding.Finding
}

// look applies the rules.
func look(name, blob string, content []byte) version {
	v := version{lines: change.Split(content)}
	text, symbols := match.NewText(name, v.lines, blob), symbolsOf(name, content)
	for i, line := range v.lines {
		for _, rule := range rules {
			at := rule.pattern.FindStringIndex(line)
			if at == nil {
				continue
			}
			f := finding.Finding{Rule: "rules/" + rule.name, Path: name, Line: i + 1, EndLine: i + 1, Side: finding.Right, Symbol: symbols[i+1]}
			if f.Message = "Found " + strings.TrimSpace(line[at[0]:at[1]]) + "."; rule.narrow {
				f.Flagged = line[at[0]:at[1]]
			}
			text.Fill(&f)
			v.found = append(v.found, f)
		}
	}
	return v
}

// symbolsOf names the declaration of each line of a Go file, as a reader of the language does. Other files have none here.
func symbolsOf(name string, content []byte) map[int]string {
	if path.Ext(name) != ".go" {
		return nil
	}
	files, of := token.NewFileSet(), map[int]string{}
	parsed, err := parser.ParseFile(files, name, content, parser.SkipObjectResolution)
	if err != nil {
		return nil
	}
	for _, d := range parsed.Decls {
		f, ok := d.(*ast.FuncDecl)
		if !ok {
			continue
		}
		symbol := f.Name.Name
		if f.Recv != nil && len(f.Recv.List) == 1 {
			symbol = strings.TrimLeft(fmt.Sprint(receiver(f.Recv.List[0].Type)), "*") + "." + symbol
		}
		for line := files.Position(d.Pos()).Line; line <= files.Position(d.End()).Line; line++ {
			of[line] = symbol
		}
	}
	return of
}

func receiver(e ast.Expr) string {
	switch e := e.(type) {
	case *ast.StarExpr:
		return receiver(e.X)
	case *ast.IndexExpr:
		return receiver(e.X)
	case *ast.Ident:
		return e.Name
	}
	return ""
}

// schemes are what other tools know a finding by.
var schemes = []struct {
	name string
	keys func(v version) []string
}{
	{"by line hash (as code scanning)", lineHashes},
	{"by position (as a linter's log)", positions},
}

// span is how many characters a line's hash covers, white space aside, from its beginning on and into the lines that follow.
const hashed = 100

// lineHashes are rule, path, the text from the line on, and how often that came before.
func lineHashes(v version) []string {
	keys, seen := make([]string, len(v.found)), map[string]int{}
	for i, f := range v.found {
		var b strings.Builder
		for _, line := range v.lines[f.Line-1:] {
			if b.WriteString(strings.Join(strings.Fields(line), "")); b.Len() >= hashed {
				break
			}
		}
		text := b.String()
		key := fact.Digest(f.Rule, f.Path, text[:min(len(text), hashed)])
		seen[key]++
		keys[i] = fmt.Sprint(key, ":", seen[key])
	}
	return keys
}

// positions are rule, path, message, line and column.
func positions(v version) []string {
	keys := make([]string, len(v.found))
	for i, f := range v.found {
		keys[i] = fact.Digest(f.Rule, f.Path, f.Message, fmt.Sprint(f.Line, strings.Index(v.lines[f.Line-1], f.Flagged)))
	}
	return keys
}
