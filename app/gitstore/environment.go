package gitstore

import (
	"os"
	"slices"
	"strings"
)

func statusArguments() []string {
	return []string{"status", "--porcelain=v2", "--branch", "-z", "--untracked-files=all", "--no-renames",
		"--ignore-submodules=all", "--no-ahead-behind"}
}

// Environment returns the environment of a git process: the current one without variables that change the meaning of
// paths, and with settings that prevent prompts and localized output. Each variable occurs once.
func Environment() []string {
	asked := unattended()
	env := slices.DeleteFunc(os.Environ(), func(v string) bool {
		name, _, _ := strings.Cut(v, "=")
		ours := func(o string) bool { other, _, _ := strings.Cut(o, "="); return other == name }
		return slices.Contains(pathspecs, name) || slices.ContainsFunc(asked, ours)
	})
	return append(env, asked...)
}

var pathspecs = []string{"GIT_GLOB_PATHSPECS", "GIT_NOGLOB_PATHSPECS", "GIT_ICASE_PATHSPECS"}

// unattended prevents prompts and localized output. It also disables replacement objects and grafts, which are local to
// a clone and which go-git ignores.
func unattended() []string {
	return []string{
		"GIT_NO_REPLACE_OBJECTS=1", "GIT_GRAFT_FILE=",
		"LC_ALL=C", "LANGUAGE=", "GIT_TERMINAL_PROMPT=0", "GIT_ASKPASS=true", "GCM_INTERACTIVE=never", "GIT_PAGER=cat",
		"GIT_EDITOR=true", "GIT_LITERAL_PATHSPECS=1",
	}
}

// withoutLocks keeps read-only git commands from updating the index.
const withoutLocks = "GIT_OPTIONAL_LOCKS=0"
