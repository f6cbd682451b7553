package render

import (
	"cmp"
	"path"
	"slices"
	"strings"

	"github.com/causaldocs/causal/knowledge/ddl"
	"github.com/causaldocs/causal/knowledge/engine"
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
func dataPageOf(in engine.Input, c Config, g *factGraph) (string, error) {
	groups, err := schemaGroups(in)
	if err != nil {
		return "", err
	}
	surfaces := surfacesIn(g, dataPart)
	return renderData(c, append(groups, codeGroups(surfaces)...), staleIn(surfaces)), nil
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

// schemaGroups returns the tables of schema files by directory. Files of a directory apply in the order of their names.
func schemaGroups(in engine.Input) ([]dataGroup, error) {
	files, err := survey.FilesFor(in, survey.SchemaList)
	if err != nil {
		return nil, err
	}
	byDir, whole := map[string][]string{}, map[string]string{}
	var dirs []string
	for _, file := range files {
		dir := schemaDir(file)
		if byDir[dir] == nil {
			dirs = append(dirs, dir)
		}
		if byDir[dir] = append(byDir[dir], file); isWhole(file) && whole[dir] == "" {
			whole[dir] = file
		}
	}
	var out []dataGroup
	for _, dir := range dirs {
		if path.Base(dir) == "migrations" && whole[path.Dir(dir)] != "" {
			continue
		}
		g, err := schemaGroup(in, dir, byDir[dir], whole[dir])
		if err != nil {
			return nil, err
		}
		if m := path.Join(dir, "migrations"); byDir[m] != nil && whole[dir] != "" {
			g.migrations = m
		}
		out = append(out, g)
	}
	return out, nil
}

// isWhole reports whether a file has all tables, by its name. Its migrations need not be read.
func isWhole(file string) bool {
	switch strings.ToLower(path.Base(file)) {
	case "schema.sql", "structure.sql", "latest.sql":
		return true
	}
	return path.Ext(file) == ".prisma"
}

// schemaGroup reads the files of a directory. A file with all tables replaces the directories for versions.
func schemaGroup(in engine.Input, dir string, files []string, whole string) (dataGroup, error) {
	slices.SortFunc(files, ddl.CompareFiles)
	var s ddl.Schema
	migrations, kind := "", ""
	for _, file := range files {
		if whole != "" && path.Dir(file) != path.Dir(whole) {
			migrations = dir
			continue
		}
		content, err := survey.Blob(in, file)
		if err != nil {
			return dataGroup{}, err
		}
		switch path.Ext(file) {
		case ".prisma":
			kind = "Prisma"
			s.Prisma(file, string(content))
		case ".xml":
			s.Liquibase(file, content)
		default:
			s.SQL(file, 1, string(content))
		}
	}
	if kind != "" {
		s.WithoutRelations()
	}
	g := groupOf(dir, &s)
	g.kind, g.migrations, g.whole = kind, migrations, whole
	return g, nil
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

// codeGroups lists the tables that the code of each module creates, and its models.
func codeGroups(surfaces []surface) []dataGroup {
	byID := map[string]dataFact{}
	facts := make([][]dataFact, len(surfaces))
	for i, s := range surfaces {
		for _, b := range s.Elements {
			f := dataFact{ddl.FromFact(b.Name, b.Also, b.Value, b.Default, b.Usage, b.Help, b.Doc), element{b, s.module}}
			f.Table.File = f.at.file()
			if facts[i] = append(facts[i], f); b.ID != "" {
				byID[idOf(s.module, b.ID)] = f
			}
		}
		slices.SortStableFunc(facts[i], func(a, b dataFact) int { return ddl.CompareFiles(a.Table.File, b.Table.File) })
	}
	parts := map[string]bool{} // structs whose columns are in models
	for i, s := range surfaces {
		for _, f := range facts[i] {
			for _, c := range f.Columns {
				parts[idOf(s.module, c.Embeds)] = c.Embeds != ""
			}
		}
	}
	var out []dataGroup
	for i, s := range surfaces {
		groups := []dataGroup{tablesOf(s.module, facts[i])}
		for _, f := range facts[i] {
			f.Table.Columns = inherited(f, byID)
			if f.Model == "" || f.at.Usage == source.Hidden || f.Stored == "" && parts[idOf(s.module, cmp.Or(f.at.ID, "?"))] && !f.IsModel() {
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

// tablesOf applies the SQL in the code of a module.
func tablesOf(module string, facts []dataFact) dataGroup {
	var s ddl.Schema
	places, unread := map[string]element{}, map[string]int{}
	for _, f := range facts {
		switch file := f.Table.File; {
		case f.Unread > 0:
			unread[file] = f.Unread
		case f.Changes == "" && f.Model == "":
			s.Put(f.Table)
			places[file+" "+f.Name] = f.at
		}
	}
	for _, f := range facts {
		s.SQL(f.Table.File, 1, f.Changes)
	}
	g := groupOf(module, &s)
	for i := range g.tables {
		g.tables[i].at = places[g.tables[i].File+" "+g.tables[i].Name]
	}
	for file, n := range g.unread {
		unread[file] += n
	}
	g.unread = unread
	return g
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
