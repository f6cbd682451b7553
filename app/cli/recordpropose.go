package cli

import (
	"bufio"
	"bytes"
	"context"
	"encoding/json"
	"fmt"
	"io"
	"os"
	"path/filepath"

	"github.com/causaldocs/causal/app/hooks"
	"github.com/causaldocs/causal/app/plain"
	"github.com/causaldocs/causal/app/summary"
	"github.com/causaldocs/causal/app/workspace"
	"github.com/causaldocs/causal/knowledge/discussion"
	"github.com/causaldocs/causal/knowledge/prompt"
)

// runPropose lets a model find events in a file, and prints them in the format of --from. It records nothing: a person
// reviews them first.
func runPropose(ctx context.Context, world IO, name string) error {
	return inPlace(ctx, world, ".", func(p *place) error {
		if err := p.needModel(prompt.Memory); err != nil {
			return usage(fmt.Errorf("record: --propose: %w", err))
		}
		return p.propose(ctx, name)
	})
}

func (p *place) propose(ctx context.Context, name string) error {
	world := p.world
	if name != "-" && !p.Shows(p.inRoot(name)) {
		return usage(fmt.Errorf("record: --propose: no model may see %s: model.exclude lists it, or its name is that of a file with secrets", name))
	}
	text, err := readDiscussion(world, name)
	if err != nil {
		return err
	}
	if name == "-" {
		name = "discussion"
	}
	found, err := discussion.Read(ctx, p.Model, name, text)
	if err != nil {
		return fmt.Errorf("record: %w", err)
	}
	p.tellModel()
	for _, r := range found.Refusals {
		_, _ = plain.Fprintf(world.Err, "left out: %q: %s\n", r.Quote, r.Why)
	}
	var lines bytes.Buffer
	out := json.NewEncoder(&lines)
	out.SetEscapeHTML(false)
	for _, d := range found.Drafts {
		if err := out.Encode(d); err != nil {
			return fmt.Errorf("record: print the events: %w", err)
		}
	}
	if _, err := world.Out.Write(plain.JSON(lines.Bytes())); err != nil {
		return err
	}
	_, _ = plain.Fprintf(world.Err, "%s proposed by %s, none recorded: review them, then record the correct ones with `causal record --from`\n",
		summary.Count(len(found.Drafts), "event"), p.Model.Name())
	return nil
}

func (p *place) inRoot(name string) string {
	whole, err := filepath.Abs(p.world.path(name))
	if err != nil {
		return name
	}
	relative, err := filepath.Rel(p.Repo.Root(), workspace.Seen(whole))
	if err != nil {
		return name
	}
	return filepath.ToSlash(relative)
}

func readDiscussion(world IO, name string) (string, error) {
	in := world.In
	if name != "-" {
		f, err := os.Open(world.path(name))
		if err != nil {
			return "", usage(fmt.Errorf("record: %w", err))
		}
		defer func() { _ = f.Close() }()
		in = f
	}
	buffered := bufio.NewReaderSize(in, longestHead)
	head, _ := buffered.Peek(longestHead) // shorter input is read completely below, which reports its errors
	text, err := said(buffered, hooks.IsTranscript(head))
	if err != nil {
		return "", usage(fmt.Errorf("record: read the discussion: %w", err))
	}
	if len(text) > discussion.MostText {
		return "", usage(fmt.Errorf("record: the discussion is larger than %d bytes; split it", discussion.MostText))
	}
	return text, nil
}

// longestHead is the number of bytes used to detect the format.
const longestHead = 64 << 10

// said reads at most discussion.MostText+1 bytes of a discussion.
func said(in io.Reader, transcript bool) (string, error) {
	if transcript {
		return hooks.Said(in, discussion.MostText)
	}
	text, err := io.ReadAll(io.LimitReader(in, discussion.MostText+1))
	return string(text), err
}
