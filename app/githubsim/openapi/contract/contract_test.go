package contract_test

import (
	"errors"
	"strings"
	"testing"

	"github.com/causaldocs/causal/app/githubsim/openapi"
	_ "github.com/causaldocs/causal/app/githubsim/openapi/contract"
)

func TestPayloadIsHeldToTheDescription(t *testing.T) {
	t.Parallel()
	d, err := openapi.Held()
	if err != nil {
		t.Fatal(err)
	}
	if err := d.CheckPayload("ping", []byte(`{"zen":"x","hook_id":1}`)); err != nil {
		t.Error(err)
	}
	if err := d.CheckPayload("push", []byte(`{"ref":"refs/heads/main"}`)); err == nil || !strings.Contains(err.Error(), "before") {
		t.Errorf("a push without anything: %v", err)
	}
	if err := d.CheckPayload("star-created", []byte(`{}`)); !errors.Is(err, openapi.ErrUnknown) {
		t.Errorf("an unknown webhook: %v", err)
	}
}
