package cfamily

import (
	"path"
	"strings"

	"github.com/causaldocs/causal/knowledge/lazy"
	"github.com/causaldocs/causal/knowledge/lazyregexp"
)

var (
	makeAssign = lazyregexp.New(`^ *(?:export +|override +)?([\w.-]+)[ \t]*([?+!]|:{1,3})?=[ \t]*(.*)$`)
	makeRule   = lazyregexp.New(`^ *([^\s:=#][^:=#]*)::?(?:[^:=]|$)`)
	// makeName matches a variable reference, a function call or a shell variable.
	makeName    = lazyregexp.New(`\$\(([\w.-]+)\)|\$\{([\w.-]+)\}|\$.`)
	makeInstall = lazyregexp.New(`(?:^|/|\$[({])(?:g?install|cp|INSTALL\w*|CP)[)}]?$`)
	// makeBlock matches lines that look like rules or assignments but are not.
	makeBlock = lazyregexp.New(`^ *(?:ifn?eq|ifn?def|else|endif|-?include|sinclude|vpath|unexport|undefine)\b`)
)

// makefile lists the headers that a Makefile installs: arguments of install or cp in rules named install*, if the
// words expand to literals and the target is an include directory.
func makefile(dir, text string) []installed {
	lines := strings.Split(strings.ReplaceAll(text, "\\\n", " "), "\n")
	m := making{dir: dir, vars: map[string]string{}, left: mostExpanded}
	m.assign(lines)
	installing := false
	for _, line := range lines {
		command, recipe := strings.CutPrefix(line, "\t")
		if recipe && installing {
			m.recipe(command)
		} else if rule := makeRule.FindStringSubmatch(line); !recipe && rule != nil && !makeBlock.MatchString(line) {
			installing = false
			for _, target := range strings.Fields(rule[1]) {
				installing = installing || strings.HasPrefix(target, "install")
			}
		}
	}
	return m.out
}

// mostExpanded limits the bytes of variable expansion in one Makefile, because variables multiply.
const mostExpanded = 1 << 18

// mostPatterns limits the patterns of one Makefile, because each is matched against all headers of a directory.
const mostPatterns = 64

type making struct {
	dir      string
	vars     map[string]string // unambiguous variables made of words and other variables
	left     int               // remaining bytes for expansion
	patterns int
	out      []installed
}

func (m *making) assign(lines []string) {
	unsure, defining := map[string]bool{}, false
	for _, line := range lines {
		switch first, _, _ := strings.Cut(strings.TrimLeft(line, " "), " "); {
		case first == "define" || first == "endef":
			defining = first == "define"
			continue
		case defining || line == "" || line[0] == '\t':
			continue
		}
		a := makeAssign.FindStringSubmatch(line)
		if a == nil {
			continue
		}
		name, how := a[1], a[2]
		value, _, _ := strings.Cut(a[3], "#")
		value = strings.TrimSpace(value)
		before, set := m.vars[name]
		switch {
		case how == "!" || !plain(value) || set && how != "+" && before != value:
			unsure[name] = true
		case set && how == "+":
			value = before + " " + value
		}
		if len(value) <= m.left {
			m.vars[name] = value
			m.left -= len(value)
		}
	}
	for name := range unsure {
		delete(m.vars, name)
	}
}

func plain(value string) bool {
	for _, ref := range makeName.FindAllStringSubmatch(value, -1) {
		if ref[1] == "" && ref[2] == "" {
			return false
		}
	}
	return !strings.ContainsAny(value, "`\"'")
}

// expand replaces known variables recursively and leaves others.
func (m *making) expand(text string, depth int) string {
	var out strings.Builder
	end := 0
	for _, at := range makeName.FindAllStringSubmatchIndex(text, -1) {
		name := ""
		for group := 2; group <= 4; group += 2 {
			if at[group] >= 0 {
				name = text[at[group]:at[group+1]]
			}
		}
		value, known := m.vars[name]
		if m.left -= len(value) + 1; !known || depth == 0 || m.left < 0 {
			continue
		}
		out.WriteString(text[end:at[0]])
		out.WriteString(m.expand(value, depth-1))
		end = at[1]
	}
	out.WriteString(text[end:])
	return out.String()
}

const mostNested = 8

var (
	makeThen = lazy.Value[*strings.Replacer]{Make: func() *strings.Replacer {
		return strings.NewReplacer(";", "\n", "&&", "\n", "|", "\n")
	}}
	makeQuotes = lazy.Value[*strings.Replacer]{Make: func() *strings.Replacer { return strings.NewReplacer(`"`, "", "'", "") }}
)

func (m *making) recipe(line string) {
	where := m.dir
	for command := range strings.SplitSeq(makeThen.Get().Replace(line), "\n") {
		words := strings.Fields(m.expand(strings.TrimLeft(command, " \t@+-"), mostNested))
		for i, w := range words {
			if w[0] == '#' {
				words = words[:i]
				break
			}
			words[i] = makeQuotes.Get().Replace(w)
		}
		switch {
		case len(words) < 2 || m.left < 0:
		case words[0] == "cd" && !strings.ContainsAny(words[1], "$`"):
			where = path.Join(where, words[1])
		case words[0] == "cd":
			return
		case makeInstall.MatchString(words[0]):
			m.install(where, words[1:])
		}
	}
}

// install reads the arguments of install or cp.
func (m *making) install(where string, words []string) {
	var files []string
	to := ""
	for i := 0; i < len(words); i++ {
		switch w := words[i]; {
		case w == "-d" || w == "--directory":
			return
		case w == "-m" || w == "-o" || w == "-g" || w == "-S":
			i++
		case w == "-t" && i+1 < len(words):
			i++
			to = words[i]
		case w != "" && w[0] != '-':
			files = append(files, w)
		}
	}
	if to == "" && len(files) > 1 {
		to, files = files[len(files)-1], files[:len(files)-1]
	}
	at, ok := headersBelow(to)
	if !ok {
		return
	}
	for _, f := range files {
		f = strings.TrimPrefix(strings.TrimPrefix(f, "$(srcdir)/"), "${srcdir}/")
		if !header(f) || path.Ext(f) == "" || strings.ContainsAny(f, "$`[?\\") || len(m.out) == mostInstalled {
			continue
		}
		one := installed{path: path.Join(where, f), at: at}
		if strings.HasPrefix(path.Ext(at), ".h") { // the target is a file, not a directory
			if path.Base(at) != path.Base(f) {
				continue
			}
			one.at = strings.TrimSuffix(strings.TrimSuffix(at, path.Base(at)), "/")
		}
		if strings.Contains(f, "*") {
			if m.patterns++; m.patterns > mostPatterns || strings.Contains(path.Dir(f), "*") {
				continue
			}
			one.path, one.pattern = path.Dir(one.path), path.Base(f)
		}
		m.out = append(m.out, one)
	}
}

// headersBelow returns the part of an install path below the include directory: "shop" for
// $(DESTDIR)$(PREFIX)/include/shop.
func headersBelow(to string) (string, bool) {
	parts := strings.Split(to, "/")
	for i, part := range parts {
		named := part == "include" && i > 0 && (parts[0] == "" || strings.Contains(parts[0], "$"))
		if lower := strings.ToLower(part); named || strings.HasSuffix(lower, "$(includedir)") || strings.HasSuffix(lower, "${includedir}") {
			at := path.Join(parts[i+1:]...)
			return at, !strings.ContainsAny(at, "$`*")
		}
	}
	return "", false
}
