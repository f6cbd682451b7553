package ecma

type tokenKind uint8

const (
	tIdent tokenKind = iota // identifier or keyword; id identifies the keyword
	tPrivate
	tNumber
	tString
	tTemplate
	tTemplateHead
	tTemplateMiddle
	tTemplateTail
	tRegex
	tPunct // id is the character or one of the p… codes
	tText  // JSX text
)

const (
	fNewline uint8 = 1 << iota // preceded by a line break
	fJoint                     // directly followed by another < > or =, with which it forms one operator
	fOperand                   // ends an operand, so an operator follows
	fJSX                       // first or last token of a JSX element
	fBlock                     // { of statements, of a function or of a declaration
	fClass                     // { of a class body
	fFree                      // name that no enclosing function or block binds
	fValue                     // free name that is used as a value
)

// token is one element of the source. match is the index of the paired bracket, template head or tail, or first or
// last token of a JSX element; otherwise -1.
type token struct {
	off, end, line, match int32
	kind                  tokenKind
	id                    uint8
	flags                 uint8
}

// Codes of operators longer than one character.
const (
	pArrow    uint8 = 128 + iota // =>
	pSpread                      // ...
	pOptional                    // ?.
	pIncrement
	pAssign // any compound assignment
	pBinary // any other multi-character operator
)

// Keywords, contextual ones included. Zero is any other identifier.
const (
	kNone uint8 = iota
	kAbstract
	kAccessor
	kAs
	kAsserts
	kAsync
	kAwait
	kBreak
	kCase
	kCatch
	kClass
	kConst
	kContinue
	kDeclare
	kDefault
	kDelete
	kDo
	kElse
	kEnum
	kExport
	kExports
	kExtends
	kFinally
	kFor
	kFrom
	kFunction
	kGet
	kGlobal
	kIf
	kImplements
	kImport
	kIn
	kInfer
	kInstanceof
	kInterface
	kIs
	kKeyof
	kLet
	kModule
	kNamespace
	kNew
	kOf
	kOut
	kOverride
	kPrivate
	kProtected
	kPublic
	kReadonly
	kRequire
	kReturn
	kSatisfies
	kSet
	kStatic
	kSuper
	kSwitch
	kThis
	kThrow
	kTry
	kType
	kTypeof
	kUnique
	kUsing
	kVar
	kVoid
	kWhile
	kWith
	kYield
)

var keywords = map[string]uint8{
	"abstract": kAbstract, "accessor": kAccessor, "as": kAs, "asserts": kAsserts, "async": kAsync, "await": kAwait,
	"break": kBreak, "case": kCase, "catch": kCatch, "class": kClass, "const": kConst, "continue": kContinue,
	"declare": kDeclare, "default": kDefault, "delete": kDelete, "do": kDo, "else": kElse, "enum": kEnum,
	"export": kExport, "exports": kExports, "extends": kExtends, "finally": kFinally, "for": kFor, "from": kFrom,
	"function": kFunction, "get": kGet, "global": kGlobal, "if": kIf, "implements": kImplements, "import": kImport,
	"in": kIn, "infer": kInfer, "instanceof": kInstanceof, "interface": kInterface, "is": kIs, "keyof": kKeyof,
	"let": kLet, "module": kModule, "namespace": kNamespace, "new": kNew, "of": kOf, "out": kOut, "override": kOverride,
	"private": kPrivate, "protected": kProtected, "public": kPublic, "readonly": kReadonly, "require": kRequire,
	"return": kReturn, "satisfies": kSatisfies, "set": kSet, "static": kStatic, "super": kSuper, "switch": kSwitch,
	"this": kThis, "throw": kThrow, "try": kTry, "type": kType, "typeof": kTypeof, "unique": kUnique, "using": kUsing,
	"var": kVar, "void": kVoid, "while": kWhile, "with": kWith, "yield": kYield,
}

const (
	// precedes an expression, so / starts a regular expression and < a JSX element
	kwPrefix uint8 = 1 << iota
	// continues the expression of the line before
	kwInfix
	// a following line break is significant
	kwLine
	// starts a declaration or statement and cannot continue as an expression
	kwHead
	// may precede the name of a class member
	kwModifier
	// is separated by a space from a following parenthesis
	kwSpaced
)

var keywordClass = [256]uint8{
	kAbstract: kwLine | kwModifier, kAccessor: kwLine | kwModifier, kAs: kwInfix | kwSpaced, kAsserts: kwSpaced,
	kAsync: kwLine | kwModifier | kwSpaced, kAwait: kwPrefix | kwSpaced, kBreak: kwLine | kwHead, kCase: kwPrefix | kwHead | kwSpaced,
	kClass: kwHead, kConst: kwHead, kContinue: kwLine | kwHead, kDeclare: kwLine | kwModifier,
	kDefault: kwPrefix, kDelete: kwPrefix | kwSpaced, kDo: kwPrefix | kwHead, kElse: kwPrefix, kEnum: kwHead, kExport: kwHead,
	kExtends: kwInfix | kwSpaced, kFor: kwHead, kFunction: kwHead | kwSpaced, kGet: kwLine | kwModifier, kIf: kwHead,
	kImplements: kwInfix | kwSpaced, kImport: kwHead, kIn: kwPrefix | kwInfix | kwSpaced, kInfer: kwSpaced,
	kInstanceof: kwPrefix | kwInfix | kwSpaced, kInterface: kwLine | kwHead, kIs: kwInfix | kwSpaced,
	kKeyof: kwSpaced, kLet: kwHead, kModule: kwLine, kNamespace: kwLine | kwHead, kNew: kwPrefix | kwSpaced,
	kOf: kwPrefix, kOverride: kwLine | kwModifier, kPrivate: kwLine | kwModifier, kProtected: kwLine | kwModifier,
	kPublic: kwLine | kwModifier, kReadonly: kwLine | kwModifier | kwSpaced, kReturn: kwPrefix | kwLine | kwHead | kwSpaced,
	kSatisfies: kwInfix | kwSpaced, kSet: kwLine | kwModifier, kStatic: kwLine | kwModifier, kSwitch: kwHead,
	kThrow: kwPrefix | kwLine | kwHead | kwSpaced, kTry: kwHead, kType: kwLine, kTypeof: kwPrefix | kwSpaced,
	kVar: kwHead, kVoid: kwPrefix | kwSpaced, kWhile: kwHead, kWith: kwHead, kYield: kwPrefix | kwLine | kwSpaced,
}

func (t token) has(flag uint8) bool { return t.flags&flag != 0 }

func (t token) isPunct(id uint8) bool { return t.kind == tPunct && t.id == id }

func (t token) isKeyword(id uint8) bool { return t.kind == tIdent && t.id == id }

// isName reports whether a token may be the name of a member.
func (t token) isName() bool { return t.kind == tIdent || t.kind == tPrivate }

// isCall reports whether a token opens parameters or type parameters.
func (t token) isCall() bool { return t.isPunct('(') || t.isPunct('<') }

func (t token) is(class uint8) bool { return t.kind == tIdent && keywordClass[t.id]&class != 0 }

// Virtual tokens close brackets that the source leaves open.
func (t token) virtual() bool { return t.off == t.end }
