package ecma

import (
	"bytes"
	"path"
	"strings"

	"github.com/causaldocs/causal/knowledge/lazyregexp"
	"github.com/causaldocs/causal/knowledge/source"
)

const (
	// longestAverage is the largest average length of the lines in files that people write, in bytes.
	longestAverage = 500
	// fewestBuilt is the size from which the average counts: a small file may consist of one long text.
	fewestBuilt = 4 << 10
)

// hashed matches the names that bundlers give their output: index-C8c580-n.js, main.3f2a91bc.chunk.js.
var hashed = lazyregexp.New(`[-.]([A-Za-z0-9_-]{8}|[0-9a-f]{10,32})(?:\.chunk)?\.[cm]?js$`)

// bundle matches the names of bundles: app.bundle.js, index_bundle.js.
var bundle = lazyregexp.New(`(?i)[._-]bundle\.`)

// exporting matches what makes a bundle importable; all bundles have parts that export to each other by other names.
var exporting = lazyregexp.New(`(?m)(?:^|[;}])\s*export[\s{*]|\bmodule\.exports\b|\btypeof exports\b`)

// isHashed reports whether a file is the output of a bundler: its name has a hash, so no package names it as its entry.
func isHashed(name string) bool {
	m := hashed.FindStringSubmatch(path.Base(name))
	if m == nil || !source.InFolder(path.Dir(name), "dist", "assets", "build") {
		return false
	}
	lower, upper := strings.ToLower(m[1]), strings.ToUpper(m[1])
	mixed, hex := lower != m[1], strings.Trim(m[1], "0123456789abcdef") == ""
	return strings.ContainsAny(m[1], "0123456789") && upper != m[1] && (mixed || hex)
}

// isBuilt reports whether a file is minified or a bundle, and not what the callers of a package may import.
func isBuilt(name string, content []byte) bool {
	long := len(content) >= fewestBuilt && len(content)/(1+bytes.Count(content, []byte("\n"))) > longestAverage
	dir := path.Dir(name)
	imported := source.InFolder(dir, outputDirs...) && !source.InFolder(dir, "assets") && exporting.Match(content)
	return (long || bundle.MatchString(path.Base(name))) && !imported
}
