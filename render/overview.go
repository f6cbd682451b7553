package render

import (
	"slices"

	"github.com/causaldocs/causal/knowledge/store"
)

// Overview is a page about the repository as a whole.
type Overview struct {
	Subject string // of its unit
	Name    string // for links to it
	About   string // its contents
	Path    string

	write func(c Config, g *factGraph) string
	// spare pages exist only if they have contents.
	spare bool
}

// The subjects of the pages about the repository.
const (
	entryPage = "index"
	listPage  = "modules"
	// CommandPage and operationPage are for operators.
	CommandPage   = "commands"
	operationPage = "operations"
	// extensionPage is for authors of extensions.
	extensionPage = "extensions"
	// dataPage is about databases.
	dataPage = "data"
	// DocumentPage has the headings of hand-written documents.
	DocumentPage = "documents"
	guidePage    = "llms.txt"
)

// Overviews lists the pages that every repository may have.
func Overviews(l store.Layout) []Overview {
	return []Overview{
		{entryPage, "the entry page", "the purpose of the repository, a reading order, and its structure", l.Index(), indexPageOf, false},
		{listPage, "the list of modules", "one line for each module", l.ModuleList(), listPageOf, false},
		{CommandPage, "the page of commands", "the commands with their flags", l.Overview(CommandPage), commandsPageOf, true},
		{operationPage, "the page of operations", "variables, configuration keys, routes, jobs and exit codes", l.Overview(operationPage), operationsPageOf, true},
		{extensionPage, "the page of extension points", "interfaces with their implementations, and registries", l.Overview(extensionPage), extensionsPageOf, true},
		{dataPage, "the data page", "tables and models", l.Overview(dataPage), dataPageOf, true},
		{DocumentPage, "the page of documents", "the headings of the documents that people wrote", l.Overview(DocumentPage), documentsPageOf, true},
		{guidePage, "the guide for coding agents", "the topic of each page", l.Guide(), guideOf, false},
	}
}

// overviewOf returns the overview with a subject; false for the page of a module.
func overviewOf(l store.Layout, subject string) (Overview, bool) {
	return findOverview(Overviews(l), func(o Overview) bool { return o.Subject == subject })
}

// OverviewAt returns the overview in a file.
func OverviewAt(l store.Layout, file string) (Overview, bool) {
	return findOverview(Overviews(l), func(o Overview) bool { return o.Path == file })
}

func findOverview(list []Overview, is func(Overview) bool) (Overview, bool) {
	if i := slices.IndexFunc(list, is); i >= 0 {
		return list[i], true
	}
	return Overview{}, false
}

// reserved reports whether a subject belongs to an overview, even if a module has the same name.
func reserved(subject string) bool {
	_, is := overviewOf(store.Layout{}, subject)
	return is
}
