package sandbox

import (
	"encoding/binary"
	"encoding/json"
	"errors"
	"fmt"
	"io"

	"github.com/causaldocs/causal/app/gitstore"
	"github.com/causaldocs/causal/app/model"
	"github.com/causaldocs/causal/knowledge/prompt"
)

// message is a message between parent and child. One field is set.
type message struct {
	Task   *order  `json:"task,omitempty"`   // parent, once
	Ask    *ask    `json:"ask,omitempty"`    // child: a request
	Answer *answer `json:"answer,omitempty"` // parent: the response to a request
	At     string  `json:"at,omitempty"`     // child: progress, as StoppedError shows it
	Result *Result `json:"result,omitempty"` // child, once, at the end
	Failed *failed `json:"failed,omitempty"` // child, instead of a result
}

type order struct {
	Task   Task   `json:"task"`
	Limits Limits `json:"limits"`
	Key    string `json:"key,omitempty"` // the public key of the signer; empty for none
	// Provider and Model name the parent's model; empty for none.
	Provider string `json:"provider,omitempty"`
	Model    string `json:"model,omitempty"`
}

func newOrder(t Task, l Limits) order {
	o := order{Task: t, Limits: l}
	if t.Signer != nil {
		o.Key = t.Signer.Key()
	}
	if r := t.Model.Report(); r != nil {
		o.Provider, o.Model = r.Provider, r.Name
	}
	return o
}

type ask struct {
	Call    string          `json:"call"`
	IDs     []string        `json:"ids,omitempty"`
	Name    string          `json:"name,omitempty"`    // of a tag
	Text    []byte          `json:"text,omitempty"`    // to sign
	Request *prompt.Request `json:"request,omitempty"` // to the model
}

// The calls of a child, named as in gitstore.Leader and ledger.Signer.
const (
	callSign      = "sign"
	callModel     = "model"
	callFetch     = "fetch"
	callBlobs     = "blobs"
	callMend      = "mend"
	callMergeBase = "merge base"
	callContains  = "contains"
	callTag       = "tag"
)

type answer struct {
	ID        string         `json:"id,omitempty"`
	Yes       bool           `json:"yes,omitempty"`
	Tag       gitstore.Tag   `json:"tag,omitzero"`
	Signature []byte         `json:"signature,omitempty"`
	Relayed   *model.Relayed `json:"relayed,omitempty"`
	Error     string         `json:"error,omitempty"`
	Kind      string         `json:"kind,omitempty"`
}

type failed struct {
	Refused bool   `json:"refused,omitempty"` // the user must fix something
	Asked   bool   `json:"asked,omitempty"`   // an error of the Origin, which the parent has in full
	Text    string `json:"text"`
}

// largestMessage limits the bytes of a message: the Result of a first run over 50,000 modules has about 30 MB.
const largestMessage = 64 << 20

var errMessage = errors.New("the other process does not keep to the protocol")

// send writes one message: its length in four bytes, and its JSON.
func send(w io.Writer, m message) error {
	text, err := json.Marshal(m)
	if err != nil {
		return fmt.Errorf("write a message: %w", err)
	}
	if len(text) > largestMessage {
		return fmt.Errorf("%w: a message of %d bytes", errMessage, len(text))
	}
	frame := make([]byte, 0, 4+len(text))
	frame = binary.BigEndian.AppendUint32(frame, uint32(len(text)))
	_, err = w.Write(append(frame, text...))
	return err
}

// receive reads one message. It allocates only memory for received bytes.
func receive(r io.Reader) (message, error) {
	var head [4]byte
	if _, err := io.ReadFull(r, head[:]); err != nil {
		return message{}, err
	}
	size := int64(binary.BigEndian.Uint32(head[:]))
	if size > largestMessage {
		return message{}, fmt.Errorf("%w: a message of %d bytes", errMessage, size)
	}
	text, err := io.ReadAll(io.LimitReader(r, size))
	if err != nil {
		return message{}, err
	}
	if int64(len(text)) < size {
		return message{}, io.ErrUnexpectedEOF
	}
	var m message
	if err := json.Unmarshal(text, &m); err != nil {
		return message{}, fmt.Errorf("%w: %w", errMessage, err)
	}
	return m, nil
}
