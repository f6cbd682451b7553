package render

import (
	"fmt"
	"os"
	"strings"
	"testing"

	"github.com/causaldocs/causal/knowledge/ddl"
	"github.com/causaldocs/causal/knowledge/engine"
)

// dataFiles is a repository that keeps its tables in every way.
var dataFiles = map[string]string{
	"go.mod":                     "module example.com/shop\n",
	"db/migrations/10_total.sql": "ALTER TABLE carts ADD COLUMN total int NOT NULL DEFAULT 0;\nALTER TABLE far ADD x int;\n",
	"db/migrations/9_init.sql": "CREATE TABLE users (id serial PRIMARY KEY, mail text UNIQUE);\nCREATE TABLE carts (id uuid PRIMARY KEY, owner int REFERENCES users(id));\n" +
		"CREATE TABLE copies AS SELECT 1;\n",
	"db/migrations/9_init.down.sql":  "DROP TABLE carts;\n",
	"mysql/LATEST.sql":               "CREATE TABLE users (id int);\n",
	"mysql/1.2/1__user.sql":          "CREATE TABLE olds (id int);\n",
	"web/prisma/schema.prisma":       "/// A *reader*.\nmodel Reader {\n  id Int @id\n  team Team @relation(fields: [teamId], references: [id])\n  teamId Int @map(\"team_id\") /// whose\n  @@map(\"readers\")\n}\nmodel Team {\n  id Int @id\n}\n",
	"web/prisma/migrations/1/m.sql":  "CREATE TABLE readers (id int);\n",
	"store/store.go":                 "// Package store keeps it.\npackage store\n\nvar list = []string{`CREATE TABLE logs (id int, line text)`, \"DROP TABLE gone; ALTER TABLE later ADD n int\"}\n",
	"store/a.go":                     "package store\n\nvar first = `CREATE TABLE gone (id int); CREATE TABLE later (id int)`\n",
	"store/generate-test-fixture.go": "package store\n\nvar fixture = `CREATE TABLE fixed (id int)`\n",
	"store/store_test.go":            "package store\n\nvar test = `CREATE TABLE tested (id int)`\n",
	"src/main/java/b/Base.java":      "package b;\nimport jakarta.persistence.*;\n@MappedSuperclass\npublic class Base { @Id private Long id; }\n",
	"src/main/java/o/Owner.java":     "package o;\nimport jakarta.persistence.*;\nimport b.Base;\n/** Owns pets. Many. */\n@Entity\n@Table(name = \"owners\")\npublic class Owner extends Base { @ManyToOne private Owner of; private String name; }\n",
	"py/models.py":                   "from django.db import models\nclass Dated(models.Model):\n    at = models.DateTimeField()\n    class Meta:\n        abstract = True\nclass Cart(Dated):\n    total = models.IntegerField(default=0, help_text=\"in cents | all\")\n",
}

func dataPageIn(t *testing.T, files map[string]string) string {
	t.Helper()
	r := newRepo(t, files)
	r.nodes()
	return r.conclude(r.plugin(), engine.Unit{Kind: PageKind, Subject: dataPage}, nil).Body.(*Page).generated
}

func TestDataPage(t *testing.T) {
	t.Parallel()
	got := dataPageIn(t, dataFiles)
	const golden = "testdata/pages/data.md"
	if *update {
		if err := os.WriteFile(golden, []byte(got), 0o600); err != nil {
			t.Fatal(err)
		}
	}
	want, err := os.ReadFile(golden)
	if err != nil {
		t.Fatal(err)
	}
	if got != string(want) {
		t.Errorf("%s differs; run with -update:\n%s", golden, got)
	}
}

// TestMigrationsInFilesAndCode: both of a directory apply in the order of their names.
func TestMigrationsInFilesAndCode(t *testing.T) {
	t.Parallel()
	page := dataPageIn(t, map[string]string{
		"go.mod": "module x\n", "db/1_init.sql": "CREATE TABLE songs (id int);\nCREATE TABLE gone (id int);\n",
		"db/2_plays.go": "package db\n\nvar plays = `ALTER TABLE songs ADD plays int; DROP TABLE gone`\n",
		"db/3_again.go": "package db\n\nvar again = `CREATE TABLE songs_new (id int, plays int, title text); DROP TABLE songs; ALTER TABLE songs_new RENAME TO songs`\n",
		"db/4_year.sql": "ALTER TABLE songs ADD COLUMN year int;\n",
	})
	const table = "| Name | Type |\n|---|---|\n| `id` | `int` |\n| `plays` | `int` |\n| `title` | `text` |\n| `year` | `int` |\n"
	if !strings.Contains(page, table) || strings.Count(page, "### ") != 1 || strings.Contains(page, "Not read") {
		t.Errorf("the table songs is not whole:\n%s", page)
	}
}

// TestDialects: the schema of another database does not repeat the tables.
func TestDialects(t *testing.T) {
	t.Parallel()
	const tables = "CREATE TABLE a (id int);\nCREATE TABLE b (id int, n text);\nCREATE TABLE c (id int);\nCREATE TABLE d (id int);\n"
	page := dataPageIn(t, map[string]string{
		"db/mysql/a.sql": tables, "db/pg/a.sql": tables + "CREATE TABLE extra (id int);\n",
		"db/sqlite/a.sql": strings.Replace(tables, "c (id", "c (x", 1) + "CREATE TABLE y (id int);\n", "other/a.sql": tables, "db/few/a.sql": "CREATE TABLE a (id int);\nCREATE TABLE b (id int);\n",
		"go.mod": "module x\n", "x.go": "package x\n",
	})
	if n := strings.Count(page, "### `c`"); n != 3 { // of mysql, sqlite and other
		t.Errorf("%d times the table c:\n%s", n, page)
	}
	for _, want := range []string{"### `extra`", "The other tables are the same as in [`db/mysql`](#tables-in-dbmysql), by the names of their columns.", "- [`c`](#c-1)\n- [`y`](#y)\n"} {
		if !strings.Contains(page, want) {
			t.Errorf("no %q in\n%s", want, page)
		}
	}
}

// TestNoDataPage: where no table is declared there is no page, also if something is not read.
func TestNoDataPage(t *testing.T) {
	t.Parallel()
	for _, sql := range []string{"SELECT 1;", "ALTER TABLE a ADD b int;"} {
		if got := dataPageIn(t, map[string]string{"go.mod": "module x\n", "a.go": "package a\n", "q.sql": sql}); got != "" {
			t.Errorf("%s makes\n%s", sql, got)
		}
	}
}

// TestManyTables: where there is no room for all columns, each table still has a line.
func TestManyTables(t *testing.T) {
	t.Parallel()
	small := dataGroup{dir: "small", tables: []dataTable{{Table: ddl.Table{Name: "one", File: "small/a.sql", Columns: []ddl.Column{{Name: "only", Type: "int"}}}}}}
	large := dataGroup{dir: "large"}
	for i := range 2000 {
		large.tables = append(large.tables, dataTable{Table: ddl.Table{
			Name: fmt.Sprintf("t%d", i), File: "large/a.sql", Columns: []ddl.Column{{Name: "id", Type: "bigint"}, {Name: "title", Type: "text"}},
		}})
	}
	r := newRepo(t, nil)
	got := renderData(r.config, []dataGroup{large, small}, nil)
	for _, want := range []string{"- `t0` in [`large/a.sql`](../../large/a.sql): `id`, `title`\n", "- `t1999` in ", "### `one`\n", "| `only` | `int` |\n"} {
		if !strings.Contains(got, want) {
			t.Errorf("%q is not on the page", want)
		}
	}
	if len(got) > mostData || strings.Contains(got, "#t0") {
		t.Errorf("the page has %d bytes, or leads to sections that are not there", len(got))
	}
	for range 3 {
		large.tables = append(large.tables, large.tables...)
	}
	if got := renderData(r.config, []dataGroup{large}, nil); len(got) > mostData+1000 || !strings.Contains(got, "There is no room for ") {
		t.Errorf("a page of %d bytes does not say what it leaves out", len(got))
	}
}

// TestEmbeddedModels: a model that another one embeds stays on the page; a base with only a key and times does not.
func TestEmbeddedModels(t *testing.T) {
	t.Parallel()
	const head = "package m\n\nimport \"gorm.io/gorm\"\n\n"
	page := dataPageIn(t, map[string]string{
		"go.mod": "module x\n",
		"m/a.go": head + "type Admin struct {\n\tUser User `gorm:\"embedded\"`\n\tLevel int `gorm:\"column:level\"`\n}\ntype Order struct {\n\tBase\n\tGeo Geo `gorm:\"embedded\"`\n\tTotal int `gorm:\"column:total\"`\n}\n",
		"m/b.go": head + "type User struct {\n\tgorm.Model\n\tName string `gorm:\"size:100\"`\n}\ntype Base struct {\n\tID uint `gorm:\"primaryKey\"`\n\tAt time.Time\n}\ntype Geo struct {\n\tLat float64 `gorm:\"column:lat\"`\n}\n",
	})
	for name, want := range map[string]bool{"Admin": true, "User": true, "Order": true, "Base": false, "Geo": false} {
		if got := strings.Contains(page, "### `"+name+"`"); got != want {
			t.Errorf("%s is on the page: %v, want %v\n%s", name, got, want, page)
		}
	}
}
