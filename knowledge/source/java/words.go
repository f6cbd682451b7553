package java

import (
	"slices"
	"strings"

	kernel "github.com/causaldocs/causal/knowledge/source/token"
)

// ident numbers a file's words; 0 is no word.
type ident = int32

// The keywords relevant to bodies.
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

// Properties of a word in a file.
const (
	wordReserved    = 1 << iota
	wordPrimitive   // a primitive type
	wordPredeclared // a java.lang type that no repository declares
	wordOfObject    // a final method of Object
	wordType        // a type declared in the file
	wordImported    // an imported type or static member
	wordStatic      // a single static import
	wordMember      // a field or method declared in the file
)

var primitives = []string{"void", "boolean", "byte", "short", "char", "int", "long", "float", "double"}

var ofObject = []string{"getClass", "notify", "notifyAll", "wait"}

// javaLang are predeclared types of java.lang.
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

type words struct {
	kernel.Words
	info []wordInfo
	ids  []ident // by token; 0 for other tokens
}

type wordInfo struct {
	flags uint16
	local int32 // 1 + the innermost local with this name
	typ   int32 // 1 + the innermost local type with this name
}

// basis holds the words known in every file.
var basis = func() *words {
	w := &words{}
	w.intern("") // 0 is no word
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

func numbered(u *unit) words {
	w := words{Words: basis.Clone(), info: slices.Clone(basis.info), ids: make([]ident, len(u.toks))}
	for i := range u.toks {
		if u.toks[i].kind == word {
			w.ids[i] = w.intern(strings.ToValidUTF8(u.text(int32(i)), "\uFFFD"))
		}
	}
	return w
}

func (w *words) intern(s string) ident {
	n := w.Number(s)
	if int(n) == len(w.info) {
		w.info = append(w.info, wordInfo{})
	}
	return n
}

func (w *words) id(i int32) ident {
	if int(i) >= len(w.ids) {
		return 0
	}
	return w.ids[i]
}

func (w *words) has(id ident, flags uint16) bool { return w.info[id].flags&flags != 0 }

// typeLike reports whether a word is spelled like a type: a capital letter first, a lower-case one later, and no
// underscore.
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

func lowerCase(s string) bool { return s != "" && s[0] >= 'a' && s[0] <= 'z' }
