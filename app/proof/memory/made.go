package main

import (
	"bytes"
	"encoding/json"
	"fmt"
	"math/rand/v2"
	"os"
	"path/filepath"
	"strings"

	"github.com/causaldocs/causal/knowledge/ledger"
)

// What lies in the directory of a made log.
const (
	batchesDir    = "log"
	freshFile     = "fresh.json"     // texts that are added
	questionsFile = "questions.json" // lists of words
)

// freshTexts is how many texts are added one by one.
const freshTexts = 1000

// writer makes texts of words as people use them: the n-th most frequent word is used about 1/n as often as the first (Zipf).
type writer struct {
	random *rand.Rand
	zipf   *rand.Zipf
	words  []string
}

// The made language: about as many words as a large project uses.
const (
	vocabulary = 40_000
	steepness  = 1.07
)

func newWriter(seed uint64) *writer {
	random := rand.New(rand.NewPCG(seed, 1)) //nolint:gosec // the same texts in each run
	w := &writer{random: random, zipf: rand.NewZipf(random, steepness, 2, vocabulary-1)}
	first, last := strings.Split("b br c ch d f g gr h j k l m n p pl qu r s sh st t tr v w z", " "), strings.Split("a ai e ee i o oa u ar en il or un ast ent ick old", " ")
	seen := map[string]bool{}
	for len(w.words) < vocabulary {
		var b strings.Builder
		for range 1 + random.IntN(3) {
			b.WriteString(first[random.IntN(len(first))] + last[random.IntN(len(last))])
		}
		if word := b.String(); !seen[word] {
			seen[word] = true
			w.words = append(w.words, word)
		}
	}
	return w
}

func (w *writer) text() string {
	words := make([]string, 8+w.random.IntN(13))
	for i := range words {
		words[i] = w.words[w.zipf.Uint64()]
	}
	return strings.Join(words, " ")
}

// log makes a log: most events are effects, most of those have a cause among the hundred before them, and the others are positions of which some are
// challenged and refined.
func (w *writer) log(events int) (*ledger.Log, error) {
	log, _ := ledger.New(nil)
	var recent, positions []ledger.ID
	for i := range events {
		e := ledger.Event{Type: ledger.Happening, Text: w.text(), Actor: "dev", At: fmt.Sprintf("2026-01-02T%02d:%02d:%02dZ", i/3600%24, i/60%60, i%60)}
		switch kind := w.random.IntN(100); {
		case kind < 75:
			if len(recent) > 0 && kind < 60 {
				e.Cause, e.Relationship = recent[w.random.IntN(len(recent))], w.words[w.zipf.Uint64()]
			}
		case kind < 90 || len(positions) == 0:
			e.Type = ledger.Proposition
		default:
			e.Type, e.Targets = ledger.Refinement, []ledger.ID{positions[w.random.IntN(len(positions))]}
			if kind < 95 {
				e.Type = ledger.Contradiction
			}
		}
		added, err := log.Add(e)
		if err != nil {
			return nil, err
		}
		recent = append(recent, added.ID)
		if added.Type.Position() {
			positions = append(positions, added.ID)
		}
		recent, positions = recent[max(0, len(recent)-100):], positions[max(0, len(positions)-100):]
	}
	return log, nil
}

// prepare writes a made log, texts to add, and questions: some words of an event each.
func prepare(dir string, events, questions int) error {
	w := newWriter(1)
	log, err := w.log(events)
	if err != nil {
		return err
	}
	for _, b := range log.Added() {
		file := filepath.Join(dir, batchesDir, filepath.FromSlash(b.Path))
		if err := os.MkdirAll(filepath.Dir(file), 0o755); err != nil {
			return err
		}
		if err := os.WriteFile(file, b.Data, 0o600); err != nil {
			return err
		}
	}
	fresh := make([]string, freshTexts)
	for i := range fresh {
		fresh[i] = w.text()
	}
	asked := make([][]string, questions)
	all := log.Events()
	for i := range asked {
		words := strings.Fields(all[w.random.IntN(len(all))].Text)
		w.random.Shuffle(len(words), func(a, b int) { words[a], words[b] = words[b], words[a] })
		asked[i] = words[:3+w.random.IntN(4)]
	}
	for name, value := range map[string]any{freshFile: fresh, questionsFile: asked} {
		data, err := json.Marshal(value)
		if err != nil {
			return err
		}
		if err := os.WriteFile(filepath.Join(dir, name), data, 0o600); err != nil {
			return err
		}
	}
	return nil
}

// made reads one of the lists of a made log.
func made[T any](dir, name string) (list T, err error) {
	data, err := os.ReadFile(filepath.Join(dir, name))
	if err != nil {
		return list, err
	}
	return list, json.NewDecoder(bytes.NewReader(data)).Decode(&list)
}
