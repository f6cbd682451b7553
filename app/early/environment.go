package early

import (
	"os"
	"slices"
)

// Status are the arguments of git that make it tell all that differs from HEAD, as gitstore reads it.
func Status() []string {
	return []string{"status", "--porcelain=v2", "--branch", "-z", "--untracked-files=all", "--no-renames",
		"--ignore-submodules=all", "--no-ahead-behind"}
}

// Environment is the user's own, less what would change the meaning of our paths, and with what keeps git from asking
// questions and makes it speak one language. more is added; every variable is in it once.
func Environment(more ...string) []string {
	unattended := append(Unattended(), more...)
	env := slices.DeleteFunc(os.Environ(), func(v string) bool {
		name, _ := cut(v, '=')
		ours := func(o string) bool { other, _ := cut(o, '='); return other == name }
		return slices.Contains(pathspecs, name) || slices.ContainsFunc(unattended, ours)
	})
	return append(env, unattended...)
}

// pathspecs are the variables by which paths mean something else to git.
var pathspecs = []string{"GIT_GLOB_PATHSPECS", "GIT_NOGLOB_PATHSPECS", "GIT_ICASE_PATHSPECS"}

// Unattended keeps git from asking questions, and makes it speak one language.
func Unattended() []string {
	return []string{
		"LC_ALL=C", "LANGUAGE=", "GIT_TERMINAL_PROMPT=0", "GIT_ASKPASS=true", "GCM_INTERACTIVE=never", "GIT_PAGER=cat",
		"GIT_EDITOR=true", "GIT_LITERAL_PATHSPECS=1",
	}
}

// WithoutLocks makes a git that only reads leave the index as it is.
const WithoutLocks = "GIT_OPTIONAL_LOCKS=0"

// cut is strings.Cut, whose package is ready late.
func cut(s string, at byte) (before, after string) {
	for i := range len(s) {
		if s[i] == at {
			return s[:i], s[i+1:]
		}
	}
	return s, ""
}
