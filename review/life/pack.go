package life

import (
	"bytes"
	"cmp"
	"compress/flate"
	"errors"
	"fmt"
	"io"
	"slices"
)

// Pack is the state in as many bytes as there is room for: what Encode writes, compressed. left is how many findings it has no room
// for; the next run sees those as new. What people decided goes in first, then what is there, then what was, each the worst first.
func (s *State) Pack(most int) (data []byte, left int, err error) {
	ranked := slices.Clone(s.Findings)
	slices.SortStableFunc(ranked, func(a, b *Entry) int {
		return cmp.Or(cmp.Compare(a.rank(), b.rank()), b.Severity.Compare(a.Severity))
	})
	ranked = ranked[:min(len(ranked), mostFindings)]
	for {
		kept := &State{Findings: slices.Clone(ranked)}
		kept.sort()
		if data, err = kept.compressed(); err != nil || len(data) <= most {
			return data, len(s.Findings) - len(ranked), err
		}
		if len(ranked) == 0 {
			return nil, len(s.Findings), fmt.Errorf("pack the state of the change: %d bytes are too few for any", most)
		}
		ranked = ranked[:len(ranked)*3/4] // a few steps: what is left out has to be told in any case
	}
}

// rank orders findings by how much is lost with them.
func (e *Entry) rank() int {
	switch {
	case e.Status == Dismissed:
		return 0
	case !e.Status.over():
		return 1
	}
	return 2
}

func (s *State) compressed() ([]byte, error) {
	text, err := s.Encode()
	if err != nil {
		return nil, err
	}
	var b bytes.Buffer
	w, err := flate.NewWriter(&b, flate.BestCompression)
	if err == nil {
		_, err = w.Write(text)
		err = errors.Join(err, w.Close())
	}
	if err != nil {
		return nil, fmt.Errorf("pack the state of the change: %w", err)
	}
	return b.Bytes(), nil
}

// Unpack reads what Pack wrote; the state of a change that was never looked at where there is nothing.
func Unpack(data []byte) (*State, error) {
	if len(data) == 0 {
		return &State{}, nil
	}
	text, err := io.ReadAll(io.LimitReader(flate.NewReader(bytes.NewReader(data)), LargestState+1))
	if err != nil {
		return nil, fmt.Errorf("unpack the state of the change: %w", err)
	}
	return Decode(text)
}
