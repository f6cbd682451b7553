package model_test

import (
	"reflect"
	"strings"
	"testing"

	"github.com/causaldocs/causal/app/model"
)

func settings(pairs ...string) func(string) string {
	return func(name string) string {
		for i := 0; i < len(pairs); i += 2 {
			if pairs[i] == name {
				return pairs[i+1]
			}
		}
		return ""
	}
}

func TestFromEnv(t *testing.T) {
	t.Parallel()
	name, provider, url, key := model.NameSetting, model.ProviderSetting, model.URLSetting, model.KeySetting
	for _, test := range []struct {
		env  []string
		want model.Settings
	}{
		{nil, model.Settings{}},
		{[]string{url, "http://h", provider, "nonsense", key, "k"}, model.Settings{}},
		{[]string{model.OfflineSetting, "1"}, model.Settings{Offline: true}},
		{[]string{name, "m", "ANTHROPIC_API_KEY", "a"}, model.Settings{Provider: model.Anthropic, Name: "m", URL: "https://api.anthropic.com", Key: "a", Sources: []string{name, "ANTHROPIC_API_KEY"}}},
		{[]string{name, "m", "OPENAI_API_KEY", "o"}, model.Settings{Provider: model.OpenAI, Name: "m", URL: "https://api.openai.com/v1", Key: "o", Sources: []string{name, "OPENAI_API_KEY"}}},
		{[]string{name, "m", url, "http://127.0.0.1:1/v1/"}, model.Settings{Provider: model.OpenAI, Name: "m", URL: "http://127.0.0.1:1/v1", Sources: []string{name, url}}},
		{[]string{name, "m", provider, "anthropic", url, "https://h/v1/", key, "k", "ANTHROPIC_API_KEY", "a"}, model.Settings{Provider: model.Anthropic, Name: "m", URL: "https://h", Key: "k", Sources: []string{name, provider, url, key}}},
		{[]string{name, "m", provider, "openai", key, "k", "ANTHROPIC_API_KEY", "a"}, model.Settings{Provider: model.OpenAI, Name: "m", URL: "https://api.openai.com/v1", Key: "k", Sources: []string{name, provider, key}}},
		{[]string{name, "m", provider, "command", model.CommandSetting, "claude -p"}, model.Settings{Provider: model.Command, Name: "m", Command: "claude -p", Sources: []string{name, provider, model.CommandSetting}}},
		{[]string{name, "m", model.CommandSetting, "claude -p"}, model.Settings{Provider: model.Command, Name: "m", Command: "claude -p", Sources: []string{name, model.CommandSetting}}},
		{[]string{name, "m", provider, "nonsense", model.OfflineSetting, "1"}, model.Settings{Provider: model.OpenAI, Name: "m", Offline: true, Sources: []string{name, provider}}},
	} {
		if got, err := model.FromEnv(settings(test.env...)); err != nil || !reflect.DeepEqual(got, test.want) {
			t.Errorf("%v: %+v, %v", test.env, got, err)
		}
	}
}

func TestFromEnvErrors(t *testing.T) {
	t.Parallel()
	name, provider, url := model.NameSetting, model.ProviderSetting, model.URLSetting
	for _, test := range []struct {
		env  []string
		want string
	}{
		{[]string{name, "m"}, "set CAUSAL_MODEL_KEY or OPENAI_API_KEY, or CAUSAL_MODEL_URL"},
		{[]string{name, "m", provider, "anthropic"}, "set CAUSAL_MODEL_KEY or ANTHROPIC_API_KEY"},
		{[]string{name, "m", provider, "gemini"}, `CAUSAL_MODEL_PROVIDER is "gemini": set it to anthropic, openai or command`},
		{[]string{name, "m", provider, "command"}, "CAUSAL_MODEL_COMMAND is not set"},
		{[]string{name, "m", "ANTHROPIC_API_KEY", "secret", "OPENAI_API_KEY", "secret"}, "set CAUSAL_MODEL_PROVIDER to anthropic or openai"},
		{[]string{name, "m", url, "127.0.0.1"}, "CAUSAL_MODEL_URL is no http or https URL"},
		{[]string{name, "m", url, "https://me:secret@example.com"}, "CAUSAL_MODEL_URL is no http or https URL"},
		{[]string{name, "m", url, "https://h", model.KeySetting, "sec\nret"}, "check CAUSAL_MODEL_KEY"},
	} {
		if got, err := model.FromEnv(settings(test.env...)); err == nil || !strings.Contains(err.Error(), test.want) || strings.Contains(err.Error(), "secret") || got.Name != "" {
			t.Errorf("%v: %+v, %v", test.env, got, err)
		}
	}
}
