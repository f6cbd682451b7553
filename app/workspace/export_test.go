package workspace

// Typed is what choices print for a thing.
func (w *Workspace) Typed(e *Knowledge, m Meant) string { return w.askable(e).typed(m) }
