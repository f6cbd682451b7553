package cli_test

import (
	"os"
	"slices"
	"strings"
)

func (m *machine) commitAll() { m.commit("Something happened") }

func (m *machine) branch() {
	_, _ = m.tryGit("switch", "--quiet", "--create", pick(m, "name", "left", "right"))
}

// switchTo switches the branch, with the uncommitted changes if git allows it.
func (m *machine) switchTo() {
	to := pick(m, "branch", "main", "left", "right", "HEAD~1")
	if _, err := m.tryGit("switch", "--quiet", "--detach", to); err != nil {
		_, _ = m.tryGit("switch", "--quiet", "--force", "--detach", to)
	}
	if !strings.HasPrefix(to, "HEAD") {
		_, _ = m.tryGit("switch", "--quiet", to)
	}
}

// merge brings another branch in. Conflicts are resolved to one side; in files that causal wrote, the markers may
// stay.
func (m *machine) merge() {
	m.commitAll()
	if _, err := m.tryGit("merge", "--quiet", "--no-edit", pick(m, "branch", "main", "left", "right")); err == nil {
		return
	}
	if rapidBool(m, "update amid conflicts") {
		m.run("update")
	}
	m.resolve()
	m.commitAll()
}

func (m *machine) revert() {
	m.commitAll()
	if _, err := m.tryGit("revert", "--no-edit", pick(m, "commit", "HEAD", "HEAD~1", "HEAD~2")); err == nil {
		return
	}
	m.resolve()
	m.commitAll()
}

// conflicted lists the files that git could not merge.
func (m *machine) conflicted() []string {
	var out []string
	for _, line := range m.list("status", "--porcelain", "-z", "--untracked-files=no") {
		if len(line) > 3 && slices.Contains([]string{"UU", "AA", "DU", "UD", "AU", "UA", "DD"}, line[:2]) {
			out = append(out, line[3:])
		}
	}
	return out
}

func (m *machine) resolve() {
	side := pick(m, "side", "--ours", "--theirs", "")
	for _, name := range m.conflicted() {
		if content, err := os.ReadFile(m.path(name)); side == "" && derived(name) && err == nil && !strings.Contains(string(content), "causal:keep") {
			continue
		}
		take := side
		if take == "" {
			take = "--ours"
		}
		if _, err := m.tryGit("checkout", take, "--", name); err != nil {
			m.remove(name)
		}
	}
}

func (m *machine) reset() {
	_, _ = m.tryGit("reset", "--quiet", pick(m, "mode", "--hard", "--mixed"), pick(m, "commit", "HEAD", "HEAD~1"))
}

// stash stashes the uncommitted changes, may update, and restores them.
func (m *machine) stash() {
	if out, err := m.tryGit("stash", "push", "--quiet", "--include-untracked"); err != nil || strings.Contains(out, "No local changes") {
		return
	}
	if rapidBool(m, "update in between") {
		m.refresh()
	}
	if rapidBool(m, "bring it back") {
		if _, err := m.tryGit("stash", "pop", "--quiet"); err != nil {
			m.resolve()
			_, _ = m.tryGit("reset", "--quiet")
		}
	}
	_, _ = m.tryGit("stash", "clear")
}

func rapidBool(m *machine, what string) bool { return pick(m, what, false, true) }

// editNode edits a node by hand, so its digest is wrong or it is not a node.
func (m *machine) editNode() {
	name, ok := m.own(".causal/nodes")
	if !ok {
		return
	}
	text := m.read(name)
	switch pick(m, "how", "purpose", "half", "nothing", "path", "foreign") {
	case "purpose":
		m.write(name, strings.Replace(text, "purpose: ", "purpose: not ", 1))
	case "half":
		m.write(name, text[:len(text)/2])
	case "nothing":
		m.write(name, "")
	case "path":
		m.write(name, strings.Replace(text, "\npath: ", "\npath: x", 1))
	case "foreign":
		m.write(".causal/nodes/x/y.yml", text)
	}
}

func (m *machine) editPage() {
	name, ok := m.own("docs/causal")
	if !ok {
		return
	}
	text := m.read(name)
	if strings.Contains(text, "causal:keep") {
		return
	}
	switch pick(m, "how", "more", "half", "word", "foreign") {
	case "more":
		m.write(name, text+"\nSomebody's words.\n")
	case "half":
		m.write(name, text[:max(len(text)/2, min(len(text), 400))])
	case "word":
		m.write(name, strings.ReplaceAll(text, "Files", "Flies"))
	case "foreign":
		m.write("docs/causal/modules/x/y.md", text)
	}
}

// own draws one of the files that causal wrote below a directory.
func (m *machine) own(dir string) (string, bool) {
	var names []string
	for name := range m.files(dir) {
		names = append(names, name)
	}
	if len(names) == 0 {
		return "", false
	}
	slices.Sort(names)
	return pick(m, "own file", names...), true
}

func (m *machine) deleteKnowledge() {
	switch pick(m, "what", "node", "page", "nodes", "pages", "frames") {
	case "node":
		if name, ok := m.own(".causal/nodes"); ok {
			m.remove(name)
		}
	case "page":
		if name, ok := m.own("docs/causal"); ok && !strings.Contains(m.read(name), "causal:keep") {
			m.remove(name)
		}
	case "nodes":
		m.remove(".causal/nodes")
	case "pages":
		m.remove("docs")
	case "frames":
		m.remove(".causal/frames")
	}
}

// keep writes a person's words into a page, at the end of one of its sections.
func (m *machine) keep() {
	name, ok := m.own("docs/causal")
	if !ok {
		return
	}
	text := m.read(name)
	id := pick(m, "id", "one", "two")
	if strings.Contains(text, "causal:keep "+id+" ") {
		return
	}
	block := "<!-- causal:keep " + id + " -->\n## Words\n\n  of  a person \n<!-- /causal:keep -->\n"
	if at := strings.Index(text, "\n"+pick(m, "before", "## Files", "## Public API", "<details", "## Modules")); at >= 0 {
		m.write(name, text[:at+1]+block+"\n"+text[at+1:])
	} else {
		m.write(name, text+"\n"+block)
	}
}

func (m *machine) loseIndex() {
	if rapidBool(m, "all of it") {
		m.remove(".git/causal")
	} else {
		m.write(".git/causal/index.db", "no index")
	}
}
