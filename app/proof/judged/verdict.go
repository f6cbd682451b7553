package main

import (
	"bytes"
	_ "embed"
	"encoding/json"
	"errors"
	"fmt"
	"io"
)

// key is what a verdict is about: exactly these words, of this code.
type key struct {
	Repository string `json:"repository"`
	Commit     string `json:"commit"`
	Module     string `json:"module"`
	Kind       string `json:"kind"`
	Text       string `json:"text"` // the purpose, or the calls of the flow
}

// What somebody who read the code says of a text.
const (
	right   = "right"
	useless = "useless" // true, and tells nobody anything
	wrong   = "wrong"
)

// verdict is one judgement, empty where there is none.
type verdict struct {
	Verdict string `json:"verdict"`
	Why     string `json:"why,omitempty"`
}

//go:embed verdicts.jsonl
var verdictFile []byte

func readVerdicts() (map[key]verdict, error) { return decodeVerdicts(verdictFile) }

func decodeVerdicts(data []byte) (map[key]verdict, error) {
	out := map[key]verdict{}
	decoder := json.NewDecoder(bytes.NewReader(data))
	decoder.DisallowUnknownFields()
	for n := 1; ; n++ {
		var one struct {
			key
			verdict
		}
		err := decoder.Decode(&one)
		if errors.Is(err, io.EOF) {
			return out, nil
		}
		if err == nil {
			err = one.check()
		}
		if _, twice := out[one.key]; err == nil && twice {
			err = errors.New("the same text has a verdict already")
		}
		if err != nil {
			return nil, fmt.Errorf("verdict %d: %w", n, err)
		}
		out[one.key] = one.verdict
	}
}

// check reports what is wrong with how a verdict is recorded.
func (v verdict) check() error {
	switch v.Verdict {
	case right:
		return nil
	case useless, wrong:
		if v.Why == "" {
			return errors.New("it does not say why")
		}
		return nil
	}
	return fmt.Errorf("%q is no verdict", v.Verdict)
}
