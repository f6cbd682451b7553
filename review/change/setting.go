package change

import (
	"bytes"
	"path"
	"strings"

	"github.com/causaldocs/causal/knowledge/lazyregexp"
)

// settings are the kinds of files that only pass values to a program, with the lines that do so. Their first group is
// a variable.
var settings = []struct{ file, line *lazyregexp.Regexp }{
	{lazyregexp.New(`^(.+\.)?(Dockerfile|Containerfile)(\..+)?$`), lazyregexp.New(`^\s*(?:(?:ENV|ARG)\s+)?([A-Z][A-Z0-9]*_[A-Z0-9_]*)(?:=\S*|\s+\S+)\s*\\?$`)},
	{lazyregexp.New(`^(.*\.)?env(\.(example|sample|template|dist))?$`), lazyregexp.New(`^(?:export\s+)?([A-Z][A-Z0-9]*_[A-Z0-9_]*)=`)},
	{lazyregexp.New(`^(docker-)?compose([.-].*)?\.ya?ml$`), lazyregexp.New(`^\s+(?:-\s*)?["']?([A-Z][A-Z0-9]*_[A-Z0-9_]*)\s*(?:=|["']?\s*:\s)`)},
}

// started matches the line that starts the program of an image.
var started = lazyregexp.New(`^(?:CMD|ENTRYPOINT)\s+([^$]*)$`)

// general matches variables that frameworks, services and tools read, too.
var general = lazyregexp.New(`^(FLASK|DJANGO|RAILS|GIN|SENTRY|OTEL|AWS|GOOGLE|AZURE|GUNICORN|UVICORN|POSTGRES|PG|MYSQL|MARIADB|MONGO|REDIS|NODE|NPM|NEXT|VITE|REACT|` +
	`PYTHON|PIP|UV|POETRY|SPRING|JAVA|JVM|MAVEN|GRADLE|ASPNETCORE|DOTNET|CARGO|RUST|GO|CGO|LC|XDG|DATABASE|MAIL|SMTP|WEB|LD|DEBIAN|S6|COMPOSE|DOCKER)_`)

var builds, images = lazyregexp.New(`(?m)^\s+build:`), lazyregexp.New(`(?m)^\s+image:`)

// IsSetting reports whether a file passes values to the project's program and contains no code.
func IsSetting(file string) bool { return settingOf(file) >= 0 && Excluded(file) == "" }

func settingOf(file string) int {
	for i, s := range settings {
		if s.file.MatchString(path.Base(file)) {
			return i
		}
	}
	return -1
}

// Passed separates the lines of a setting file that pass a value to the project's program from the others; both have
// empty lines for the rest. Other files pass nothing.
func Passed(file string, text []byte) (passed, rest []byte) {
	kind := settingOf(file)
	compose := kind == len(settings)-1
	if kind < 0 || !IsSetting(file) || compose && len(builds.FindAllString(string(text), -1)) < max(1, len(images.FindAllString(string(text), -1))) {
		return nil, text // a service of another project may read the variables
	}
	var set, other bytes.Buffer
	for line := range strings.Lines(string(text)) {
		line = strings.TrimRight(line, "\r\n")
		into, shown := &other, line
		m := settings[kind].line.FindStringSubmatch(line)
		if m != nil && !general.MatchString(m[1]) && !strings.Contains(strings.ReplaceAll(line, "${"+m[1], ""), "$") {
			into = &set
		} else if c := started.FindStringSubmatch(line); c != nil && kind == 0 {
			into, shown = &set, strings.NewReplacer(`"`, " ", "[", " ", "]", " ", ",", " ").Replace(c[1])
		}
		into.WriteString(shown)
		set.WriteByte('\n')
		other.WriteByte('\n')
	}
	return set.Bytes(), other.Bytes()
}
