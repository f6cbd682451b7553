package cfamily

type kind uint8

const (
	identifier kind = iota
	number
	text      // a string literal
	character // a character literal
	punctuation
)

// token is one preprocessing token. Its spelling is src[start:end]; canon is the position of its framed spelling,
// without line splices, in the canonical bytes.
type token struct {
	start, end int32
	line       int32
	canon      int32
	branch     int32 // an index into file.branches
	kind       kind
	id         uint8 // the operator or keyword
	margin     bool  // in the first column
}

// Single-character operators are their own ID; these are the longer ones relevant to declarations, and one ID for all
// others.
const (
	opScope    uint8 = 128 + iota // ::
	opArrow                       // ->
	opEllipsis                    // ...
	opAnd                         // &&
	opPaste                       // ##
	opEqual                       // ==
	opGreaterEqual
	opLess2 // <<
	opOther
)

// operators are the multi-character spellings by first character, longest first. ">>" is excluded because it may
// close nested template arguments.
var operators = [128][]struct {
	spelling string
	id       uint8
}{
	':': {{"::", opScope}},
	'-': {{"->*", opOther}, {"->", opArrow}, {"--", opOther}, {"-=", opOther}},
	'.': {{"...", opEllipsis}, {".*", opOther}},
	'&': {{"&&", opAnd}, {"&=", opOther}},
	'#': {{"##", opPaste}},
	'=': {{"==", opEqual}},
	'>': {{">=", opGreaterEqual}},
	'<': {{"<=>", opOther}, {"<<=", opOther}, {"<<", opLess2}, {"<=", opOther}},
	'|': {{"||", opOther}, {"|=", opOther}},
	'+': {{"++", opOther}, {"+=", opOther}},
	'*': {{"*=", opOther}},
	'/': {{"/=", opOther}},
	'%': {{"%=", opOther}},
	'^': {{"^=", opOther}},
	'!': {{"!=", opOther}},
}

// Keywords, grouped by their role in a declaration.
const (
	none      uint8 = iota
	kwStorage       // storage specifiers
	kwStatic
	kwExtern
	kwTypedef
	kwInline
	kwConst
	kwConstexpr
	kwQualifier // volatile, restrict, …: neither type nor storage
	kwType      // int, void, unsigned, auto, …
	kwAttribute // takes a parenthesized argument and names nothing
	kwTypeof    // decltype, typeof: takes an argument and is a type
	kwStruct
	kwUnion
	kwEnum
	kwAssert
	kwOther // a word of statements and expressions
	// The following are keywords only in C++.
	kwClass
	kwNamespace
	kwTemplate
	kwTypename
	kwUsing
	kwFriend
	kwAccess
	kwOperator
	kwConcept
	kwRequires
	kwVirtual
	kwTrailing // noexcept, override, final, try, …: after a parameter list
	kwCPPAttribute
	kwCPPTypeof
	kwCPPType
	kwCPPOther
)

var keywords = func() map[string]uint8 {
	m := map[string]uint8{
		"static": kwStatic, "extern": kwExtern, "typedef": kwTypedef, "const": kwConst, "constexpr": kwConstexpr,
		"constinit": kwStorage, "struct": kwStruct, "union": kwUnion, "enum": kwEnum, "class": kwClass,
		"namespace": kwNamespace, "template": kwTemplate, "typename": kwTypename, "using": kwUsing,
		"friend": kwFriend, "operator": kwOperator, "concept": kwConcept, "requires": kwRequires,
	}
	for id, words := range map[uint8][]string{
		kwStorage:   {"register", "thread_local", "_Thread_local", "__thread", "_Noreturn", "__extension__"},
		kwInline:    {"inline", "__inline", "__inline__", "__forceinline"},
		kwQualifier: {"volatile", "restrict", "__restrict", "__restrict__", "__volatile__", "_Atomic", "__const"},
		kwType: {"void", "char", "short", "int", "long", "float", "double", "signed", "unsigned", "auto", "_Bool", "_Complex",
			"__signed__", "__int128"},
		kwAttribute: {"__attribute__", "__attribute", "__declspec", "_Alignas", "asm", "__asm__", "__asm", "_Pragma",
			"__pragma"},
		kwTypeof: {"typeof", "__typeof__", "__typeof", "typeof_unqual"},
		kwAssert: {"_Static_assert", "static_assert"},
		kwOther: {"if", "else", "for", "while", "do", "switch", "case", "default", "break", "continue", "return", "goto",
			"sizeof"},
		kwAccess:       {"public", "private", "protected"},
		kwVirtual:      {"virtual", "mutable", "explicit", "consteval", "export"},
		kwTrailing:     {"noexcept", "throw", "try", "override", "final"},
		kwCPPAttribute: {"alignas"},
		kwCPPTypeof:    {"decltype"},
		kwCPPType:      {"bool", "wchar_t", "char8_t", "char16_t", "char32_t"},
		kwCPPOther:     {"new", "delete", "this", "true", "false", "nullptr", "catch"},
	} {
		for _, w := range words {
			m[w] = id
		}
	}
	return m
}()

const (
	classWord  = 1 << iota // may continue an identifier
	classDigit             // 0-9
	classBlank             // white space except newlines
)

var classes = func() (c [256]uint8) {
	for b := range c {
		switch {
		case b >= '0' && b <= '9':
			c[b] = classWord | classDigit
		case b >= 'a' && b <= 'z', b >= 'A' && b <= 'Z', b == '_', b == '$', b >= 0x80:
			c[b] = classWord
		case b == ' ', b == '\t', b == '\r', b == '\f', b == '\v':
			c[b] = classBlank
		}
	}
	return c
}()
