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

// Credentials are what a server needs to be a GitHub App. Without the client's ID and secret nobody can log in with GitHub.
type Credentials struct {
	Host          string // the GitHub server, as in "https://github.com"
	ID            int64
	Slug          string
	URL           string // the App's page
	WebhookSecret string
	PrivateKey    string // PEM
	ClientID      string
	ClientSecret  string
}

// entries ties each setting to its place: one list for writing and for reading.
var entries = []struct {
	name string
	get  func(*Credentials) string
	set  func(*Credentials, string) error
}{
	{"CAUSAL_GITHUB_URL", func(c *Credentials) string { return c.Host }, text(func(c *Credentials) *string { return &c.Host })},
	{"CAUSAL_GITHUB_APP_ID", func(c *Credentials) string { return strconv.FormatInt(c.ID, 10) }, func(c *Credentials, value string) (err error) {
		c.ID, err = strconv.ParseInt(value, 10, 64)
		return err
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

// setKey takes a key in the forms in which secret stores hand it out: as it is, with its line breaks spelt \n, or in base64.
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

// Environment spells the credentials as lines for a secret store or an environment file, one setting a line.
func (c Credentials) Environment() string {
	var b strings.Builder
	for _, e := range entries {
		fmt.Fprintf(&b, "%s=%s\n", e.name, e.get(&c))
	}
	return b.String()
}

// CredentialsFrom reads the credentials from settings such as os.Getenv; false when there is no App id among them.
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
		return Credentials{}, false, nil
	}
	if c.PrivateKey == "" || c.WebhookSecret == "" {
		return Credentials{}, false, errors.New("there is a GitHub App id, but no CAUSAL_GITHUB_PRIVATE_KEY or no CAUSAL_GITHUB_WEBHOOK_SECRET")
	}
	return c, true, nil
}

// Keeper keeps the credentials of a new App for the next start of the server. Its String says where, for people.
type Keeper interface {
	Keep(ctx context.Context, c Credentials) error
	fmt.Stringer
}

// CredentialsFile is a file that keeps credentials, readable by its owner only.
type CredentialsFile string

// String is the path.
func (f CredentialsFile) String() string { return string(f) }

// Keep writes the file: complete or not at all, and never over credentials that are there.
func (f CredentialsFile) Keep(_ context.Context, c Credentials) error {
	dir := filepath.Dir(string(f))
	if err := os.MkdirAll(dir, 0o700); err != nil {
		return fmt.Errorf("keep the credentials: %w", err)
	}
	tmp, err := os.CreateTemp(dir, ".credentials-*") // which only its owner may read
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

// syncDir makes a new name survive a power cut, where the system can.
func syncDir(dir string) error {
	d, err := os.Open(dir)
	if err != nil {
		return fmt.Errorf("keep the credentials: %w", err)
	}
	defer func() { _ = d.Close() }()
	_ = d.Sync() // not every file system knows this; the file itself is safe
	return nil
}

// Load reads the file; false when it is not there. It refuses a file that everybody may read.
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
