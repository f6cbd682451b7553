package condition

// vocabulary has words of every form.
var vocabulary = NewVocabulary(
	Word{Name: "modified", Params: []string{GlobParam}},
	Word{Name: "symbol_changed", Params: []string{"module", "name"}},
	Word{Name: "interface_changed", Params: []string{"module"}},
	Word{Name: "conclusion_changed", Params: []string{"frame"}},
	Word{Name: "resolved", Params: []string{"finding"}},
	Word{Name: "generator_changed"},
	Word{Name: "dismissed_share", Params: []string{"principle"}, Numeric: true},
	Word{Name: "unseen_days", Params: []string{"principle"}, Numeric: true},
)

func Parse(text string) (Condition, error) { return vocabulary.Parse(text) }

func Modified(g Glob) Condition             { return vocabulary.Call("modified", g.String()) }
func SymbolChanged(m, n string) Condition   { return vocabulary.Call("symbol_changed", m, n) }
func InterfaceChanged(m string) Condition   { return vocabulary.Call("interface_changed", m) }
func ConclusionChanged(id string) Condition { return vocabulary.Call("conclusion_changed", id) }
func Resolved(id string) Condition          { return vocabulary.Call("resolved", id) }
func GeneratorChanged() Condition           { return vocabulary.Call("generator_changed") }
