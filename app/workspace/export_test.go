package workspace

// Typed is what choices print for a thing.
func (w *Workspace) Typed(e *Knowledge, m Meant) string { return w.askable(e).typed(m) }

// Restore undoes later writes.
func (w *Workspace) Restore(before map[string][]byte) error { return w.restore(before) }

var (
	SiteMark      = siteMark
	PlacePages    = placePages
	RefuseSources = refuseSources
)
