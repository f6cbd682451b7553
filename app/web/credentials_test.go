package web

import (
	"os"
	"path/filepath"
	"runtime"
	"strings"
	"testing"
)

const pem = "-----BEGIN RSA PRIVATE KEY-----\nMIIB\nOgIB\n-----END RSA PRIVATE KEY-----\n"

func octoapp() Credentials {
	return Credentials{Host: "https://github.com", ID: 42, Slug: "causal-octo", URL: "https://github.com/apps/causal-octo", WebhookSecret: "s3cret=", PrivateKey: pem}
}

func TestCredentialsFile(t *testing.T) {
	t.Parallel()
	dir := filepath.Join(t.TempDir(), "state")
	file := CredentialsFile(filepath.Join(dir, "app.env"))
	if _, ok, err := file.Load(); ok || err != nil {
		t.Fatalf("before: %v, %v", ok, err)
	}
	if err := file.Keep(t.Context(), octoapp()); err != nil {
		t.Fatal(err)
	}
	got, ok, err := file.Load()
	if !ok || err != nil || got != octoapp() {
		t.Errorf("kept %+v, %v, %v", got, ok, err)
	}
	if runtime.GOOS != "windows" {
		for name, want := range map[string]os.FileMode{string(file): 0o600, dir: 0o700} {
			if info, err := os.Stat(name); err != nil || info.Mode().Perm() != want {
				t.Errorf("%s: %v, %v", name, info.Mode(), err)
			}
		}
	}
	other := octoapp()
	other.ID = 43
	if err := file.Keep(t.Context(), other); err == nil || !strings.Contains(err.Error(), "is there already") {
		t.Errorf("kept over others: %v", err)
	}
	if got, _, err := file.Load(); err != nil || got.ID != 42 {
		t.Errorf("now there is %d, %v", got.ID, err)
	}
	entries, err := os.ReadDir(dir)
	if err != nil || len(entries) != 1 {
		t.Errorf("left behind %v, %v", entries, err)
	}
}

func TestCredentialsFileThatIsNotSafeOrComplete(t *testing.T) {
	t.Parallel()
	for _, c := range []struct {
		name, content string
		mode          os.FileMode
		want          string
	}{
		{"readable by all", octoapp().Environment(), 0o644, "chmod 600"},
		{"empty", "", 0o600, "CAUSAL_GITHUB_APP_ID is missing"},
		{"without a key", "CAUSAL_GITHUB_APP_ID=42\nCAUSAL_GITHUB_WEBHOOK_SECRET=x\n", 0o600, "no CAUSAL_GITHUB_PRIVATE_KEY"},
		{"without a secret", "CAUSAL_GITHUB_APP_ID=42\nCAUSAL_GITHUB_PRIVATE_KEY=" + strings.ReplaceAll(pem, "\n", `\n`), 0o600, "no CAUSAL_GITHUB_WEBHOOK_SECRET"},
		{"with another id", "CAUSAL_GITHUB_APP_ID=causal\n", 0o600, "read CAUSAL_GITHUB_APP_ID"},
	} {
		if c.mode == 0o644 && runtime.GOOS == "windows" {
			continue
		}
		file := CredentialsFile(filepath.Join(t.TempDir(), "app.env"))
		if err := os.WriteFile(string(file), []byte(c.content), c.mode); err != nil {
			t.Fatal(err)
		}
		if _, _, err := file.Load(); err == nil || !strings.Contains(err.Error(), c.want) {
			t.Errorf("%s: %v", c.name, err)
		}
	}
}

func TestCredentialsFromTheEnvironment(t *testing.T) {
	t.Parallel()
	lines := map[string]string{}
	for line := range strings.Lines(octoapp().Environment()) {
		name, value, _ := strings.Cut(strings.TrimSuffix(line, "\n"), "=")
		lines[name] = value
	}
	for _, key := range []string{lines["CAUSAL_GITHUB_PRIVATE_KEY"], pem, strings.ReplaceAll(pem, "\n", `\n`)} {
		lines["CAUSAL_GITHUB_PRIVATE_KEY"] = key
		got, ok, err := CredentialsFrom(func(name string) string { return lines[name] })
		if !ok || err != nil || got != octoapp() {
			t.Errorf("from %q: %+v, %v, %v", key, got, ok, err)
		}
	}
	lines["CAUSAL_GITHUB_PRIVATE_KEY"] = "bm8ga2V5"
	if _, _, err := CredentialsFrom(func(name string) string { return lines[name] }); err == nil {
		t.Error("took a key that is none")
	}
	if _, ok, err := CredentialsFrom(func(string) string { return "" }); ok || err != nil {
		t.Errorf("from nothing: %v, %v", ok, err)
	}
}
