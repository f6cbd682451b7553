package gitstore

// SetDepths makes the mirror fetch its history in small steps.
func (m *Mirror) SetDepths(depths ...int) { m.depths = append(depths, everything) }

// SetPacks makes Prune put packs together when there are more than so many.
func (m *Mirror) SetPacks(packs int) { m.packs = packs }

// SetNames makes Prune forget commits when there are more than so many.
func (m *Mirror) SetNames(names int) { m.names = names }

// String names the adapter in test output.
func (a Adapter) String() string { return map[Adapter]string{CLI: "git", GoGit: "go-git"}[a] }

// SetMost bounds the bytes of one fetch.
func (m *Mirror) SetMost(bytes int64) { m.remote.most = bytes }
