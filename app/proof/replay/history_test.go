package main

import (
	"os"
	"path/filepath"
	"strings"
	"testing"
)

// repository is a repository that a test writes the history of.
type repository struct {
	t   *testing.T
	dir string
}

func newRepository(t *testing.T) *repository {
	t.Helper()
	r := &repository{t, t.TempDir()}
	r.git("init", "--quiet", "--initial-branch=main")
	return r
}

func (r *repository) git(args ...string) string {
	r.t.Helper()
	out, err := git(r.t.Context(), r.dir, args...)
	if err != nil {
		r.t.Fatal(err)
	}
	return strings.TrimSpace(out)
}

func (r *repository) write(name, content string) {
	r.t.Helper()
	file := filepath.Join(r.dir, filepath.FromSlash(name))
	if err := os.MkdirAll(filepath.Dir(file), 0o755); err != nil {
		r.t.Fatal(err)
	}
	if err := os.WriteFile(file, []byte(content), 0o644); err != nil {
		r.t.Fatal(err)
	}
}

// replace edits a file.
func (r *repository) replace(name, old, next string) {
	r.t.Helper()
	data, err := os.ReadFile(filepath.Join(r.dir, filepath.FromSlash(name)))
	if err != nil {
		r.t.Fatal(err)
	}
	if !strings.Contains(string(data), old) {
		r.t.Fatalf("%s does not contain %q", name, old)
	}
	r.write(name, strings.Replace(string(data), old, next, 1))
}

func (r *repository) commit(subject string) {
	r.t.Helper()
	r.git("add", "--all")
	r.git("commit", "--quiet", "--allow-empty", "--message", subject)
}

// edit is one commit of the synthetic history.
type edit struct {
	name string
	make func(r *repository)
}

func begin(r *repository) {
	r.write("go.mod", "module example.com/shop\n\ngo 1.24\n")
	r.write("README.md", "# Shop\n\nSells things.\n")
	r.write("money/money.go", `// Package money holds amounts.
package money

// Amount is a sum in cents.
type Amount int

// Add adds two amounts.
func Add(a, b Amount) Amount { return a + b }
`)
	r.write("cart/cart.go", `// Package cart collects what is bought.
package cart

import "example.com/shop/money"

// Total sums up prices.
func Total(prices []money.Amount) money.Amount {
	var sum money.Amount
	for _, p := range prices {
		sum = money.Add(sum, p)
	}
	return sum
}
`)
	r.write("mail/mail.go", `// Package mail writes letters.
package mail

// Greet begins a letter.
func Greet(name string) string { return "Dear " + name }
`)
	r.commit("begin")
}

// edits is the synthetic history after its first commit.
var edits = []edit{
	{"nothing", func(*repository) {}},
	{"a body", func(r *repository) { r.replace("money/money.go", "return a + b", "return b + a") }},
	{"a comment in a body", func(r *repository) {
		r.replace("cart/cart.go", "\tvar sum", "\t// begin with nothing\n\tvar sum")
	}},
	{"documentation", func(r *repository) { r.replace("mail/mail.go", "begins a letter", "opens a letter") }},
	{"a signature that another module uses", func(r *repository) {
		r.replace("money/money.go", "func Add(a, b Amount) Amount { return b + a }",
			"func Add(all ...Amount) (sum Amount) {\n\tfor _, a := range all {\n\t\tsum += a\n\t}\n\treturn sum\n}")
	}},
	{"a new unused function", func(r *repository) {
		r.write("money/sub.go", "package money\n\n// Sub subtracts.\nfunc Sub(a, b Amount) Amount { return a - b }\n")
	}},
	{"a renamed file", func(r *repository) { r.git("mv", "money/sub.go", "money/less.go") }},
	{"an executable file", func(r *repository) { r.git("update-index", "--chmod=+x", "mail/mail.go"); r.chmod("mail/mail.go") }},
	{"a new file", func(r *repository) {
		r.write("mail/text.go", "package mail\n\n// Bye ends a letter.\nconst Bye = \"Yours\"\n")
	}},
	{"a file that becomes a link", func(r *repository) { r.link("mail/text.go", "mail.go") }},
	{"a link that becomes a file", func(r *repository) {
		r.remove("mail/text.go")
		r.write("mail/text.go", "package mail\n\n// End ends a letter.\nconst End = \"Yours\"\n")
	}},
	{"an import of a link", func(r *repository) {
		r.write("tax/tax.go", "")
		r.link("tax/tax.go", "../README.md")
		r.replace("cart/cart.go", `import "example.com/shop/money"`, "import (\n\t\"example.com/shop/money\"\n\t\"example.com/shop/tax\"\n)")
		r.replace("cart/cart.go", "return sum", "return tax.Of(sum)")
	}},
	{"a file in its place", func(r *repository) {
		r.remove("tax/tax.go")
		r.write("tax/tax.go", "package tax\n\nimport \"example.com/shop/money\"\n\nfunc Of(a money.Amount) money.Amount { return a }\n")
	}},
	{"a readme", func(r *repository) { r.write("tax/README.md", "../README.md") }},
	{"a link of the same bytes", func(r *repository) { r.link("tax/README.md", "../README.md") }},
	{"the readme again", func(r *repository) {
		r.remove("tax/README.md")
		r.write("tax/README.md", "../README.md")
	}},
	{"a change while another is made on a branch", func(r *repository) {
		r.git("checkout", "--quiet", "-b", "side")
		r.replace("cart/cart.go", "Total sums up", "Total adds up")
		r.commit("on the side")
		r.replace("mail/mail.go", "Dear", "Hello")
		r.commit("on the side again")
		r.git("checkout", "--quiet", "main")
		r.replace("money/less.go", "Sub subtracts", "Sub takes away")
	}},
	{"a merge", func(r *repository) { r.git("merge", "--quiet", "--no-ff", "--no-commit", "side") }},
	{"a moved module", func(r *repository) {
		r.git("mv", "money", "coin")
		r.replace("coin/money.go", "package money", "package coin")
		r.replace("coin/money.go", "Package money", "Package coin")
		r.replace("coin/less.go", "package money", "package coin")
		for _, user := range []string{"cart/cart.go", "tax/tax.go"} {
			r.replace(user, "shop/money", "shop/coin")
			r.write(user, strings.ReplaceAll(r.read(user), "money.", "coin."))
		}
	}},
	{"a dependency that goes away", func(r *repository) { r.git("rm", "--quiet", "-r", "coin") }},
	{"and comes back", func(r *repository) { r.git("checkout", "HEAD~1", "--", "coin") }},
	{"scripts", func(r *repository) {
		r.write("api/rate.ts", "export const rate = 2\n")
		r.write("web/index.ts", "import { rate } from '../api/rate'\n\nexport const half = (n: number) => n / rate\n")
	}},
	{"a name that is passed on", func(r *repository) {
		r.replace("web/index.ts", "\nexport const half", "\nexport { rate }\n\nexport const half")
	}},
	{"a root module", func(r *repository) {
		r.write("shop.go", "// Package shop is the shop.\npackage shop\n\n// Name is its name.\nconst Name = \"shop\"\n")
	}},
}

// makeHistory writes a synthetic history: one first-parent commit to begin with, and one for each edit.
func makeHistory(t *testing.T, edits []edit) *repository {
	t.Helper()
	r := newRepository(t)
	begin(r)
	for _, e := range edits {
		e.make(r)
		r.commit(e.name)
	}
	return r
}

func (r *repository) read(name string) string {
	r.t.Helper()
	data, err := os.ReadFile(filepath.Join(r.dir, filepath.FromSlash(name)))
	if err != nil {
		r.t.Fatal(err)
	}
	return string(data)
}

func (r *repository) remove(name string) {
	r.t.Helper()
	if err := os.Remove(filepath.Join(r.dir, filepath.FromSlash(name))); err != nil {
		r.t.Fatal(err)
	}
}

func (r *repository) chmod(name string) {
	r.t.Helper()
	if err := os.Chmod(filepath.Join(r.dir, filepath.FromSlash(name)), 0o755); err != nil {
		r.t.Fatal(err)
	}
}

// link puts a symbolic link where a file was.
func (r *repository) link(name, target string) {
	r.t.Helper()
	r.remove(name)
	if err := os.Symlink(target, filepath.Join(r.dir, filepath.FromSlash(name))); err != nil {
		r.t.Skipf("no symbolic links here: %v", err)
	}
}
