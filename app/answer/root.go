package answer

import (
	"context"
	"slices"
	"strconv"
	"strings"

	"github.com/causaldocs/causal/app/workspace"
	"github.com/causaldocs/causal/knowledge/lazyregexp"
	"github.com/causaldocs/causal/knowledge/lexical"
	"github.com/causaldocs/causal/knowledge/markdown"
)

// rootFiles are files at the root that state what questions are about: the words of such a question, of which it has the first, and the
// line that is quoted.
var rootFiles = []struct {
	name, words string
	line        *lazyregexp.Regexp
}{
	{"pyproject.toml", licensed, licenseKey}, {"package.json", licensed, licenseKey}, {"Cargo.toml", licensed, licenseKey}, {"composer.json", licensed, licenseKey},
	{"LICENSE", licensed, licenseName}, {"LICENSE.md", licensed, licenseName}, {"LICENSE.txt", licensed, licenseName}, {"LICENCE", licensed, licenseName},
	{"LICENSE-MIT", licensed, licenseName}, {"LICENSE-APACHE", licensed, licenseName}, {"COPYING", licensed, licenseName}, {"COPYING.md", licensed, licenseName},
	{"Dockerfile", "docker image container", lazyregexp.New(`^(?i:from)\s`)},
	{"pyproject.toml", "python" + version, lazyregexp.New(`^(?:requires-python|python)\s*=`)}, {"setup.cfg", "python" + version, lazyregexp.New(`^python_requires`)},
	{"setup.py", "python" + version, lazyregexp.New(`^\s*python_requires\s*=`)}, {"go.mod", "go" + version, lazyregexp.New(`^go\s`)},
	{"package.json", "node" + version, lazyregexp.New(`^\s*"node"\s*:`)}, {"Cargo.toml", "rust" + version, lazyregexp.New(`^(?:rust-version|edition)\s*=`)},
	{"composer.json", "php" + version, lazyregexp.New(`^\s*"php"\s*:`)},
	{"pom.xml", "java" + version, lazyregexp.New(`<(?:java\.version|maven\.compiler\.(?:source|target|release)|release)>`)},
	{"build.gradle", "java" + version, javaVersion}, {"build.gradle.kts", "java" + version, javaVersion},
}

const (
	licensed = "license licence"
	version  = " version minimum language"
)

var (
	licenseKey  = lazyregexp.New(`^\s*"?license"?\s*[=:]\s*(?:\{\s*text\s*=\s*)?["']`)
	licenseName = lazyregexp.New(`(?i)\blicen[sc]e\b`)
	javaVersion = lazyregexp.New(`sourceCompatibility|languageVersion|jvmToolchain`)
)

// InRoot returns the line of a file at the root that states what a question with these terms asks for.
func InRoot(ctx context.Context, e *workspace.Knowledge, terms []string, most int) (out []Hit, err error) {
	for _, f := range rootFiles {
		words := lexical.Terms(f.words)
		if first := words[0]; len(out) == most || !slices.Contains(terms, first) && !(f.words == licensed && slices.Contains(terms, words[1])) ||
			slices.ContainsFunc(terms, func(t string) bool { return !slices.Contains(words, t) }) {
			continue
		}
		lines, err := linesOf(ctx, e, f.name)
		if err != nil {
			return nil, err
		}
		if i := slices.IndexFunc(lines, f.line.MatchString); i >= 0 {
			at := f.name + ":" + strconv.Itoa(i+1)
			out = append(out, Hit{Kind: "file", Target: f.name, Text: markdown.Words(strings.TrimLeft(strings.TrimSpace(lines[i]), "#->* ")), At: at})
		}
	}
	return out, nil
}

// mostOfRoot is how many lines of a file are read at once.
const mostOfRoot = 400
