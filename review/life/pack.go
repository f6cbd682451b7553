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

// Pack compresses the state to at most most bytes. left is the number of findings that do not fit. The next run
// reports those as new. Dismissed findings have priority, then present ones, then past ones, each the most severe
// first.
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
		ranked = ranked[:len(ranked)*3/4] // approximate, since any loss is reported anyway
	}
}

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

// Unpack reads the output of Pack. No data gives an empty state.
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
