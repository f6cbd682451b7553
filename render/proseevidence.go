package render

import (
	"cmp"
	"path"
	"slices"
	"strings"

	"github.com/causaldocs/causal/knowledge/canonical"
	"github.com/causaldocs/causal/knowledge/markdown"
	"github.com/causaldocs/causal/knowledge/source"
	"github.com/causaldocs/causal/knowledge/survey"
	"github.com/causaldocs/causal/render/node"
)

// Prose is stored with the model's input as evidence: kind, name, and a digest that ignores formatting. Prose with
// differing evidence is out of date.
const (
	listEvidence    = "files"   // files .: which files the module has
	fileEvidence    = "file"    // file BASE: all of the file
	outlineEvidence = "outline" // outline BASE: the file's exported declarations
	codeEvidence    = "code"    // code BASE#NAME: one declaration
)

// shortDigest is the length of stored digests, enough to distinguish versions of one file.
const shortDigest = 12

func evidence(kind, name string, digest source.Digest) node.Evidence {
	return node.Evidence{Of: kind + " " + canonical.Path(name), Digest: string(digest[:min(len(digest), shortDigest)])}
}

func listedEvidence(units []source.Unit) node.Evidence {
	names := make([]string, len(units))
	for i, u := range units {
		names[i] = u.Path
	}
	return evidence(listEvidence, ".", source.DigestOf(names...))
}

// outlineDigest covers the declarations of a file in an outline; false if there are none.
func outlineDigest(outline []*source.Declared, file string) (source.Digest, bool) {
	var parts []string
	for _, d := range outline {
		if d.Path == file {
			parts = append(parts, d.Name, lineOf(d))
		}
	}
	return source.DigestOf(parts...), len(parts) > 0
}

func outrun(k *survey.Module, units []source.Unit, kept []node.Evidence) []string {
	if len(kept) == 0 {
		return nil
	}
	now := map[node.Evidence]bool{listedEvidence(units): true}
	outline := outlined(k, units)
	for _, u := range units {
		now[evidence(fileEvidence, path.Base(u.Path), u.File.Content)] = true
		if digest, ok := outlineDigest(outline, u.Path); ok {
			now[evidence(outlineEvidence, path.Base(u.Path), digest)] = true
		}
	}
	for i := range k.Declared {
		d := &k.Declared[i]
		now[evidence(codeEvidence, path.Base(d.Path)+"#"+d.Name, cmp.Or(d.Code, d.Content))] = true
	}
	var out []string
	for _, e := range kept {
		if now[e] {
			continue
		}
		kind, rest, _ := strings.Cut(e.Of, " ")
		name, _, _ := strings.Cut(rest, "#")
		if kind == listEvidence {
			out = append(out, "the list of files")
			continue
		}
		out = append(out, markdown.Code(name))
	}
	slices.Sort(out)
	return slices.Compact(out)
}
