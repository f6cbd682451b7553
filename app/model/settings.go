package model

import (
	"fmt"
	"net/url"
	"strings"
)

// Environment variables.
const (
	NameSetting     = "CAUSAL_MODEL"
	ProviderSetting = "CAUSAL_MODEL_PROVIDER"
	URLSetting      = "CAUSAL_MODEL_URL"
	KeySetting      = "CAUSAL_MODEL_KEY"
	CommandSetting  = "CAUSAL_MODEL_COMMAND"
	OfflineSetting  = "CAUSAL_OFFLINE"
)

// Providers.
const (
	Anthropic = "anthropic"
	OpenAI    = "openai"
	Command   = "command"
)

type service struct {
	key string // variable of the provider's usual key
	url string // the provider's own address
}

var services = map[string]service{
	Anthropic: {"ANTHROPIC_API_KEY", "https://api.anthropic.com"},
	OpenAI:    {"OPENAI_API_KEY", "https://api.openai.com/v1"},
}

// Settings select a model. The zero value selects none.
type Settings struct {
	Provider string
	Name     string // the model's id; empty: no model
	URL      string // base URL of the API
	Key      string
	Command  string
	Offline  bool
	Sources  []string // environment variables of these settings
}

// FromEnv reads the settings from the environment. Errors name the variable and a remedy. Offline settings are not
// validated, because they are never used.
func FromEnv(getenv func(string) string) (Settings, error) {
	s := Settings{Offline: getenv(OfflineSetting) != ""}
	get := func(name string) string {
		value := strings.TrimSpace(getenv(name))
		if value != "" {
			s.Sources = append(s.Sources, name)
		}
		return value
	}
	if s.Name = get(NameSetting); s.Name == "" {
		return Settings{Offline: s.Offline}, nil
	}
	err := s.read(get, getenv)
	if s.Offline {
		s.Provider = known(s.Provider)
		return s, nil
	}
	if err != nil {
		return Settings{}, err
	}
	return s, nil
}

// known returns a provider, or the default for an unknown one.
func known(provider string) string {
	if providers[provider] == nil {
		return OpenAI
	}
	return provider
}

func (s *Settings) read(get, getenv func(string) string) error {
	var err error
	if s.Provider, err = providerIn(get, getenv); err != nil {
		return err
	}
	if s.Provider == Command {
		if s.Command = get(CommandSetting); s.Command == "" {
			return fmt.Errorf("%s is %s, and %s is not set: set it to the program that answers", ProviderSetting, Command, CommandSetting)
		}
		return nil
	}
	of := services[s.Provider]
	s.URL = get(URLSetting)
	if s.Key = get(KeySetting); s.Key == "" {
		s.Key = get(of.key)
	}
	if s.URL == "" {
		s.URL = of.url
		if s.Key == "" {
			return fmt.Errorf("%s is set, and %s has no key: set %s or %s, or %s for a server of your own", NameSetting, s.Provider, KeySetting, of.key, URLSetting)
		}
	}
	if err := checkURL(URLSetting, s.URL); err != nil {
		return err
	}
	s.URL = strings.TrimRight(s.URL, "/")
	if s.Provider == Anthropic {
		s.URL = strings.TrimRight(strings.TrimSuffix(s.URL, "/v1"), "/")
	}
	if strings.ContainsFunc(s.Key, func(r rune) bool { return r <= ' ' || r > '~' }) {
		return fmt.Errorf("the key of the model has characters that no key has: check %s", s.Sources[len(s.Sources)-1])
	}
	return nil
}

// providerIn returns the configured provider, or infers it from the keys that are set.
func providerIn(get, getenv func(string) string) (string, error) {
	if p := get(ProviderSetting); p != "" {
		if providers[p] == nil {
			return p, fmt.Errorf("%s is %q: set it to %s, %s or %s", ProviderSetting, p, Anthropic, OpenAI, Command)
		}
		return p, nil
	}
	anthropic, openai := getenv(services[Anthropic].key) != "", getenv(services[OpenAI].key) != ""
	switch {
	case anthropic && openai:
		return OpenAI, fmt.Errorf("%s and %s are both set: set %s to %s or %s", services[Anthropic].key, services[OpenAI].key, ProviderSetting, Anthropic, OpenAI)
	case anthropic:
		return Anthropic, nil
	case !openai && getenv(CommandSetting) != "" && getenv(URLSetting) == "":
		return Command, nil
	}
	return OpenAI, nil
}

// checkURL validates a base URL. Its error never contains the address, which may include a password.
func checkURL(setting, base string) error {
	u, err := url.Parse(base)
	if err != nil || u.Scheme != "http" && u.Scheme != "https" || u.Host == "" || u.User != nil {
		return fmt.Errorf("%s is no http or https URL without user and password: set it to the base of the API, such as http://127.0.0.1:11434/v1", setting)
	}
	return nil
}
