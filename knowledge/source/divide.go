package source

import (
	"cmp"
	"maps"
	"path"
	"slices"
	"strconv"
	"strings"
	"unicode"
	"unicode/utf8"
)

// Part is a share of a large module with a separate page: some of its files, or one of their types.
type Part struct {
	Name  string   `json:"n"`           // a file without its extension, or a type
	Files []string `json:"f"`           // base names, sorted
	Type  string   `json:"t,omitempty"` // limits the part to this type, by its name in the module
	From  string   `json:"s,omitempty"` // the first name, if the part continues another one
	// Several is set for a part with several small files.
	Several bool `json:"m,omitempty"`
}

const (
	// A module larger than undividedBytes is divided into parts of at most partBytes. The smaller limit ensures that
	// there are at least two parts.
	undividedBytes = 34 << 10
	partBytes      = 30 << 10
	// ownBytes is the minimum size of a file or type with a separate part.
	ownBytes = 6 << 10
	// symbolBytes is the overhead of a symbol, and mostWords the limit for its counted text.
	symbolBytes = 150
	mostWords   = 8 << 10
)

type share struct {
	key   string
	bytes int
}

// Extent estimates the bytes of documentation for declarations and their examples.
func Extent(all []*Declared, examples map[string]int) int {
	sum := 0
	for _, d := range all {
		sum += extentOf(d) + examples[d.Name]
	}
	return sum
}

func extentOf(d *Declared) int {
	n := len(d.Signature) + len(d.Doc)
	for _, o := range d.Overloads {
		n += len(o.Signature) + len(o.Doc)
	}
	return symbolBytes + min(n, mostWords)
}

// Divide splits a module's declarations, sorted by name, if they are too many for one page: into large files and
// groups of small ones, a large file into its types, and a large type between two names.
func Divide(all []*Declared, examples map[string]int) []Part {
	if Extent(all, examples) <= undividedBytes {
		return nil
	}
	d := divider{examples: examples, types: map[string]bool{}, taken: map[string]bool{}}
	files := map[string]string{}
	for _, s := range all {
		if d.types[s.Name] = types[s.Kind] || s.Kind == Const || s.Kind == Var; d.types[s.Name] {
			files[s.Name] = s.Path
		}
	}
	byFile := map[string][]*Declared{}
	for _, s := range all { // members go with their type
		key := Subject(path.Base(cmp.Or(files[d.owner(s.Name)], s.Path)))
		byFile[key] = append(byFile[key], s)
	}
	var small []string
	for _, key := range slices.Sorted(maps.Keys(byFile)) {
		if in := byFile[key]; Extent(in, examples) >= ownBytes {
			d.file(key, in)
		} else {
			small = append(small, key)
		}
	}
	d.others(small, byFile)
	return d.parts
}

// Subject returns the key under which a file's declarations are grouped: a header and its implementation share one.
func Subject(file string) string {
	if ext := path.Ext(file); slices.Contains(TraitsOfFile(file).Paired, ext) {
		return strings.TrimSuffix(file, ext)
	}
	return file
}

type divider struct {
	examples map[string]int
	types    map[string]bool
	parts    []Part
	taken    map[string]bool
}

func (d *divider) file(key string, in []*Declared) {
	stem := strings.TrimSuffix(key, path.Ext(key))
	files := filesOf(in)
	if Extent(in, d.examples) <= partBytes {
		d.add(Part{Name: stem, Files: files})
		return
	}
	byType := map[string][]*Declared{}
	for _, s := range in {
		owner := d.owner(s.Name)
		byType[owner] = append(byType[owner], s)
	}
	var rest []*Declared
	var types []string
	for _, owner := range slices.Sorted(maps.Keys(byType)) {
		if Extent(byType[owner], d.examples) >= ownBytes {
			types = append(types, owner)
		} else {
			rest = append(rest, byType[owner]...)
		}
	}
	if len(rest) > 0 {
		d.cut(Part{Name: stem, Files: files}, d.shares(rest, func(s *Declared) string { return d.owner(s.Name) }))
	}
	for _, owner := range types {
		name := owner[strings.LastIndexByte(owner, '.')+1:]
		if stem != name {
			name = stem + "." + name
		}
		d.cut(Part{Name: name, Files: files, Type: owner}, d.shares(byType[owner], func(s *Declared) string { return s.Name }))
	}
}

const otherFiles = "smaller-files"

// others groups small files by their initials, if they are too many for one part: a part with the files of several
// initials ends with the last one.
func (d *divider) others(keys []string, byFile map[string][]*Declared) {
	slices.SortFunc(keys, compareFold)
	room, sum, all := map[string]int{}, 0, 0
	for _, key := range keys {
		extent := Extent(byFile[key], d.examples)
		room[initialOf(key)] += extent
		all += extent
	}
	var in []string
	flush := func() {
		var files []string
		for _, key := range in {
			files = append(files, filesOf(byFile[key])...)
		}
		slices.Sort(files)
		switch {
		case len(in) == 0:
			return
		case len(in) == 1:
			d.add(Part{Name: strings.TrimSuffix(in[0], path.Ext(in[0])), Files: files})
		case all <= partBytes:
			d.add(Part{Name: otherFiles, Files: files, Several: true})
		default:
			d.add(Part{Name: strings.Join(slices.Compact([]string{otherFiles, initialOf(in[0]), initialOf(in[len(in)-1])}), "-"), Files: files, Several: true})
		}
		in, sum = nil, 0
	}
	for _, key := range keys {
		initial, extent := initialOf(key), Extent(byFile[key], d.examples)
		if begins := len(in) > 0 && initialOf(in[len(in)-1]) != initial; sum+extent > partBytes || begins && sum+room[initial] > partBytes {
			flush()
		}
		in, sum = append(in, key), sum+extent
	}
	flush()
}

func compareFold(a, b string) int {
	return cmp.Or(strings.Compare(strings.ToLower(a), strings.ToLower(b)), strings.Compare(a, b))
}

func initialOf(file string) string {
	r, _ := utf8.DecodeRuneInString(file)
	return string(unicode.ToUpper(r))
}

func (d *divider) shares(in []*Declared, key func(*Declared) string) []share {
	sums := map[string]int{}
	for _, s := range in {
		sums[key(s)] += extentOf(s) + d.examples[s.Name]
	}
	var out []share
	for _, k := range slices.Sorted(maps.Keys(sums)) {
		out = append(out, share{k, sums[k]})
	}
	return out
}

func (d *divider) cut(p Part, shares []share) {
	room := partBytes
	base := p.Name
	for i, s := range shares {
		if room -= s.bytes; room < 0 && i > 0 {
			d.add(p)
			p.Name, p.From, room = base, s.key, partBytes-s.bytes
		}
	}
	d.add(p)
}

func (d *divider) add(p Part) {
	p.Name = strings.ToValidUTF8(p.Name, "\uFFFD") // a file name may be invalid UTF-8
	name := p.Name
	for n := 2; d.taken[strings.ToLower(p.Name)]; n++ { // file systems may ignore case
		p.Name = name + "-" + strconv.Itoa(n)
	}
	d.taken[strings.ToLower(p.Name)] = true
	d.parts = append(d.parts, p)
}

func (d *divider) owner(name string) string {
	for at := range len(name) {
		if name[at] == '.' && d.types[name[:at]] {
			return name[:at]
		}
	}
	return name
}

// PartIndex finds the parts of a module.
type PartIndex struct {
	Parts []Part

	byFile map[string]map[string][]int
	byName map[string]int
	byType map[string][]int
}

// NewPartIndex returns the index of a module's parts.
func NewPartIndex(parts []Part) *PartIndex {
	x := &PartIndex{Parts: parts, byFile: map[string]map[string][]int{}, byName: make(map[string]int, len(parts)), byType: map[string][]int{}}
	for i, p := range parts {
		x.byName[p.Name] = i
		x.byType[p.Type] = append(x.byType[p.Type], i)
	}
	for kind, of := range x.byType {
		of = slices.Clone(of)
		slices.SortFunc(of, func(a, b int) int { return cmp.Or(strings.Compare(parts[a].From, parts[b].From), b-a) })
		for _, i := range of {
			for _, file := range parts[i].Files {
				if x.byFile[file] == nil {
					x.byFile[file] = map[string][]int{}
				}
				x.byFile[file][kind] = append(x.byFile[file][kind], i)
			}
		}
	}
	return x
}

// Of returns the number of a declaration's part, by the base name of its file and its name in the module, or -1. A
// part of a type takes precedence over one of the whole file, and an inner type over an outer one.
func (x *PartIndex) Of(file, name string) int {
	types := x.byFile[file]
	for owner := name; len(types) > 0; owner = owner[:max(strings.LastIndexByte(owner, '.'), 0)] {
		of := types[owner]
		after, _ := slices.BinarySearchFunc(of, name, func(i int, name string) int {
			if x.Parts[i].From <= name {
				return -1
			}
			return 1
		})
		if after > 0 {
			return of[after-1]
		}
		if owner == "" {
			break
		}
	}
	return -1
}

// Named returns the number of the part with a name, or -1.
func (x *PartIndex) Named(name string) int {
	if i, ok := x.byName[name]; ok {
		return i
	}
	return -1
}

// Label describes the content of a part. The part's name, used in the page's path, may be only a number.
func (x *PartIndex) Label(i int) string {
	p := x.Parts[i]
	var stems []string
	for _, f := range p.Files {
		stems = append(stems, strings.TrimSuffix(f, path.Ext(f)))
	}
	slices.SortFunc(stems, compareFold)
	stems = slices.Compact(stems)
	base := p.Name
	if dash := strings.LastIndexByte(base, '-'); dash > 0 && !slices.Contains(stems, base) && strings.Trim(base[dash+1:], "0123456789") == "" {
		base = base[:dash]
	}
	switch {
	case p.From != "":
		return base + " from " + p.From[strings.LastIndexByte(p.From, '.')+1:]
	case x.Grouped(i) && p.Name == otherFiles:
		return "smaller files"
	case x.Grouped(i):
		return "smaller files, " + strings.Join(slices.Compact([]string{stems[0], stems[len(stems)-1]}), " to ")
	case base != p.Name && p.Type == "": // another file has the same stem
		if at := slices.IndexFunc(p.Files, func(f string) bool { return strings.HasPrefix(f, base) }); at >= 0 {
			return p.Files[at]
		}
	}
	return p.Name
}

// Grouped reports whether a part has several small files.
func (x *PartIndex) Grouped(i int) bool { return x.Parts[i].Several }

// OfType lists the parts of one type.
func (x *PartIndex) OfType(name string) []int { return x.byType[name] }

func filesOf(in []*Declared) []string {
	var out []string
	for _, s := range in {
		out = append(out, path.Base(s.Path))
	}
	slices.Sort(out)
	return slices.Compact(out)
}
