package matrix

import (
	"slices"
	"strings"

	"github.com/causaldocs/causal/knowledge/store"
)

const readme = "# Tools\n\nEverything that helps to build the shop.\n\n## More\n\nNothing more.\n"

// everywhere are the trials that are the same in every language.
func (l language) everywhere() []trial {
	at := func(name string) string { return l.expand(name)[0] }
	tools, money := at("tools"), at("money")
	all, overviews := l.modules(), " index list"
	listed := "tools list index guide"
	if l.root != "" && len(l.more) > 0 { // the root is a module too: the entry page cannot list all modules
		listed = "tools list guide"
	}
	if slices.ContainsFunc(l.trials, func(t trial) bool { return t.row == "environment variable" }) {
		overviews += " operations"
	}
	return []trial{
		{row: "nothing"},
		{row: "file that is no source", edits: []edit{create("NOTES.txt", "Call the bank.\n")}},
		{row: "README that speaks for a module", edits: []edit{replace(tools+"/README.md", "Everything that helps", "All that helps")}, rerun: "tools", pages: listed},
		{row: "README, another part of it", edits: []edit{replace(tools+"/README.md", "Nothing more.", "A little more.")}},
		{row: "a person's note on a page", edits: []edit{note(layout.Page(money))}},
		{row: "a page that a person wrote", edits: []edit{create("docs/causal/hand.md", "# By hand\n")}},
		{row: "configuration of the pages", edits: []edit{create(store.Config, "version: 1\ndocs:\n  front_matter: false\n")}, pages: all + overviews},
		{row: "configuration: a module is excluded", edits: []edit{create(store.Config, "version: 1\nexclude: [\""+at("unrelated")+"/*\"]\n")}, removed: "unrelated", pages: "list index guide"},
	}
}

// modules names all modules of the shop.
func (l language) modules() string {
	return strings.Join(append([]string{"api cart money report till tools unrelated"}, l.more...), " ")
}

func note(page string) edit {
	return func(r *repo) {
		r.t.Helper()
		r.write(page, r.read(page)+"\n<!-- causal:keep notes -->\nAsk finance first.  \n<!-- /causal:keep -->\n")
	}
}
