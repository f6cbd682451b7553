package rust

func set(words ...string) map[string]bool {
	m := make(map[string]bool, len(words))
	for _, w := range words {
		m[w] = true
	}
	return m
}

// keywords are the reserved words that never name anything.
var keywords = set("as", "async", "await", "break", "const", "continue", "dyn", "else", "enum", "extern", "false", "fn",
	"for", "if", "impl", "in", "let", "loop", "match", "mod", "move", "mut", "pub", "ref", "return", "static", "struct",
	"trait", "true", "type", "unsafe", "use", "where", "while")

const longestKeyword = len("continue")

func isKeyword(name []byte) bool {
	return len(name) <= longestKeyword && name[0] >= 'a' && keywords[string(name)]
}

var itemStarts = set("async", "const", "enum", "extern", "fn", "impl", "macro_rules", "mod", "pub", "static", "struct",
	"trait", "type", "unsafe", "use")

// builtin are names outside any repository: compiler crates and primitive types.
var builtin = set("std", "core", "alloc", "proc_macro", "test", "bool", "char", "str", "u8", "u16", "u32", "u64", "u128",
	"usize", "i8", "i16", "i32", "i64", "i128", "isize", "f16", "f32", "f64", "f128", "_")

// relative are the words that start a path inside the crate.
var relative = set("crate", "self", "super")

// silentAttributes do not affect dependents.
var silentAttributes = set("allow", "warn", "deny", "forbid", "expect", "inline", "cold", "doc", "rustfmt", "clippy",
	"automatically_derived", "track_caller")

// shownAttributes are part of a signature.
var shownAttributes = set("derive", "must_use", "deprecated", "cfg", "non_exhaustive", "repr",
	"macro_export", "proc_macro", "proc_macro_derive", "proc_macro_attribute")

// predeclared are the types, traits and functions that every file can name.
var predeclared = set("bool", "char", "str", "u8", "u16", "u32", "u64", "u128", "usize", "i8", "i16", "i32", "i64", "i128",
	"isize", "f16", "f32", "f64", "f128", "Send", "Sync", "Sized", "Copy", "Clone", "Drop", "Fn", "FnMut", "FnOnce", "AsyncFn",
	"AsyncFnMut", "AsyncFnOnce", "Iterator", "IntoIterator", "Extend", "DoubleEndedIterator", "ExactSizeIterator", "Default",
	"Eq", "PartialEq", "Ord", "PartialOrd", "AsRef", "AsMut", "Into", "From", "TryFrom", "TryInto", "FromIterator", "ToOwned",
	"ToString", "Unpin", "Future", "IntoFuture", "Box", "String", "Vec", "Option", "Result", "Some", "None", "Ok", "Err", "drop",
	"size_of", "size_of_val", "align_of", "align_of_val")

// standardDerives are derived by the compiler.
var standardDerives = set("Clone", "Copy", "Debug", "Default", "Eq", "Hash", "Ord", "PartialEq", "PartialOrd")

// toolAttributes never name a macro.
var toolAttributes = set("allow", "warn", "deny", "forbid", "expect", "doc", "cfg", "rustfmt", "clippy", "rustdoc", "miri",
	"diagnostic", "rust_analyzer", "test", "bench", "path", "derive")

// bodyWords precede a block that is a value.
var bodyWords = set("unsafe", "loop", "async", "const", "move", "try", "gen")
