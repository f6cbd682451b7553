package golang

import (
	"bytes"
	"sync"

	"github.com/causaldocs/causal/knowledge/source"
)

// workspace is scratch memory that is reused between files.
type workspace struct {
	tokens  tokens
	hash    source.Hasher // of the current content
	symbol  source.Hasher // of a symbol's interface
	text    bytes.Buffer
	refs    refs
	symbols []source.Symbol
	ordered []source.Digest // declarations whose order matters
	free    []source.Digest // declarations in any order
	docs    []byte          // inner documentation of one declaration, framed
	specs   []piece
	walker  walker

	surfaceTree translator
}

var workspaces = sync.Pool{New: func() any {
	return &workspace{walker: newWalker()}
}}

// release returns the memory without references to the file.
func (w *workspace) release() {
	w.tokens.src, w.tokens.word = nil, nil
	w.walker.release()
	w.refs.bound = nil
	clear(w.refs.list[:cap(w.refs.list)])
	clear(w.symbols)
	clear(w.ordered)
	clear(w.free)
	w.symbols, w.ordered, w.free = w.symbols[:0], w.ordered[:0], w.free[:0]
	workspaces.Put(w)
}
