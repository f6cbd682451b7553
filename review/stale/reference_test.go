package stale

import (
	"fmt"
	"strings"
	"testing"

	"github.com/causaldocs/causal/knowledge/survey"
	"github.com/causaldocs/causal/review/change/changetest"
)

const parse = "// ParseAmount reads a whole number\n// of large units.\nfunc ParseAmount(text string) (int, error) {\n\treturn digits(text)\n}\n\n"

var shop = files{
	"go.mod":           "module example.com/shop\n\ngo 1.22\n",
	"money/money.go":   "// Package money holds amounts.\npackage money\n\nimport \"strconv\"\n\n// Amount counts small units.\ntype Amount int64\n\n" + parse + "func digits(text string) (int, error) { return strconv.Atoi(text) }\n",
	"cmd/shop/main.go": "package main\n\nimport (\n\t\"flag\"\n\t\"os\"\n)\n\nfunc main() {\n\tmost := flag.Int(\"max-items\", 10, \"most of a cart\")\n\tflag.Parse()\n\tprintln(os.Getenv(\"SHOP_ADDR\"), *most)\n}\n",
	"README.md": "# Shop\n\nCall `money.ParseAmount` to read a price. `LegacyParse` went away long ago.\n\nThe server listens on `SHOP_ADDR`, takes `--max-items`, and `scripts/release.sh` releases it.\n\n" +
		"```sh\nSHOP_ADDR=:8080 shop --max-items 5\n```\n\nIn plain prose ParseAmount, SHOP_ADDR, max-items and scripts/release.sh are words like others.\n",
	"docs/guide.md":                   "# Guide\n\n\nSee `ParseAmount()` and `Total`.\n",
	"cart.go":                         "package shop\n\ntype Cart struct {\n\tPrice int\n\tin struct{ Other int }\n}\n\ntype Store interface {\n\tDropAll()\n}\n",
	"cart.md":                         "Of `Cart.Price`.\nCall `store.DropAll()`.\n",
	"CHANGELOG.md":                    "`ParseAmount` `SHOP_ADDR` `--max-items` `scripts/release.sh`\n",
	"LICENSE.md":                      "`ParseAmount` `SHOP_ADDR` `--max-items` `scripts/release.sh`\n",
	"vendor/dep/README.md":            "`ParseAmount` `SHOP_ADDR` `--max-items` `scripts/release.sh`\n",
	"scripts/release.sh":              "#!/bin/sh\n",
	"src/context.ts":                  "export function createContext(): void {}\n",
	"guide.md":                        "See `React.createContext`.\n\nCall `createContext()`.\n",
	"docs/previous-versions/guide.md": "Call `createContext()`.\n",
}

// references says where which name is stale.
func references(t *testing.T, w survey.Reader) string {
	t.Helper()
	names, err := Removed(w)
	if err != nil {
		t.Fatal(err)
	}
	docs, err := Documents(w, names)
	if err != nil {
		t.Fatal(err)
	}
	var out []string
	for _, doc := range docs {
		found, err := References(w, doc, names)
		if err != nil {
			t.Fatal(err)
		}
		for _, f := range found {
			out = append(out, fmt.Sprintf("%s:%d %s %s", f.Path, f.Line, f.Symbol, f.Change))
		}
	}
	return strings.Join(out, "\n")
}

func TestReferences(t *testing.T) {
	t.Parallel()
	noParse := edit{"money/money.go", parse, ""}
	for _, test := range []struct {
		name  string
		edits []edit
		want  string
	}{
		{"nothing", nil, ""},
		{"function removed", []edit{noParse}, "README.md:3 ParseAmount symbol removed\ndocs/guide.md:4 ParseAmount symbol removed"},
		{"function renamed", []edit{{"money/money.go", "ParseAmount", "ReadAmount"}}, "README.md:3 ParseAmount symbol renamed\ndocs/guide.md:4 ParseAmount symbol renamed"},
		{
			"environment variable removed",
			[]edit{{"cmd/shop/main.go", `os.Getenv("SHOP_ADDR")`, "os.Args[0]"}},
			"README.md:5 SHOP_ADDR environment variable removed\nREADME.md:8 SHOP_ADDR environment variable removed",
		},
		{"flag renamed", []edit{{"cmd/shop/main.go", `"max-items"`, `"most"`}}, "README.md:5 --max-items flag removed\nREADME.md:8 --max-items flag removed"},
		{"file removed", []edit{{"scripts/release.sh", "", ""}}, "README.md:5 scripts/release.sh file removed"},
		{"file renamed", []edit{{"scripts/release.sh", "", ""}, {"scripts/ship.sh", "", "#!/bin/sh\n"}}, "README.md:5 scripts/release.sh file renamed"},
		{"set where nothing reads it", []edit{
			{"cmd/shop/main.go", `os.Getenv("SHOP_ADDR")`, "os.Args[0]"}, {"Dockerfile", "", "FROM scratch\nENV SHOP_ADDR=:80\nCMD [\"shop\", \"--max-items\", \"5\"]\n"}, {".env.example", "", "# Shop\nSHOP_ADDR=:80\n"},
			{"compose.yml", "", "services:\n  shop:\n    build: .\n    environment:\n      - SHOP_ADDR=${SHOP_ADDR:-80}\n"},
		}, ".env.example:2 SHOP_ADDR environment variable removed\nDockerfile:2 SHOP_ADDR environment variable removed\nREADME.md:5 SHOP_ADDR environment variable removed\nREADME.md:8 SHOP_ADDR environment variable removed\ncompose.yml:5 SHOP_ADDR environment variable removed"},
		{"passed by an image", []edit{{"cmd/shop/main.go", `"max-items"`, `"most"`}, {"Dockerfile", "", "FROM scratch\nCMD [\"shop\", \"--max-items\", \"5\"]\n"}},
			"Dockerfile:2 --max-items flag removed\nREADME.md:5 --max-items flag removed\nREADME.md:8 --max-items flag removed"},
		{"used by an image", []edit{{"cmd/shop/main.go", `os.Getenv("SHOP_ADDR")`, "os.Args[0]"}, {"Dockerfile", "", "FROM scratch\nENV SHOP_ADDR=:80\nEXPOSE $SHOP_ADDR\n"}}, ""},
		{"set for another image", []edit{{"cmd/shop/main.go", `os.Getenv("SHOP_ADDR")`, "os.Args[0]"}, {"compose.yml", "", "services:\n  shop:\n    image: other/shop\n    environment:\n      SHOP_ADDR: 80\n"}}, ""},
		{"set by a settings class", []edit{{"cmd/shop/main.go", `os.Getenv("SHOP_ADDR")`, "os.Args[0]"}, {".env.example", "", "SHOP_ADDR=:80\n"}, {"s.py", "", "class Settings:\n    shop_addr: str\n"}}, ""},
		{"a file that HTML links removed", []edit{
			{"README.md", "# Shop\n", "# Shop\n\nSee <a href=\"scripts/release.sh\">it</a>, <img src='docs/guide.md'>\n"}, {"README.md", "`scripts/release.sh` releases", "it"}, {"scripts/release.sh", "", ""},
		}, "README.md:3 scripts/release.sh file removed"},
		{"declared elsewhere", []edit{noParse, {"rate/rate.go", "", "package rate\n\n// ParseAmount reads.\nfunc ParseAmount(s string) string { return s }\n"}}, ""},
		{"a file that is linked removed", []edit{
			{"README.md", "# Shop\n", "# Shop\n\n[ship](scripts/release.sh#now) ![ship](scripts/release.shx)\n\nGone: [removed](scripts/release.sh)\n"}, {"scripts/release.sh", "", ""},
		}, "README.md:3 scripts/release.sh file removed\nREADME.md:9 scripts/release.sh file removed"},
		{"a file that is linked from beside removed", []edit{
			{"docs/guide.md", "# Guide\n", "# Guide\n\n[ship](../scripts/release.sh) [other](scripts/release.sh)\n"}, {"README.md", "scripts/release.sh", "nothing"}, {"scripts/release.sh", "", ""},
		}, "docs/guide.md:3 scripts/release.sh file removed"},
		{"named in a script", []edit{{"cmd/shop/main.go", `os.Getenv("SHOP_ADDR")`, "os.Args[0]"}, {"run.sh", "", "SHOP_ADDR=1 shop\n"}}, ""},
		{"declared in an indented block", []edit{noParse, {"docs/guide.md", "# Guide\n", "# Guide\n\n\tfunc ParseAmount(text string) int\n"}}, "README.md:3 ParseAmount symbol removed"},
		{"named in an indented block", []edit{noParse, {"README.md", "# Shop\n", "# Shop\n\n\tmoney.ParseAmount(text)\n"}, {"docs/guide.md", "ParseAmount()", "Amount"}}, "README.md:5 ParseAmount symbol removed"},
		{"of a file that is a namespace", []edit{{"src/context.ts", "export function createContext(): void {}\n", "export {};\n"}}, "guide.md:3 context.createContext symbol removed"},
		{"named in a changelog only", []edit{noParse, {"README.md", "money.ParseAmount", "money.Amount"}, {"docs/guide.md", "ParseAmount()", "Amount"}}, ""},
		{"documents deleted along", []edit{noParse, {"README.md", "", "# Shop\n"}, {"docs/guide.md", "", ""}}, ""},
		{"a variable that is put together", []edit{{"cmd/shop/main.go", `os.Getenv("SHOP_ADDR")`, `variable("ADDR")`}}, ""},
		{"a field and a method of an interface removed", []edit{{"cart.go", "\tPrice int\n", ""}, {"cart.go", "\tDropAll()\n", ""}}, "cart.md:1 Cart.Price symbol removed\ncart.md:2 Store.DropAll symbol removed"},
		{"a variable of everybody's", []edit{
			{"cmd/shop/main.go", "SHOP_ADDR", "GOPATH"}, {"README.md", "SHOP_ADDR", "GOPATH"},
		}, ""},
	} {
		t.Run(test.name, func(t *testing.T) {
			t.Parallel()
			if got := references(t, changetest.Between(t, shop, shop.with(t, test.edits...))); got != test.want {
				t.Errorf("%s\nwant\n%s", got, test.want)
			}
		})
	}
}

// TestNames: what is named by what a document says.
func TestNames(t *testing.T) {
	t.Parallel()
	symbol := Name{Kind: Symbol, Text: "ParseAmount", Module: "money", Symbol: "ParseAmount", Path: "money/money.go", Qualifiers: []string{"money"}}
	plain := Name{Kind: Symbol, Text: "parse", Module: "money", Symbol: "parse", Path: "money/__init__.py", Qualifiers: []string{"money"}}
	member := Name{Kind: Symbol, Text: "Close", Module: "money", Symbol: "Server.Close", Path: "money/money.go", Member: true, Qualifiers: []string{"money", "server"}}
	scoped := Name{Kind: Symbol, Text: "createContext", Module: "src", Symbol: "context.createContext", Path: "src/context.ts", Qualifiers: []string{"src", "context"}}
	flag, word := Name{Kind: Flag, Text: "max-items", Path: "main.go"}, Name{Kind: Flag, Text: "author", Path: "main.go"}
	variable, short := Name{Kind: Variable, Text: "SHOP_ADDR", Path: "main.go"}, Name{Kind: Variable, Text: "PORT", Path: "main.go"}
	file := Name{Kind: Path, Text: "scripts/release.sh", Path: "scripts/release.sh"}
	for _, test := range []struct {
		name Name
		text string // a span, unless it begins with a fence
		want bool
	}{
		{symbol, "ParseAmount", true},
		{symbol, "money.ParseAmount(text)", true},
		{symbol, "*money.ParseAmount", true},
		{symbol, "json.ParseAmount", false},
		{symbol, "if ParseAmount(x) > 0 {", true},
		{symbol, "ParseAmounts", false},
		{symbol, "x-ParseAmount", false},
		{symbol, "```\nmoney.ParseAmount(x)\n```", true},
		{symbol, "```\nfunc ParseAmount(x) {\n```", false},
		{symbol, "```\nParseAmount := 1\n```", false},
		{symbol, "```\nimport { ParseAmount } from 'other'\n```", false},
		{symbol, "```\nimport { ParseAmount } from '@shop/money'\n```", true},
		{plain, "parse", false},
		{plain, "parse()", true},
		{plain, "money.parse", true},
		{plain, "```\nparse this\n```", false},
		{plain, "```\nmoney.parse(this)\n```", true},
		{member, "Server.Close", true},
		{member, "Close", true},
		{member, "```\nfile.Close()\n```", false},
		{scoped, "createContext", true},
		{scoped, "context.createContext()", true},
		{scoped, "React.createContext", false},
		{scoped, "```\nimport { createContext } from 'react'\n```", false},
		{scoped, "```\nimport { createContext } from 'shop/context'\n```", true},
		{flag, "--max-items", true},
		{flag, "-max-items=5", true},
		{flag, "shop --max-items 5", true},
		{flag, "git log --max-items 5", false},
		{flag, "```\n$ docker run \\\n  --max-items 5\n```", false},
		{flag, "--max-items-per-page", false},
		{flag, "max-items", false},
		{word, "--author", true},
		{word, "shop --author me", false},
		{word, "```\nshop --author me\n```", false},
		{variable, "SHOP_ADDR=:80 shop", true},
		{variable, "MY_SHOP_ADDR", false},
		{short, "PORT", true},
		{short, "```\nPORT 80\n```", false},
		{short, "```\nPORT=80 shop\n```", true},
		{file, "scripts/release.sh", true},
		{file, "./scripts/release.sh -v", true},
		{file, "release.sh", false},
		{file, "```\nimport en from \"scripts/release.sh\"\n```", false},
		{file, "https://example.com/scripts/release.sh", false},
		{file, "/scripts/release.sh", false},
		{file, "other/scripts/release.sh", false},
	} {
		text := test.text
		if !strings.HasPrefix(text, "```") {
			text = "`" + text + "`"
		}
		found, err := References(changetest.Between(t, shop, files{"go.mod": "", "README.md": text}), "README.md", []Name{test.name})
		if err != nil || len(found) > 0 != test.want {
			t.Errorf("%s in %s: %v %v", test.name.Text, test.text, found, err)
		}
	}
}
