package cli

import (
	"context"
	"encoding/json"
	"fmt"
	"strings"

	"github.com/causaldocs/causal/app/model"
	"github.com/causaldocs/causal/app/summary"
	"github.com/causaldocs/causal/knowledge/prompt"
)

// modelFinding reports the configured model and its sources; with ask, it sends a probe.
func modelFinding(ctx context.Context, world IO, ask bool) ailment {
	s, err := model.FromEnv(world.Getenv)
	switch {
	case err != nil:
		return ailment{"model", err.Error(), "correct the environment; docs/models.md lists the variables"}
	case s.Name == "" && ask:
		return ailment{"model", "none" + unused(world), "set " + model.NameSetting}
	case s.Name == "":
		return ailment{What: "model", Says: "none: nothing leaves this machine" + unused(world)}
	}
	says := fmt.Sprintf("%s by %s at %s (from %s)", s.Name, s.Provider, s.URL, strings.Join(s.Sources, ", "))
	if s.Provider == model.Command {
		says = fmt.Sprintf("%s by the command %s (from %s)", s.Name, s.Command, strings.Join(s.Sources, ", "))
	}
	if s.Offline {
		return ailment{What: "model", Says: says + "; offline: it is not asked"}
	}
	if !ask {
		return ailment{What: "model", Says: says}
	}
	run := model.Open(s, model.Options{})
	if _, err := run.Complete(ctx, probe); err != nil {
		return ailment{"model", says + ": " + err.Error(), "check " + strings.Join(s.Sources, ", ")}
	}
	r := run.Report()
	return ailment{What: "model", Says: fmt.Sprintf("%s: it answers, %s, %d tokens", says, summary.Count(r.Requests, "request"), r.TokensIn+r.TokensOut)}
}

// unused names the model variables that have no effect without a model name.
func unused(world IO) string {
	var set []string
	for _, name := range []string{model.ProviderSetting, model.URLSetting, model.KeySetting, model.CommandSetting, "ANTHROPIC_API_KEY", "OPENAI_API_KEY"} {
		if world.Getenv(name) != "" {
			set = append(set, name)
		}
	}
	if len(set) == 0 {
		return ""
	}
	return fmt.Sprintf("; %s set, but not %s", strings.Join(set, ", "), model.NameSetting)
}

var probe = prompt.Request{
	Use: prompt.Ask, Unit: "doctor/model", System: "Answer in the requested form.",
	Schema: json.RawMessage(`{"title": "causal.doctor/v1", "type": "object", "required": ["ready"], "additionalProperties": false, "properties": {"ready": {"type": "boolean"}}}`),
	Turns:  []prompt.Turn{{Role: prompt.User, Text: "Are you ready?"}},
}
