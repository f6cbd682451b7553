package web

import (
	"context"
	"encoding/base64"
	"errors"
	"fmt"
	"io/fs"
	"os"
	"path/filepath"
	"strconv"
	"strings"
)

// Credentials are the credentials of a GitHub App. Without ClientID and ClientSecret, users cannot log in with GitHub.
type Credentials struct {
	Host          string // URL of the GitHub server, such as "https://github.com"
	ID            int64
	Slug          string
	URL           string
	WebhookSecret string
	PrivateKey    string // PEM
	ClientID      string
	ClientSecret  string
}

// entries maps environment variables to fields, for writing and reading.
var entries = []struct {
	name string
	get  func(*Credentials) string
	set  func(*Credentials, string) error
}{
	{"CAUSAL_GITHUB_URL", func(c *Credentials) string { return c.Host }, text(func(c *Credentials) *string { return &c.Host })},
	{"CAUSAL_GITHUB_APP_ID", func(c *Credentials) string { return strconv.FormatInt(c.ID, 10) }, func(c *Credentials, value string) (err error) {
		if c.ID, err = strconv.ParseInt(value, 10, 64); err != nil {
			return fmt.Errorf("%q is not the number of an App, such as 123456", value)
		}
		return nil
	}},
	{"CAUSAL_GITHUB_APP_SLUG", func(c *Credentials) string { return c.Slug }, text(func(c *Credentials) *string { return &c.Slug })},
	{"CAUSAL_GITHUB_APP_URL", func(c *Credentials) string { return c.URL }, text(func(c *Credentials) *string { return &c.URL })},
	{"CAUSAL_GITHUB_WEBHOOK_SECRET", func(c *Credentials) string { return c.WebhookSecret }, text(func(c *Credentials) *string { return &c.WebhookSecret })},
	{"CAUSAL_GITHUB_CLIENT_ID", func(c *Credentials) string { return c.ClientID }, text(func(c *Credentials) *string { return &c.ClientID })},
	{"CAUSAL_GITHUB_CLIENT_SECRET", func(c *Credentials) string { return c.ClientSecret }, text(func(c *Credentials) *string { return &c.ClientSecret })},
	{"CAUSAL_GITHUB_PRIVATE_KEY", func(c *Credentials) string { return base64.StdEncoding.EncodeToString([]byte(c.PrivateKey)) }, setKey},
}

func text(field func(*Credentials) *string) func(*Credentials, string) error {
	return func(c *Credentials, value string) error {
		*field(c) = value
		return nil
	}
}

// setKey parses a key in the formats of secret stores: PEM, PEM with escaped line breaks, or base64.
func setKey(c *Credentials, value string) error {
	if strings.Contains(value, "-----BEGIN ") {
		c.PrivateKey = strings.ReplaceAll(value, `\n`, "\n")
		return nil
	}
	key, err := base64.StdEncoding.DecodeString(value)
	if err != nil || !strings.Contains(string(key), "-----BEGIN ") {
		return errors.New("the key must be in PEM or base64")
	}
	c.PrivateKey = string(key)
	return nil
}

// Environment returns the credentials as lines of an environment file.
func (c Credentials) Environment() string {
	var b strings.Builder
	for _, e := range entries {
		fmt.Fprintf(&b, "%s=%s\n", e.name, e.get(&c))
	}
	return b.String()
}

// CredentialsFrom reads the credentials from a function such as os.Getenv. It returns false without an App id.
func CredentialsFrom(setting func(name string) string) (Credentials, bool, error) {
	var c Credentials
	for _, e := range entries {
		value := setting(e.name)
		if value == "" {
			continue
		}
		if err := e.set(&c, value); err != nil {
			return Credentials{}, false, fmt.Errorf("read %s: %w", e.name, err)
		}
	}
	if c.ID == 0 {
		if c.PrivateKey != "" {
			return Credentials{}, false, errors.New("CAUSAL_GITHUB_PRIVATE_KEY is set, and CAUSAL_GITHUB_APP_ID is not")
		}
		return Credentials{}, false, nil
	}
	if c.PrivateKey == "" || c.WebhookSecret == "" {
		return Credentials{}, false, errors.New("there is a GitHub App id, but no CAUSAL_GITHUB_PRIVATE_KEY or no CAUSAL_GITHUB_WEBHOOK_SECRET")
	}
	return c, true, nil
}

// Keeper stores the credentials of a new App for the next start of the server. Its String is the place, for messages.
type Keeper interface {
	Keep(ctx context.Context, c Credentials) error
	fmt.Stringer
}

// CredentialsFile is a file with credentials, readable only by its owner.
type CredentialsFile string

// String returns the path.
func (f CredentialsFile) String() string { return string(f) }

// Keep writes the file atomically, and never overwrites existing credentials.
func (f CredentialsFile) Keep(_ context.Context, c Credentials) error {
	dir := filepath.Dir(string(f))
	if err := os.MkdirAll(dir, 0o700); err != nil {
		return fmt.Errorf("keep the credentials: %w", err)
	}
	tmp, err := os.CreateTemp(dir, ".credentials-*") // readable only by its owner
	if err != nil {
		return fmt.Errorf("keep the credentials: %w", err)
	}
	defer func() { _ = os.Remove(tmp.Name()) }()
	_, err = tmp.WriteString(c.Environment())
	if err = errors.Join(err, tmp.Sync(), tmp.Close()); err != nil {
		return fmt.Errorf("keep the credentials: %w", err)
	}
	if _, err := os.Lstat(string(f)); err == nil {
		return fmt.Errorf("keep the credentials: %s is there already", f)
	}
	if err := os.Rename(tmp.Name(), string(f)); err != nil {
		return fmt.Errorf("keep the credentials: %w", err)
	}
	return syncDir(dir)
}

// syncDir makes a new file name durable if the system supports it.
func syncDir(dir string) error {
	d, err := os.Open(dir)
	if err != nil {
		return fmt.Errorf("keep the credentials: %w", err)
	}
	defer func() { _ = d.Close() }()
	_ = d.Sync() // not every file system supports this
	return nil
}

// Load reads the file. It returns false if there is none, and refuses a file that others can read.
func (f CredentialsFile) Load() (Credentials, bool, error) {
	info, err := os.Stat(string(f))
	if errors.Is(err, fs.ErrNotExist) {
		return Credentials{}, false, nil
	}
	if err != nil {
		return Credentials{}, false, fmt.Errorf("read the credentials: %w", err)
	}
	if info.Mode().Perm()&0o007 != 0 && os.PathSeparator == '/' {
		return Credentials{}, false, fmt.Errorf("%s holds the key of the App, and other users can read it: run `chmod 600 %s`", f, f)
	}
	data, err := os.ReadFile(string(f))
	if err != nil {
		return Credentials{}, false, fmt.Errorf("read the credentials: %w", err)
	}
	settings := map[string]string{}
	for line := range strings.Lines(string(data)) {
		if name, value, ok := strings.Cut(strings.TrimSpace(line), "="); ok && !strings.HasPrefix(name, "#") {
			settings[name] = value
		}
	}
	c, ok, err := CredentialsFrom(func(name string) string { return settings[name] })
	if err == nil && !ok {
		err = errors.New("CAUSAL_GITHUB_APP_ID is missing")
	}
	if err != nil {
		return Credentials{}, false, fmt.Errorf("%s: %w", f, err)
	}
	return c, true, nil
}
