package main

import (
	"bytes"
	"context"
	"crypto/hmac"
	"crypto/sha256"
	"encoding/hex"
	"encoding/json"
	"errors"
	"fmt"
	"io"
	"net/http"
	"path/filepath"
	"slices"
	"sync"
	"time"

	"github.com/causaldocs/causal/app/githubsim"
)

// letters are signed payloads of pushes to many repositories.
type letters []letter

type letter struct {
	payload   []byte
	signature string
}

// payloadRepositories is the number of repositories.
const payloadRepositories = 500

// newLetters has the simulated GitHub write one, and makes others of it.
func newLetters(ctx context.Context, dir string) (list letters, err error) {
	sim, err := githubsim.New(githubsim.Options{Dir: filepath.Join(dir, "github")})
	if err != nil {
		return nil, err
	}
	defer func() { err = errors.Join(err, sim.Close()) }()
	sim.SetWebhook("http://127.0.0.1:1/nobody") // only the recorded deliveries are needed
	repo, err := sim.CreateRepository(owner+"/made", githubsim.FromFiles(map[string]string{"go.mod": "module example.com/made\n"}))
	if err != nil {
		return nil, err
	}
	if _, err := sim.Install(repo); err != nil {
		return nil, err
	}
	if _, err := repo.Push("main", githubsim.Change{Write: map[string]string{"made.go": "package made\n"}, Message: "Begin"}); err != nil {
		return nil, err
	}
	if err := sim.Settle(ctx); err != nil {
		return nil, err
	}
	sent := sim.Deliveries()
	at := slices.IndexFunc(sent, func(d githubsim.Delivery) bool { return d.Event == "push" })
	if at < 0 {
		return nil, errors.New("the simulated GitHub delivered no push")
	}
	for n := range payloadRepositories {
		one, err := readdress(sent[at].Payload, n+1)
		if err != nil {
			return nil, err
		}
		list = append(list, one)
	}
	return list, nil
}

// readdress makes a payload one of another repository.
func readdress(payload []byte, n int) (letter, error) {
	var p map[string]any
	if err := json.Unmarshal(payload, &p); err != nil {
		return letter{}, fmt.Errorf("read a payload: %w", err)
	}
	repo, ok := p["repository"].(map[string]any)
	if !ok {
		return letter{}, errors.New("the payload names no repository")
	}
	name := fmt.Sprintf("made-%d", n)
	repo["id"], repo["name"], repo["full_name"] = n, name, owner+"/"+name
	data, err := json.Marshal(p)
	if err != nil {
		return letter{}, err
	}
	mac := hmac.New(sha256.New, []byte(secret))
	mac.Write(data)
	return letter{data, "sha256=" + hex.EncodeToString(mac.Sum(nil))}, nil
}

func (l letters) size() int { return len(l[0].payload) }

// delivered is a delivery with its result.
type delivered struct {
	guid                string
	due, sent, answered time.Time
	outcome             string
}

const accepted = "202 Accepted"

// deliver sends deliveries at a steady rate, each with a GUID that begins with name. A slow answer does not delay the others.
func (l letters) deliver(ctx context.Context, address string, rate, seconds int, name string) []delivered {
	client := &http.Client{Transport: &http.Transport{MaxIdleConnsPerHost: rate}, Timeout: unanswered}
	defer client.CloseIdleConnections()
	deliveries := make([]delivered, rate*seconds)
	var answers sync.WaitGroup
	begin := time.Now().Add(100 * time.Millisecond)
	for i := range deliveries {
		k := &deliveries[i]
		k.guid, k.due = fmt.Sprintf("%s-%08d", name, i), begin.Add(time.Duration(i)*time.Second/time.Duration(rate))
		if wait := time.Until(k.due); wait > 0 {
			sleep(ctx, wait)
		}
		answers.Go(func() {
			k.sent = time.Now()
			k.outcome = l[i%len(l)].post(ctx, client, address, k.guid)
			k.answered = time.Now()
		})
	}
	answers.Wait()
	return deliveries
}

func (l letter) post(ctx context.Context, client *http.Client, address, guid string) string {
	request, err := http.NewRequestWithContext(ctx, http.MethodPost, address, bytes.NewReader(l.payload))
	if err != nil {
		return err.Error()
	}
	for name, value := range map[string]string{
		"Content-Type": "application/json", "X-GitHub-Delivery": guid, "X-GitHub-Event": "push", "X-Hub-Signature-256": l.signature,
	} {
		request.Header.Set(name, value)
	}
	response, err := client.Do(request)
	if err != nil {
		return "no answer"
	}
	defer response.Body.Close()
	if _, err := io.Copy(io.Discard, response.Body); err != nil {
		return "half an answer"
	}
	return response.Status
}

// spreading of durations.
type spreading struct{ median, p99, max time.Duration }

func dueAt(k delivered) time.Time  { return k.due }
func sentAt(k delivered) time.Time { return k.sent }

// spread returns percentiles of the answer times since the given moment.
func spread(deliveries []delivered, from func(delivered) time.Time) spreading {
	took := make([]time.Duration, len(deliveries))
	for i, k := range deliveries {
		took[i] = k.answered.Sub(from(k)).Round(10 * time.Microsecond)
	}
	slices.Sort(took)
	if len(took) == 0 {
		return spreading{}
	}
	return spreading{took[len(took)/2], took[len(took)*99/100], took[len(took)-1]}
}
