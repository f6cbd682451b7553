package survey

import (
	"testing"

	"github.com/causaldocs/causal/knowledge/fact"
)

// TestDefaultExports checks that the default export of a JavaScript file is its declaration, for body closures and for flows.
func TestDefaultExports(t *testing.T) {
	t.Parallel()
	files := map[string]string{
		"package.json":    `{"name": "shop", "type": "module", "main": "lib/cart.js"}`,
		"lib/cart.js":     "import add from './add.js';\nimport settle from './settle.js';\nclass Cart {\n  buy() { return this.pay(); }\n  pay() { add(); return settle.call(this); }\n}\nexport default Cart;\n",
		"lib/add.js":      "/** Adds. */\nexport default function add(x) { return x.pop(); }\n",
		"lib/settle.js":   "import transfer from './transfer.js';\nfunction settle() { return transfer(); }\nexport default settle;\n",
		"lib/transfer.js": "/** Pays. */\nexport default function transfer(x) { return x.pop(); }\n",
	}
	survey := func() *Survey {
		s := surveyOf(newMemoryTree(files), openIndex(t, t.TempDir()))
		if err := s.Observe(t.Context()); err != nil {
			t.Fatal(err)
		}
		return s
	}
	body := func() string {
		t.Helper()
		digest, err := survey().Digest(t.Context(), fact.Of(fact.Bodies, "lib", "cart.Cart.buy"))
		if err != nil || digest == "" {
			t.Fatalf("%q, %v", digest, err)
		}
		return digest
	}
	now := survey()
	flows, err := FlowsOf(readerOf(func(f fact.Fact) (any, error) { return now.Value(t.Context(), f) }), "lib")
	if err != nil {
		t.Fatal(err)
	}
	var got string
	for _, f := range flows {
		for _, s := range f.Steps {
			got += s.Name + " "
		}
	}
	if want := "cart.Cart.pay add.add settle.settle transfer.transfer "; got != want {
		t.Errorf("flows through %q, want %q", got, want)
	}
	for _, file := range []string{"lib/add.js", "lib/transfer.js"} {
		before := body()
		files[file] = "export default function " + file[4:len(file)-3] + "() { return 2; }\n"
		if body() == before {
			t.Errorf("%s is other, and what reaches it is not", file)
		}
	}
}
