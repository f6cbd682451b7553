// Package token contains what the scanners of all languages share: ranges of tokens, open brackets, tokens framed for
// digests, numbered words, and the first syntax error.
//
// It is independent of the language. A scanner keeps its tokens in a slice, identifies a token by its index, and
// decides which tokens count and how to treat unbalanced brackets. The package never calls the scanner, because it is
// used in inner loops.
//
// Scanners have types called token themselves, and import the package under another name.
package token
