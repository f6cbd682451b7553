package main

import (
	"bytes"
	"crypto/sha256"
	"encoding/hex"
	"fmt"
	"math/rand/v2"
	"path"
	"regexp"
	"slices"

	"github.com/causaldocs/causal/knowledge/ledger"
)

// again parses the log again, for additions.
func (h *history) again() (*ledger.Log, error) {
	var list []ledger.Batch
	for _, name := range h.names(ledger.IsBatch) {
		list = append(list, ledger.Batch{Path: name, Data: h.files[name]})
	}
	log, problems := ledger.New(list)
	if len(problems) > 0 {
		return nil, fmt.Errorf("read the log: %v", problems)
	}
	return log, nil
}

// victim draws a batch file and one of its lines with the event id.
func (h *history) victim(f files, rng *rand.Rand) (name, id string, line []byte) {
	name = pick(rng, h.names(ledger.IsBatch))
	line = pick(rng, slices.Collect(bytes.Lines(f[name])))
	return name, string(idField.FindSubmatch(line)[1]), line
}

var (
	idField = regexp.MustCompile(`"id":"([0-9a-f]{64})",`)
	place   = regexp.MustCompile(`"lamport":[0-9]+`)
	text    = regexp.MustCompile(`"text":"[^"]*"`)
)

// forge changes a line, and gives it the id that it has then.
func forge(line []byte, field *regexp.Regexp, with string) (id string, forged []byte) {
	bare := field.ReplaceAll(idField.ReplaceAll(bytes.TrimSuffix(line, []byte("\n")), nil), []byte(with))
	id = sumOf(bare)
	at := bytes.Index(bare, []byte(`"lamport"`)) // the other fields follow it
	return id, slices.Concat(bare[:at], []byte(`"id":"`+id+`",`), bare[at:], []byte("\n"))
}

func sumOf(data []byte) string {
	sum := sha256.Sum256(data)
	return hex.EncodeToString(sum[:])
}

// rename stores content under its hash, and removes the old name.
func rename(f files, name string, data []byte) []string {
	delete(f, name)
	sum := sumOf(data)
	other := path.Join(path.Dir(path.Dir(name)), sum[:2], sum+path.Ext(name))
	f[other] = data
	return []string{name, other}
}

func replaceEvent(h *history, f files, rng *rand.Rand) ([]string, error) {
	name, former, line := h.victim(f, rng)
	_, forged := forge(line, text, fmt.Sprintf(`"text":"It was never said %d"`, rng.Uint64()))
	return append(rename(f, name, bytes.Replace(f[name], line, forged, 1)), former), nil
}

func dropEvent(h *history, f files, rng *rand.Rand) ([]string, error) {
	name, former, line := h.victim(f, rng)
	rest := bytes.Replace(f[name], line, nil, 1)
	if len(rest) == 0 {
		delete(f, name)
		return []string{name, former}, nil
	}
	return append(rename(f, name, rest), former), nil
}

func insertEvent(h *history, f files, rng *rand.Rand) ([]string, error) {
	name, _, line := h.victim(f, rng)
	_, forged := forge(line, text, fmt.Sprintf(`"text":"It was said as well %d"`, rng.Uint64()))
	return rename(f, name, bytes.Replace(f[name], line, slices.Concat(line, forged), 1)), nil
}

// misplace forges an event with a correct id and a wrong position in the order.
func misplace(h *history, f files, rng *rand.Rand) ([]string, error) {
	_, _, line := h.victim(f, rng)
	id, forged := forge(line, place, fmt.Sprintf(`"lamport":%d`, len(h.log.Events())+2+rng.IntN(1000)))
	f[ledger.BatchPath(forged)] = forged
	return []string{ledger.BatchPath(forged), id}, nil
}

// takeNewest takes the files with the newest events away, and each checkpoint that names one of those.
func takeNewest(h *history, f files, rng *rand.Rand) (touched []string, err error) {
	events := h.log.Events()
	gone := map[string]bool{}
	for _, e := range events[len(events)-1-rng.IntN(len(events)/2):] {
		gone[string(e.ID)] = true
	}
	for name, data := range h.files {
		known := func(id []byte) bool { return gone[string(id)] }
		if slices.ContainsFunc(idsIn.FindAll(data, -1), known) {
			delete(f, name)
			touched = append(touched, name)
		}
	}
	return touched, nil
}

var idsIn = regexp.MustCompile(`\b[0-9a-f]{64}\b`)
