package render

import (
	"path"
	"slices"
	"strings"

	"github.com/causaldocs/causal/knowledge/ddl"
	"github.com/causaldocs/causal/knowledge/engine"
	"github.com/causaldocs/causal/knowledge/lazyregexp"
	"github.com/causaldocs/causal/knowledge/source"
	"github.com/causaldocs/causal/knowledge/survey"
)

// dataGroup are the tables that the statements of one place lead to, or the models of one.
type dataGroup struct {
	dir    string
	kind   string // of models; empty for tables
	tables []dataTable
	// unread counts the statements that are not read, and strayed those that change tables which the group does not create, by file.
	unread, strayed map[string]int
	migrations      string // a directory of migrations that are not applied
	whole           string // for this file has all tables by its name
}

// dataTable is a table or a model, and where it is declared.
type dataTable struct {
	ddl.Table
	at     element // of one in code
	anchor string
}

// dataPageOf is the page of the tables and models without what people wrote on it.
func dataPageOf(in engine.Input, c Config, g *factGraph) (string, error) {
	groups, err := schemaGroups(in)
	if err != nil {
		return "", err
	}
	surfaces := surfacesIn(g, dataPart)
	return renderData(c, append(groups, codeGroups(surfaces)...), staleIn(surfaces)), nil
}

// versioned matches what a directory of migrations has below it for each of them: "0.21", "20240102_init", "v2".
var versioned = lazyregexp.New(`^v?\d`)

// schemaDir is the directory whose files lead to tables together.
func schemaDir(file string) string {
	dir := path.Dir(file)
	for dir != "." && versioned.MatchString(path.Base(dir)) {
		dir = path.Dir(dir)
	}
	return dir
}

// schemaGroups are the tables of schema files, those of each directory in the order of their names.
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

// isWhole reports whether a file says by its name that it has all tables, so that nobody need read the migrations that lead to them.
func isWhole(file string) bool {
	switch strings.ToLower(path.Base(file)) {
	case "schema.sql", "structure.sql", "latest.sql":
		return true
	}
	return path.Ext(file) == ".prisma"
}

// schemaGroup reads the files of a directory. Where one of them has all tables, those of the directories for versions are left out.
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
		if path.Ext(file) == ".prisma" {
			kind = "Prisma"
			s.Prisma(file, string(content))
		} else {
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
			if !strings.HasPrefix(strings.ToUpper(change), "DROP") { // which is done to begin again
				g.strayed[file]++
			}
		}
	}
	return g
}

// dataFact is what code says of a table or a model.
type dataFact struct {
	ddl.Fact
	at element
}

// codeGroups are the tables that the code of each module creates, and its models.
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
	var out []dataGroup
	for i, s := range surfaces {
		groups := []dataGroup{tablesOf(s.module, facts[i])}
		for _, f := range facts[i] {
			if f.Model == "" || f.at.Usage == source.Hidden {
				continue
			}
			at := slices.IndexFunc(groups, func(g dataGroup) bool { return g.kind == f.Model })
			if at < 0 {
				at, groups = len(groups), append(groups, dataGroup{dir: s.module, kind: f.Model})
			}
			f.Table.Columns = inherited(f, byID)
			groups[at].tables = append(groups[at].tables, dataTable{Table: f.Table, at: f.at})
		}
		out = append(out, groups...)
	}
	return out
}

// tablesOf are the tables that SQL in the code of a module leads to.
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

// longestLine is how many models extend one another.
const longestLine = 8

// inherited are the columns of a model with those of the models that it extends.
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
	return out
}
