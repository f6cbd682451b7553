package golang

import (
	"strings"
	"testing"

	"github.com/causaldocs/causal/knowledge/source"
)

// TestDoublingPaths: a path that refers to itself in a format stays short.
func TestDoublingPaths(t *testing.T) {
	t.Parallel()
	src := "package shop\n\nimport (\"fmt\"; \"net/http\")\n\nfunc conf(p string) string { if x { return base + p }; return p }\n\nfunc serve(mux *http.ServeMux) {\n\tp := \"/a\"\n" +
		strings.Repeat("\tp = conf(fmt.Sprintf(\"%s%s\", p, p))\n", 30) + "\tmux.HandleFunc(p, list)\n}\n"
	for _, f := range (Language{}).Extract(t.Context(), "a.go", []byte(src)).Facts {
		if len(f.Name) > 4<<10 {
			t.Errorf("a path of %d bytes", len(f.Name))
		}
	}
}

func TestSpacedTags(t *testing.T) {
	t.Parallel()
	src := "package shop\ntype Task struct {\n\tID int64 `xorm:\"bigint autoincr not null unique pk\"`\n\tTitle string `xorm:\"varchar(250) not null default '' 'task_title'\"`\n" +
		"\tOwner *User `xorm:\"-\"`\n\tOld []string `xorm:\"JSON null\"`\n\tDone bool `xorm:\"INDEX null\"`\n}\nfunc (Task) TableName() string { return \"tasks\" }\n" +
		"type TaskWithUser struct {\n\tTask `xorm:\"extends\"`\n}\ntype Bulk struct {\n\tTasks []Task `xorm:\"-\"`\n}\n"
	for name, want := range map[string]string{"migration": "", "shop": `Task tasks XORM {"name":"ID","type":"bigint","key":true,"unique":true,"required":true}
{"name":"Title","type":"varchar(250)","stored":"task_title","required":true}
{"name":"Old","type":"JSON"}
{"name":"Done","type":"bool"}`} {
		got := ""
		for _, x := range (Language{}).Extract(t.Context(), "a.go", []byte(strings.Replace(src, "package shop", "package "+name, 1))).Facts {
			if x.Kind == source.Data {
				got += x.Name + " " + x.Also + " " + x.Value + " " + x.Doc
			}
		}
		if got != want {
			t.Errorf("%s: got:\n%s\nwant:\n%s", name, got, want)
		}
	}
}

func TestModels(t *testing.T) {
	t.Parallel()
	f := Language{}.Extract(t.Context(), "shop/model.go", []byte(`package shop

import "gorm.io/gorm"

type Timed struct {
	CreatedOn int64 `+"`gorm:\"autoCreateTime\"`"+`
}

type User struct {
	gorm.Model
	Timed
	Name   string `+"`gorm:\"column:user_name;not null;uniqueIndex\"`"+`
	Carts  []Cart
	Photo  []byte
	secret string
	Skip   string `+"`gorm:\"-\"`"+`
}

type Cart struct {
	ID     uint `+"`gorm:\"primaryKey\"`"+`
	UserID uint
	User   *User `+"`gorm:\"foreignKey:UserID\"`"+`
}

func (Cart) TableName() string { return "carts" }

type Other struct{ A, B int }

type Option[T any] struct {
	Value T `+"`gorm:\"column:v\"`"+`
}

type Pair struct { PrivateKey string `+"`gorm:\"size:9\"`"+` }

type Stored struct {
	ID uint `+"`gorm:\"primaryKey\"`"+`
	CreatedAt time.Time
}

type Person struct {
	gorm.Model
	Name string
}

type Admin struct {
	Stored
	Person Person `+"`gorm:\"embedded\"`"+`
}

type Peer struct {
	Pair
	Base
	MaxMtu Option[int] `+"`gorm:\"embedded;embeddedPrefix:mtu_\"`"+`
	Away   Elsewhere[string] `+"`gorm:\"embedded;embeddedPrefix:away_\"`"+`
	Nets   []Cidr `+"`gorm:\"many2many:peer_nets;\"`"+`
}
`))
	var got []string
	for _, x := range f.Facts {
		if x.Kind == source.Data {
			got = append(got, x.Name+" "+x.Also+" "+strings.TrimSuffix(x.Value+" "+x.Doc+" "+x.Usage, " "))
		}
	}
	const stored = `{"name":"ID","type":"uint","key":true,"required":true}` + "\n" + `{"name":"CreatedAt","type":"time.Time"}`
	const person = stored + "\n" + `{"name":"UpdatedAt","type":"time.Time"}` + "\n" + `{"name":"DeletedAt","type":"gorm.DeletedAt"}` + "\n" + `{"name":"Name","type":"string"}`
	want := []string{
		"Admin  GORM " + stored + "\n" + person,
		`Cart carts GORM {"name":"ID","type":"uint","key":true,"required":true}` + "\n" + `{"name":"UserID","type":"uint","refers":"User"}`,
		`Option  GORM {"name":"Value","type":"T","stored":"v"} hidden`,
		`Pair  GORM {"name":"PrivateKey","type":"string"} hidden`,
		`Peer  GORM {"name":"PrivateKey","type":"string"}` + "\n" + `{"name":"Base","type":"Base","embeds":"Base"}` + "\n" + `{"name":"MaxMtu.Value","type":"int","stored":"mtu_v"}` + "\n" +
			`{"name":"Away","type":"Elsewhere[string]","stored":"away_","embeds":"Elsewhere"}`,
		"Person  GORM " + person,
		"Stored  GORM " + stored + " hidden",
		`Timed  GORM {"name":"CreatedOn","type":"int64"} hidden`,
		`User  GORM {"name":"ID","type":"uint","key":true,"required":true}` + "\n" + `{"name":"CreatedAt","type":"time.Time"}` + "\n" +
			`{"name":"UpdatedAt","type":"time.Time"}` + "\n" + `{"name":"DeletedAt","type":"gorm.DeletedAt"}` + "\n" + `{"name":"CreatedOn","type":"int64"}` + "\n" +
			`{"name":"Name","type":"string","stored":"user_name","unique":true,"required":true}` + "\n" + `{"name":"Photo","type":"[]byte"}`,
		`peer_nets  GORM `,
	}
	if strings.Join(got, "\n") != strings.Join(want, "\n") {
		t.Errorf("got\n%s\nwant\n%s", strings.Join(got, "\n"), strings.Join(want, "\n"))
	}
}
