package render

import (
	"cmp"
	"path"
	"slices"
	"strings"

	"github.com/causaldocs/causal/knowledge/ddl"
	"github.com/causaldocs/causal/knowledge/lazyregexp"
	"github.com/causaldocs/causal/knowledge/source"
	"github.com/causaldocs/causal/knowledge/survey"
)

// dataGroup holds the tables that the statements of one place create, or the models of one place.
type dataGroup struct {
	dir    string
	kind   string // of models; empty for tables
	tables []dataTable
	// By file: unread counts statements that cannot be read, strayed those that change tables which the group does not
	// create.
	unread, strayed map[string]int
	like            *dataGroup // the group with the left-out tables
	shapes          map[string]bool
	migrations      string // a directory of migrations that are not applied
	whole           string // the schema file with all tables, which makes migrations unnecessary
	short           bool   // one line for each table
}

type dataTable struct {
	ddl.Table
	at     element // of a model or table in code
	anchor string
}

// dataPageOf returns the generated part of the data page.
func dataPageOf(c Config, g *factGraph) string {
	surfaces := surfacesIn(g, dataPart)
	code := dataFactsOf(surfaces)
	return renderData(c, append(schemaGroups(&g.facts, code), codeGroups(surfaces, code)...), staleIn(surfaces))
}

// versioned matches the directory of one migration: "0.21", "20240102_init", "v2".
var versioned = lazyregexp.New(`^v?\d`)

// schemaDir returns the directory whose files build one schema.
func schemaDir(file string) string {
	dir := path.Dir(file)
	for dir != "." && versioned.MatchString(path.Base(dir)) {
		dir = path.Dir(dir)
	}
	return dir
}

// schemaGroups returns the tables of schema files by directory. Files of a directory apply in the order of their names,
// together with the SQL in the code there, which it takes out of code.
func schemaGroups(f *facts, code map[string]*moduleData) (out []dataGroup) {
	byDir, whole := map[string][]string{}, map[string]string{}
	var dirs []string
	for _, file := range ask(f, survey.FilesFor, survey.SchemaList) {
		dir := schemaDir(file)
		if byDir[dir] == nil {
			dirs = append(dirs, dir)
		}
		if byDir[dir] = append(byDir[dir], file); isWhole(file) && whole[dir] == "" {
			whole[dir] = file
		}
	}
	for _, dir := range dirs {
		if path.Base(dir) == "migrations" && whole[path.Dir(dir)] != "" {
			continue
		}
		var statements []dataFact
		if m := code[dir]; m != nil && whole[dir] == "" {
			statements, m.sql = m.sql, nil
		}
		g := schemaGroup(f, dir, byDir[dir], whole[dir], statements)
		if m := path.Join(dir, "migrations"); byDir[m] != nil && whole[dir] != "" {
			g.migrations = m
		}
		out = append(out, g)
	}
	return out
}

// isWhole reports whether a file has all tables, by its name. Its migrations need not be read.
func isWhole(file string) bool {
	switch strings.ToLower(path.Base(file)) {
	case "schema.sql", "structure.sql", "latest.sql":
		return true
	}
	return path.Ext(file) == ".prisma"
}

// schemaGroup reads the files of a directory, and the statements in its code. A file with all tables replaces the
// directories for versions.
func schemaGroup(f *facts, dir string, files []string, whole string, code []dataFact) dataGroup {
	m := migrations{code: code}
	older, kind := "", ""
	for _, file := range files {
		if whole != "" && path.Dir(file) != path.Dir(whole) {
			older = dir
			continue
		}
		if path.Ext(file) == ".prisma" {
			kind = "Prisma"
		}
		m.files = append(m.files, schemaFile{file, f.blob(file)})
	}
	g := m.group(dir)
	g.kind, g.migrations, g.whole = kind, older, whole
	return g
}

// schemaFile is a file with statements about tables.
type schemaFile struct {
	path    string
	content []byte
}

// migrations are the statements of one place, in files and in code.
type migrations struct {
	files []schemaFile
	code  []dataFact
}

// group applies the statements in the order of the file names. Statements before the table that they change, such as in
// code that runs in another order, apply at the end.
func (m migrations) group(dir string) dataGroup {
	var s ddl.Schema
	places, unread, inCode := map[string]element{}, map[string]int{}, map[string][]dataFact{}
	for _, f := range m.code {
		if file := f.Table.File; inCode[file] == nil {
			m.files = append(m.files, schemaFile{path: file})
		}
		inCode[f.Table.File] = append(inCode[f.Table.File], f)
	}
	slices.SortFunc(m.files, func(a, b schemaFile) int { return ddl.CompareFiles(a.path, b.path) })
	for _, file := range m.files {
		for _, f := range inCode[file.path] {
			s.SQL(file.path, 1, f.Changes) // later changes of tables that the file creates are in these already
		}
		for _, f := range inCode[file.path] {
			switch {
			case f.Unread > 0:
				unread[file.path] += f.Unread
			case f.Changes == "":
				s.Put(f.Table)
				places[file.path+" "+f.Name] = f.at
			}
		}
		s.File(file.path, file.content)
	}
	s.Retry()
	g := groupOf(dir, &s)
	for i := range g.tables {
		g.tables[i].at = places[g.tables[i].File+" "+g.tables[i].Name]
	}
	for file, n := range g.unread {
		unread[file] += n
	}
	g.unread = unread
	return g
}

func groupOf(dir string, s *ddl.Schema) dataGroup {
	g := dataGroup{dir: dir, unread: s.Unread, strayed: map[string]int{}}
	for _, t := range s.Tables() {
		g.tables = append(g.tables, dataTable{Table: t})
	}
	for file, list := range s.Changes {
		for _, change := range list {
			if !strings.HasPrefix(strings.ToUpper(change), "DROP") { // a DROP before a CREATE only starts over
				g.strayed[file]++
			}
		}
	}
	return g
}

type dataFact struct {
	ddl.Fact
	at element
}

// moduleData are the facts about tables in the code of a module: its SQL, and all of them, with models.
type moduleData struct{ sql, all []dataFact }

func dataFactsOf(surfaces []surface) map[string]*moduleData {
	out := make(map[string]*moduleData, len(surfaces))
	for _, s := range surfaces {
		m := &moduleData{}
		for _, b := range s.Elements {
			f := dataFact{ddl.FromFact(b.Name, b.Also, b.Value, b.Default, b.Usage, b.Help, b.Doc), element{b, s.module}}
			f.Table.File = f.at.file()
			if m.all = append(m.all, f); f.Model == "" {
				m.sql = append(m.sql, f)
			}
		}
		slices.SortStableFunc(m.all, func(a, b dataFact) int { return ddl.CompareFiles(a.Table.File, b.Table.File) })
		out[s.module] = m
	}
	return out
}

// codeGroups lists the tables that the code of each module creates, and its models.
func codeGroups(surfaces []surface, facts map[string]*moduleData) []dataGroup {
	byID := map[string]dataFact{}
	parts := map[string]bool{} // structs whose columns are in models
	for module, m := range facts {
		for _, f := range m.all {
			if f.at.ID != "" {
				byID[idOf(module, f.at.ID)] = f
			}
			for _, c := range f.Columns {
				parts[idOf(module, c.Embeds)] = c.Embeds != ""
			}
		}
	}
	var out []dataGroup
	for _, s := range surfaces {
		groups := []dataGroup{migrations{code: facts[s.module].sql}.group(s.module)}
		for _, f := range facts[s.module].all {
			f.Table.Columns = inherited(f, byID)
			if f.at.Usage == source.Inherited && len(f.Table.Columns) == 0 || f.Model == "" || f.at.Usage == source.Hidden || f.Stored == "" && parts[idOf(s.module, cmp.Or(f.at.ID, "?"))] && !f.IsModel() {
				continue
			}
			at := slices.IndexFunc(groups, func(g dataGroup) bool { return g.kind == f.Model })
			if at < 0 {
				at, groups = len(groups), append(groups, dataGroup{dir: s.module, kind: f.Model})
			}
			groups[at].tables = append(groups[at].tables, dataTable{Table: f.Table, at: f.at})
		}
		out = append(out, groups...)
	}
	return out
}

// longestLine bounds a chain of models that extend each other.
const longestLine = 8

// inherited returns the columns of a model and of the models that it extends.
func inherited(f dataFact, byID map[string]dataFact) []ddl.Column {
	out := f.Columns
	for range longestLine {
		of, ok := byID[idOf(f.at.module, f.at.Of)]
		if f.at.Of == "" || !ok {
			break
		}
		own := slices.DeleteFunc(slices.Clone(of.Columns), func(c ddl.Column) bool {
			return slices.ContainsFunc(out, func(o ddl.Column) bool { return o.Name == c.Name })
		})
		f, out = of, append(own, out...)
	}
	return embedded(f.at.module, out, byID)
}

// embedded puts the columns of embedded structs in the place of their fields.
func embedded(module string, columns []ddl.Column, byID map[string]dataFact) (out []ddl.Column) {
	for _, c := range columns {
		of, ok := byID[idOf(module, c.Embeds)]
		switch {
		case c.Embeds == "":
			out = append(out, c)
		case !ok || len(of.Columns) == 0:
			out = append(out, ddl.Column{Name: c.Name, Type: c.Type, About: "its fields are columns"})
		default:
			for _, inner := range of.Columns {
				if inner.Embeds == "" {
					out = append(out, inner.Within(c.Name, c.Type, c.Stored))
				}
			}
		}
	}
	return out
}
