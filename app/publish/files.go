package publish

// Files are causal's own as a run has left them. *store.Dir is one.
type Files interface {
	// Touched names the files that hold something else than before, and those that are no more, sorted.
	Touched() (written, removed []string, err error)
	Read(name string) ([]byte, error)
}

// read reads files that were written.
func read(files Files, names []string) (map[string][]byte, error) {
	out := make(map[string][]byte, len(names))
	for _, name := range names {
		data, err := files.Read(name)
		if err != nil {
			return nil, err
		}
		out[name] = data
	}
	return out, nil
}
