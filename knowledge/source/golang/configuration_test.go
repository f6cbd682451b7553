package golang_test

import (
	"slices"
	"strings"
	"testing"
)

func TestConfiguration(t *testing.T) {
	t.Parallel()
	src := "package p\nimport (\"gopkg.in/yaml.v3\"; \"encoding/json\"; \"example.com/db\")\n" +
		"type ServerConfig struct {\n\t// Where it listens. More.\n\tAddr string `yaml:\"addr\" json:\"address\" default:\":80\"`\n" +
		"\tDB *db.Options `yaml:\"db\"`\n\tLog struct { Level string `yaml:\"level\"` // how much\n } `yaml:\"log\"`\n\tTLS struct { Cert string `yaml:\"cert\"` }\n" +
		"\tCommon `yaml:\",inline\"`\n\tClient db.Client `yaml:\",inline\"`\n\tdb.Embedded\n\t// Addr is the first.\n\tOther string `yaml:\"other\"`\n\tNo string\n\tHidden string `yaml:\"-\"`\n}\n" +
		"type Common struct { Name string `yaml:\"name\"` }\n" +
		"type Answer struct { ID string `json:\"id\"` }\n" +
		"type fileConfig struct { ID []string `json:\"id\"`; Rules []*rule `json:\"rules\"`; Hosts map[string]host `json:\"hosts\"` }\n" +
		"type rule struct { Path string `json:\"path\"` }\ntype host struct { Name string `json:\"name\"` }\n" +
		"func f() { var c fileConfig; json.Unmarshal(b, &c); var a Answer; json.Unmarshal(b, &a) }\n"
	want := `config  =Common <ServerConfig
config  =ServerConfig <*
config  =db.Client <ServerConfig :db.Client
config  =db.Embedded <ServerConfig
config  =fileConfig <*
config tls.cert <ServerConfig :string
config addr <ServerConfig :string ~:80 ?Where it listens
config db =db.Options <ServerConfig :db.Options
config id <fileConfig :[]string
config log.level <ServerConfig :string ?how much
config hosts =host <fileConfig |.* :map[string]host
config name <Common :string
config name <host :string
config other <ServerConfig :string
config path <rule :string
config rules =rule <fileConfig |[] :[]*rule`
	got := strings.TrimSpace(said(extract(t, "p.go", src)))
	if sorted(got) != sorted(want) {
		t.Errorf("got:\n%s\nwant:\n%s", got, want)
	}
}

func sorted(text string) string {
	lines := strings.Split(text, "\n")
	slices.Sort(lines)
	return strings.Join(lines, "\n")
}
