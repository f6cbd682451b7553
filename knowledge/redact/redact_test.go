package redact_test

import (
	"strings"
	"testing"

	"github.com/causaldocs/causal/knowledge/costtest"
	"github.com/causaldocs/causal/knowledge/redact"
)

func TestText(t *testing.T) {
	t.Parallel()
	for text, want := range map[string]string{
		// Forms that are secret by themselves.
		"use ghp_0123456789abcdefABCDEF0123456789abcd now":                                  "use [redacted] now",
		"gho_abc ghs_def github_pat_11AA_bb":                                                "[redacted] [redacted] [redacted]",
		"key AKIAIOSFODNN7EXAMPLE.":                                                         "key [redacted].",
		"xoxb-123456789012-abcdefABCDEF":                                                    "[redacted]",
		"sk-" + "abcdefghij0123456789":                                                      "[redacted]",
		"sk_live_0123456789abcdef":                                                          "[redacted]",
		"glpat-abcdefghij0123456789":                                                        "[redacted]",
		"eyJhbGciOi.eyJpc3Mi.c2ln and more":                                                 "[redacted] and more",
		"git clone https://me:pw@host.example/o/r":                                          "git clone https://[redacted]@host.example/o/r",
		"hash $2a$05$6Ny3TjrW3aVAL1or2SlcR.fhuDgPKp5jp.P9fBXwVNePgeLqb4i3C.":                "hash [redacted]",
		"x=$argon2id$v=19$m=65540,t=3,p=4$bXBGMENBZUVzT3":                                   "x=[redacted]",
		"redis://:pw@host/0":                                                                "redis://[redacted]@host/0",
		"a -----BEGIN RSA PRIVATE KEY-----\nMII\n-----END RSA PRIVATE KEY----- b":           "a [redacted] b",
		`"-----BEGIN PRIVATE KEY-----\nMII\nabc`:                                            `"[redacted]`,
		"-----BEGIN PGP PRIVATE KEY BLOCK-----\nx\n-----END PGP PRIVATE KEY BLOCK-----\nok": "[redacted]\nok",
		// Names.
		"PASSWORD=hunter2 make":                                   "PASSWORD=[redacted] make",
		"export DB_PASSWORD='a b c'; run":                         "export DB_PASSWORD=[redacted]; run",
		"AWS_SECRET_ACCESS_KEY=wJalrXUtnFEMI/K7MDENG/bPxRfiCYEXA": "AWS_SECRET_ACCESS_KEY=[redacted]",
		"curl 'https://h.example/?api_key=abc&x=1'":               "curl 'https://h.example/?api_key=[redacted]&x=1'",
		`{"token": "abcdefgh", "n": 1}`:                           `{"token": [redacted], "n": 1}`,
		`{\"clientSecret\": \"abcdefgh\", \"n\": 1}`:              `{\"clientSecret\": [redacted], \"n\": 1}`,
		"password: hunter2":                                       "password: [redacted]",
		"api_key = 0f1e2d3c4b5a":                                  "api_key = [redacted]",
		`var token = "abcd1234"`:                                  `var token = [redacted]`,
		`if token == "abcd1234" {`:                                `if token == [redacted] {`,
		`litmus "basic copymove http"`:                            `litmus "basic copymove http"`,
		"curl --basic dXNlcjpwdw":                                 "curl --basic [redacted]",
		"Authorization: Basic dXNlcjpwdw==":                       "Authorization: [redacted]",
		"-H 'Authorization: Bearer abcdefgh.ijkl' url":            "-H 'Authorization: [redacted]' url",
		"Cookie: session=1; theme=2\nnext":                        "Cookie: [redacted]\nnext",
		"Bearer abcdefgh12":                                       "Bearer [redacted]",
		"login --password hunter2 --name x":                       "login --password [redacted] --name x",
		"curl -u me:pw https://h.example":                         "curl -u [redacted] https://h.example",
		// What is none.
		"":                                   "",
		"token := lexer.Next()":              "token := lexer.Next()",
		"token = scanner.next(buf0)":         "token = scanner.next(buf0)",
		"func Login(password string) error":  "func Login(password string) error",
		`if token.Kind != "name" {`:          `if token.Kind != "name" {`,
		"if password === confirm.password":   "if password === confirm.password",
		"password: string;":                  "password: string;",
		"deploy --token $TOKEN":              "deploy --token $TOKEN",
		`PASSWORD="$PW" make`:                `PASSWORD="$PW" make`,
		"the token is read, then the secret": "the token is read, then the secret",
		"highs_and_lows, ghostly, sketch":    "highs_and_lows, ghostly, sketch",
		"https://host.example:8443/o/r":      "https://host.example:8443/o/r",
		"git log --oneline -- auth/token.go": "git log --oneline -- auth/token.go",
		"skipped: 3, passed: 12":             "skipped: 3, passed: 12",
	} {
		if got := redact.Text(text); got != want {
			t.Errorf("Text(%q)\n  = %q\nwant %q", text, got, want)
		}
		if again := redact.Text(redact.Text(text)); again != redact.Text(text) {
			t.Errorf("Text(%q) is %q the second time", text, again)
		}
	}
}

func TestNamed(t *testing.T) {
	t.Parallel()
	for _, c := range [][3]string{
		{"password", "two words", "[redacted]"}, {"api_key", "x", "[redacted]"}, {"command", "make", "make"},
		{"command", "TOKEN=abc make", "TOKEN=[redacted] make"}, {"token", "", ""},
	} {
		if got := redact.Named(c[0], c[1]); got != c[2] {
			t.Errorf("Named(%q, %q) = %q, want %q", c[0], c[1], got, c[2])
		}
	}
}

func TestSetting(t *testing.T) {
	t.Parallel()
	for _, c := range [][3]string{
		{"POSTGRES_PASSWORD", "changethis", "[redacted]"}, {"spring.datasource.password", "petclinic", "[redacted]"}, {"AUTH_ENABLED", "true", "true"},
		{"TOKEN_TTL", "3600", "3600"}, {"%prod.quarkus.datasource.password", "sa", "[redacted]"}, {"session.encryption-key", "123456", "[redacted]"},
		{"password-recovery-enabled", "true", "true"}, {"MAX_TOKENS", "100", "100"}, {"MIN_LENGTH_PASSWORD", "8", "8"}, {"DB_PASSWORD", "123", "[redacted]"}, {"MAX_API_TOKEN", "48203948120394", "[redacted]"}, {"MIN_PASSWORD", "12345678", "[redacted]"}, {"jwt.secret.days", "12345678901", "[redacted]"}, {"PASSWORD_TTL", "86400", "86400"}, {"AGE_PASSWORD", "a8b1", "[redacted]"},
		{"JWT_SECRET", "${JWT_SECRET:-Sup3rSecret}", "${JWT_SECRET:-[redacted]}"}, {"PORT", "${PORT:-80}", "${PORT:-80}"}, {"PASSWORD", "$ecret123", "[redacted]"}, {"PASSWORD", "$DB_PASS", "$DB_PASS"},
		{"POSTGRES_PASS", "my.pass", "[redacted]"}, {"SECRET_KEY_BASE", "abc.def-ghi", "[redacted]"}, {"URL", "postgres://u:p@ss/x@host/db", "postgres://[redacted]@host/db"},
		{"URL", "http://localhost:3000/@user", "http://localhost:3000/@user"}, {"URL", "redis://:1a2@b@host:80/0", "redis://[redacted]@host:80/0"}, {"SECRET_KEY", "${KEY}", "${KEY}"}, {"API_KEY", "a1b2c3d4e5", "[redacted]"}, {"password", "", ""},
		{"DATABASE_URL", "postgres://shop:shop@db/shop", "postgres://[redacted]@db/shop"}, {"server.port", "8080", "8080"},
		{"A", strings.Repeat("${A:-", 8) + "b" + strings.Repeat("}", 8), strings.Repeat("${A:-", 8) + "b" + strings.Repeat("}", 8)},
		{"A", strings.Repeat("${A:-", 999) + "b" + strings.Repeat("}", 999), strings.Repeat("${A:-", 8) + "[redacted]" + strings.Repeat("}", 8)},
	} {
		if got := redact.Setting(c[0], c[1]); got != c[2] {
			t.Errorf("Setting(%q, %q) = %q, want %q", c[0], c[1], got, c[2])
		}
	}
}

func TestSecretFile(t *testing.T) {
	t.Parallel()
	for name, want := range map[string]bool{
		".env": true, "deploy/.env.production": true, "prod.env": true, "id_rsa": true, "tls/server.key": true, `C:\u\.netrc`: true, "A/CERT.PEM": true,
		".env.example": false, "environment.go": false, "id_rsa.pub": false, "keys.go": false, "": false, "monkey": false,
	} {
		if got := redact.SecretFile(name); got != want {
			t.Errorf("SecretFile(%q) = %t", name, got)
		}
	}
	for line, want := range map[string]bool{
		"cat .env": true, "source ./.env && make": true, "scp host:.env .": true, `grep X "conf/.env.local"`: true, "openssl rsa -in=a.pem": true,
		"make env": false, "cat .env.example": false, "go test ./...": false,
	} {
		if got := redact.SecretCommand(line); got != want {
			t.Errorf("SecretCommand(%q) = %t", line, got)
		}
	}
}

// FuzzText: a token does not come through, whatever stands around it, and no text takes long.
func FuzzText(f *testing.F) {
	for _, text := range []string{"", "a token=", "password: \"", "-----BEGIN PRIVATE KEY-----", "://a:", "Cookie: ", `\"secret\":`, strings.Repeat("pass", 9)} {
		f.Add(text)
	}
	const secret = "AKIAIOSFODNN7EXAMPLE"
	f.Fuzz(func(t *testing.T, text string) {
		if got := redact.Text(text + " " + secret + " " + text); strings.Contains(got, " "+secret+" ") {
			t.Errorf("%q still holds the key", got)
		}
		costtest.Hold(t, []byte(text), func(text []byte) { redact.Text(string(text)) })
	})
}
