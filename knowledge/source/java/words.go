package java

import (
	"strings"

	kernel "github.com/causaldocs/causal/knowledge/source/token"
)

// ident numbers the words of a file, so that what is known of a word is found by index; 0 is no word.
type ident int32

// The words that mean something of their own to a body.
const (
	_ ident = iota
	idThis
	idSuper
	idNew
	idClass
	idSwitch
	idCase
	idDefault
	idInstanceof
	idIf
	idElse
	idFor
	idWhile
	idDo
	idTry
	idCatch
	idFinally
	idSynchronized
	idBreak
	idContinue
	idReturn
	idThrow
	idAssert
	idVar
	idYield
	idWhen
	idExtends
	idImplements
	idPermits
	idThrows
	idFinal
	namedWords
)

var namedIdents = [namedWords]string{
	idThis: "this", idSuper: "super", idNew: "new", idClass: "class", idSwitch: "switch", idCase: "case",
	idDefault: "default", idInstanceof: "instanceof", idIf: "if", idElse: "else", idFor: "for", idWhile: "while",
	idDo: "do", idTry: "try", idCatch: "catch", idFinally: "finally", idSynchronized: "synchronized",
	idBreak: "break", idContinue: "continue", idReturn: "return", idThrow: "throw", idAssert: "assert", idVar: "var",
	idYield: "yield", idWhen: "when", idExtends: "extends", idImplements: "implements", idPermits: "permits",
	idThrows: "throws", idFinal: "final",
}

// What is known of a word wherever it stands in a file.
const (
	wordReserved    = 1 << iota
	wordPrimitive   // a type that has no members
	wordPredeclared // a type of java.lang that no repository declares
	wordOfObject    // a method that every object has and none replaces
	wordType        // a type of this name is declared in the file
	wordImported    // a type or static member of this name is imported
	wordStatic      // a static member of this name is imported by itself
	wordMember      // a field or method of this name is declared in the file
)

var primitives = []string{"void", "boolean", "byte", "short", "char", "int", "long", "float", "double"}

var ofObject = []string{"getClass", "notify", "notifyAll", "wait"}

// javaLang are the types that every file can name without an import and that nobody declares again.
var javaLang = []string{
	"String", "Object", "Integer", "Long", "Short", "Byte", "Character", "Boolean", "Float", "Double", "Number", "Math",
	"System", "StringBuilder", "StringBuffer", "Void", "CharSequence", "Iterable", "Comparable", "Runnable", "Thread",
	"Throwable", "Exception", "RuntimeException", "Error", "IllegalArgumentException", "IllegalStateException",
	"NullPointerException", "UnsupportedOperationException", "IndexOutOfBoundsException", "InterruptedException",
	"ClassCastException", "NumberFormatException", "AssertionError", "CloneNotSupportedException", "ArithmeticException",
	"SecurityException", "ClassNotFoundException", "NoSuchMethodException", "NoSuchFieldException",
	"ArrayIndexOutOfBoundsException", "StringIndexOutOfBoundsException", "ReflectiveOperationException", "Override",
	"Deprecated", "SuppressWarnings", "FunctionalInterface", "SafeVarargs", "AutoCloseable", "Cloneable", "Class", "Enum",
}

// words gives each word of a file its number.
type words struct {
	kernel.Words
	info []wordInfo
	ids  []ident // of each token, 0 where it is no word
}

type wordInfo struct {
	flags uint16
	local int32 // 1 + the innermost local of this name
	typ   int32 // 1 + the innermost local type of this name
	alone dotted
}

// basis holds the words that every file starts with.
var basis = func() *words {
	w := &words{}
	w.intern("") // is no word: 0
	for _, s := range namedIdents[1:] {
		w.intern(s)
	}
	flag := func(bit uint16, list []string) {
		for _, s := range list {
			w.info[w.intern(s)].flags |= bit
		}
	}
	for s := range reserved {
		w.info[w.intern(s)].flags |= wordReserved
	}
	flag(wordPrimitive, primitives)
	flag(wordPredeclared, javaLang)
	flag(wordOfObject, ofObject)
	return w
}()

// number gives every word of u its number.
func (w *words) number(u *unit) {
	w.CopyOf(&basis.Words)
	w.info = append(w.info[:0], basis.info...)
	if cap(w.ids) < len(u.toks) {
		w.ids = make([]ident, len(u.toks))
	}
	w.ids = w.ids[:len(u.toks)]
	odd := u.invalid || strings.Contains(u.src, `\u`)
	for i := range u.toks {
		t := &u.toks[i]
		switch {
		case t.kind != word:
			w.ids[i] = 0
		case odd:
			w.ids[i] = w.intern(u.name(int32(i)))
		default:
			w.ids[i] = w.intern(u.src[t.start:t.end])
		}
	}
}

// intern is the number of a word.
func (w *words) intern(s string) ident {
	n := w.Number(s)
	if int(n) == len(w.info) {
		w.info = append(w.info, wordInfo{})
	}
	return ident(n)
}

// id is the number of the word at token i, 0 when there is none.
func (w *words) id(i int32) ident {
	if int(i) >= len(w.ids) {
		return 0
	}
	return w.ids[i]
}

// has reports whether id has one of the flags.
func (w *words) has(id ident, flags uint16) bool { return w.info[id].flags&flags != 0 }

// typeLike reports whether a word is spelled as types are: a capital letter and a small one later on. Constants have
// no small letters, or bars.
func typeLike(s string) bool {
	if s == "" || s[0] < 'A' || s[0] > 'Z' {
		return false
	}
	small := false
	for i := 1; i < len(s); i++ {
		if s[i] == '_' {
			return false
		}
		small = small || s[i] >= 'a' && s[i] <= 'z'
	}
	return small
}

// lowerCase reports whether a word is spelled as packages are.
func lowerCase(s string) bool { return s != "" && s[0] >= 'a' && s[0] <= 'z' }
