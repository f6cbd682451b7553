package workspace

import "github.com/causaldocs/causal/knowledge/engine"

// Typed is what choices print for a thing.
func (w *Workspace) Typed(e *engine.Engine, m Meant) string { return w.askable(e).typed(m) }
