package survey

import (
	"context"
	"path"
	"slices"
	"strings"

	"github.com/causaldocs/causal/knowledge/manifest"
	"github.com/causaldocs/causal/knowledge/manual"
	"github.com/causaldocs/causal/knowledge/source"
)

// FileList names a list of files with one use.
type FileList string

// The file lists.
const (
	ServiceList  FileList = "services" // they name the Java types that provide a service; each file is named after its interface
	SchemaList   FileList = "schemas"  // they may declare tables
	SettingsList FileList = "settings" // they set variables and configuration keys
	DeployList   FileList = "deploys"  // they say which routes a Java application serves, and where
	ManualList   FileList = "manuals"  // documents that describe how the project is used
	SampleList   FileList = "samples"  // samples of configurations, and their defaults
)

const mostSettingsFiles = 64

// fileLists defines each list: its files, its name in messages, and its maximum length. Files near the root take
// precedence.
var fileLists = map[FileList]struct {
	is   func(name string) bool
	what string
	most int
}{
	ServiceList:  {source.IsService, "files about services", 0},
	SchemaList:   {source.IsSchema, "SQL and Prisma files, and changelogs", 0},
	SettingsList: {func(name string) bool { return manifest.IsSettings(name) && !source.Foreign(name) }, "files with settings", mostSettingsFiles},
	DeployList:   {manifest.IsDescriptor, "deployment descriptors and builds", mostSettingsFiles},
	ManualList: {func(name string) bool {
		return source.IsDocument(name) || manual.IsPage(name) && !source.Foreign(name)
	}, "documents", mostDocuments},
	SampleList: {func(name string) bool { return manual.IsSample(name) && !source.Foreign(name) }, "samples of configurations", mostSettingsFiles},
}

// Has reports whether a file is on the list. It ignores exclusions and ownership.
func (l FileList) Has(name string) bool { return fileLists[l].is(name) }

// FilesFor lists the files with a use.
func FilesFor(r Reader, use FileList) ([]string, error) { return value[[]string](r, ListFact(use)) }

func (s *Survey) filesFor(_ context.Context, use string) (out []string, err error) {
	list, known := fileLists[FileList(use)]
	if !known {
		return nil, nil
	}
	for _, p := range s.files() {
		if FileList(use).Has(p) && !s.Excluded(p) && !s.Owned(p) {
			out = append(out, p)
		}
	}
	if FileList(use) == ManualList {
		out = withoutMade(out)
	}
	if list.most > 0 {
		slices.SortStableFunc(out, func(a, b string) int { return strings.Count(a, "/") - strings.Count(b, "/") })
		out = out[:min(len(out), list.most)]
	}
	return out, nil
}

// withoutMade drops the manual pages that are made from another document: "shop.1" of "shop.1.md".
func withoutMade(files []string) []string {
	sources := map[string]bool{}
	for _, file := range files {
		sources[strings.TrimSuffix(path.Base(file), path.Ext(file))] = true
	}
	return slices.DeleteFunc(files, func(file string) bool { return manual.IsPage(file) && sources[path.Base(file)] })
}
