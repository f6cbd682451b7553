package gitstore_test

import (
	"errors"
	"strings"
	"testing"

	"github.com/causaldocs/causal/app/gitstore"
)

// TestMessages: the commits come in the order that git has, with what their authors wrote.
func TestMessages(t *testing.T) {
	t.Parallel()
	f := newFixture(t)
	ids := history(f)
	f.git("config", "log.showSignature", "true")
	f.git("config", "log.date", "relative")
	f.write("m.txt", "3")
	ids["long"] = f.commit("subject\n\nbody\n\n" + strings.Repeat("word ", 20_000))
	f.git("config", "user.name", "Zoë")
	f.write("m.txt", "4")
	ids["zoe"] = f.commit("of somebody else\n\n- a list\n\n\n")
	repo := open(t, gitstore.CLI, f.dir)
	var got []string
	texts := map[string]gitstore.Message{}
	collect := func(m gitstore.Message) error {
		got, texts[m.ID] = append(got, m.ID), m
		return nil
	}
	if err := repo.Messages(t.Context(), "HEAD", "", collect); err != nil {
		t.Fatal(err)
	}
	equalLines(t, "all", got, strings.Fields(f.git("rev-list", "--date-order", "HEAD")))
	if m := texts[ids["zoe"]]; m.Author != "Zoë" || m.Text != "of somebody else\n\n- a list" || m.When.Year() < 2000 {
		t.Errorf("it is %+v", m)
	}
	if m := texts[ids["long"]]; !strings.HasPrefix(m.Text, "subject\n\nbody\n\nword word") || len(m.Text) > 64<<10 {
		t.Errorf("it has %d bytes: %.50q", len(m.Text), m.Text)
	}
	got = nil
	if err := repo.Messages(t.Context(), "main", ids["side"], collect); err != nil {
		t.Fatal(err)
	}
	equalLines(t, "since", got, strings.Fields(f.git("rev-list", "--date-order", "main", "^"+ids["side"])))
	got = nil
	if err := repo.Messages(t.Context(), ids["root"], "main", collect); err != nil || got != nil {
		t.Errorf("of what leads to since as well there are %q, %v", got, err)
	}
	enough := errors.New("enough")
	err := repo.Messages(t.Context(), "main", "", func(gitstore.Message) error { return enough })
	if !errors.Is(err, enough) {
		t.Errorf("it ends with %v", err)
	}
	for _, names := range [][2]string{{"none", ""}, {"main", "none"}, {"--all", ""}, {"main", "-x"}, {"", ""}} {
		if err := repo.Messages(t.Context(), names[0], names[1], collect); !errors.Is(err, gitstore.ErrUnknownRevision) {
			t.Errorf("%q: %v", names, err)
		}
	}
}
