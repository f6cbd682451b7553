package publish

// Files are causal's files after a run. *store.Dir implements it.
type Files interface {
	// Touched lists the files that were changed and removed, sorted.
	Touched() (written, removed []string, err error)
	Read(name string) ([]byte, error)
}

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
