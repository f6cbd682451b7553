package main

import (
	"bytes"
	_ "embed"
	"encoding/json"
	"errors"
	"fmt"
	"io"
)

// key identifies a judged text: its exact words, at one commit.
type key struct {
	Repository string `json:"repository"`
	Commit     string `json:"commit"`
	Module     string `json:"module"`
	Kind       string `json:"kind"`
	Text       string `json:"text"` // the purpose, or the calls of the flow
}

// Verdicts of a reader of the code.
const (
	right   = "right"
	useless = "useless" // true, but without information
	wrong   = "wrong"
)

// verdict is one judgement, or empty.
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
			err = errors.New("the text already has a verdict")
		}
		if err != nil {
			return nil, fmt.Errorf("verdict %d: %w", n, err)
		}
		out[one.key] = one.verdict
	}
}

// check validates a verdict.
func (v verdict) check() error {
	switch v.Verdict {
	case right:
		return nil
	case useless, wrong:
		if v.Why == "" {
			return errors.New("the reason is missing")
		}
		return nil
	}
	return fmt.Errorf("%q is no verdict", v.Verdict)
}
