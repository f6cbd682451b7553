// Package token is what the scanners of the languages have in common: ranges of tokens, the brackets that are open,
// tokens framed for digests, the words of a file by number, and the first thing that could not be read.
//
// It knows no language and no token. What a token is, which of them count, and what becomes of a bracket whose other
// side is missing stays with each scanner, which keeps its tokens in a slice and calls a token by its index there.
// Nothing in here calls back into a scanner: it is used from their inner loops.
//
// The scanners have types called token themselves, and import it as kernel.
package token
