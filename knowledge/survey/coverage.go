package survey

import (
	"cmp"
	"context"
	"fmt"
	"maps"
	"path"
	"slices"
	"strings"

	manifests "github.com/causaldocs/causal/knowledge/manifest"
	"github.com/causaldocs/causal/knowledge/source"
	"github.com/causaldocs/causal/knowledge/store"
)

// Coverage lists which files of a repository a run read, and why it left out the others.
type Coverage struct {
	Read   []FileCount `json:"read"`
	Unread []FileCount `json:"unread"`
}

// FileCount is the number of files in one group.
type FileCount struct {
	By      string `json:"by"`   // ByLanguage, ByType or ByReason
	Name    string `json:"name"` // a language; Documents, Manifests, SchemaFiles or an extension; or the reason why files were left out
	Files   int    `json:"files"`
	Example string `json:"example"` // a path
}

// Values of FileCount.By.
const (
	ByLanguage = "language"
	ByType     = "type"
	ByReason   = "reason"

	Documents   = "documents"
	Manifests   = "manifests"
	SchemaFiles = "schema files"
)

// Coverage counts the files that a run read. Call Observe first.
func (s *Survey) Coverage(ctx context.Context) (*Coverage, error) {
	entries, err := s.Entries(ctx)
	if err != nil {
		return nil, fmt.Errorf("list the repository: %w", err)
	}
	reasons := map[string]string{}
	for m := range s.modules {
		if r := s.record(m); r != nil {
			for _, f := range r.Files {
				reasons[f.Path] = f.Opaque
			}
		}
	}
	read, unread := map[string]*FileCount{}, map[string]*FileCount{}
	add := func(to map[string]*FileCount, by, name, file string) {
		if to[name] == nil {
			to[name] = &FileCount{By: by, Name: name, Example: file}
		}
		to[name].Files++
	}
	for _, e := range entries {
		file := e.Path
		class, opaque := s.classes.Classify(file), reasons[file]
		_, resolves := s.paths.Manifests[file]
		switch {
		case s.Owned(file), strings.HasPrefix(file, store.Top+"/"):
		case e.Mode != Regular:
			add(unread, ByType, string(e.Mode)+"s", file)
		case s.Excluded(file):
			add(unread, ByReason, "excluded by the configuration", file)
		case class.Language != "" && !class.Readable:
			add(unread, ByLanguage, class.Language, file)
		case opaque != "":
			add(unread, ByReason, opaque, file)
		case class.Readable:
			add(read, ByLanguage, class.Language, file)
		case class.Readme, source.IsDocument(file):
			add(read, ByType, Documents, file)
		case resolves, manifestOfBuild(file):
			add(read, ByType, Manifests, file)
		case source.IsSchema(file):
			add(read, ByType, SchemaFiles, file)
		case source.Foreign(file):
			add(unread, ByReason, "vendored, hidden or test data", file)
		default:
			add(unread, ByType, cmp.Or(path.Ext(file), path.Base(file)), file)
		}
	}
	return &Coverage{counted(read), counted(unread)}, nil
}

// manifestOfBuild reports whether a file describes the build although no language takes it for a manifest.
func manifestOfBuild(file string) bool {
	base := path.Base(file)
	return !source.Foreign(file) && (manifests.IsDescriptor(file) || base == file && (slices.Contains(manifests.WithBuild, base) || slices.Contains(manifests.Describing, base)))
}

// mostCounts limits the number of separate counts: every file of a repository may have a different extension.
const mostCounts = 100

func counted(counts map[string]*FileCount) []FileCount {
	out := []FileCount{}
	for _, name := range slices.Sorted(maps.Keys(counts)) {
		out = append(out, *counts[name])
	}
	extension := func(c FileCount) int { return len(c.Name) - len(strings.TrimPrefix(c.Name, ".")) }
	slices.SortStableFunc(out, func(a, b FileCount) int { // extensions last
		return cmp.Or(cmp.Compare(extension(a), extension(b)), cmp.Compare(b.Files, a.Files))
	})
	if len(out) <= mostCounts {
		return out
	}
	rest := FileCount{By: ByType, Name: "others", Example: out[mostCounts].Example}
	for _, c := range out[mostCounts:] {
		rest.Files += c.Files
	}
	return append(out[:mostCounts], rest)
}
