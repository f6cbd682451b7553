// Package redact removes secrets from texts before they are stored or shown: prompts, commands and their output,
// responses of servers. It has false positives, and it misses secrets of unknown forms: do not store a redacted text
// without need.
package redact

import (
	"path"
	"slices"
	"strings"

	"github.com/causaldocs/causal/knowledge/lazyregexp"
)

// Mark replaces a secret.
const Mark = "[redacted]"

// blocks matches PEM private keys.
var blocks = lazyregexp.New(`-----BEGIN [A-Z0-9 ]*PRIVATE KEY[A-Z ]*-----(?s:.*?)(?:-----END [A-Z0-9 ]*PRIVATE KEY[A-Z ]*-----|\z)`)

// tokens matches secrets with a recognizable form.
var tokens = lazyregexp.New(`\bgh[a-z]_[A-Za-z0-9_.\-]+|` + // GitHub's, also the long form that holds a JSON web token
	`\bgithub_pat_[A-Za-z0-9_]+|` +
	`\bglpat-[A-Za-z0-9_\-]{8,}|` +
	`\b(?:AKIA|ASIA|ABIA|ACCA)[0-9A-Z]{16}\b|` +
	`\bxox[a-z]-[A-Za-z0-9\-]{8,}|\bxapp-[A-Za-z0-9\-]{8,}|` +
	`\bsk-[A-Za-z0-9_\-]{16,}|` +
	`\b[rs]k_(?:live|test)_[A-Za-z0-9]{8,}|` +
	`\bAIza[A-Za-z0-9_\-]{30,}|` +
	`\b(?:npm|hf)_[A-Za-z0-9]{20,}|\bpypi-[A-Za-z0-9_\-]{20,}|` +
	`\$2[abxy]\$\d\d\$[./A-Za-z0-9]{50,}|\$argon2[a-z]+\$[^\s"']+|` + // hashes of passwords
	`\beyJ[A-Za-z0-9_\-]+\.[A-Za-z0-9_\-]+\.[A-Za-z0-9_\-]*|` + // JSON web tokens
	`://[^/\s:@]*:(?:[^\d/\s@][^\s"'<>]*|[^/\s@]+(?:@[^/\s@]+)*)@`) // a password may have an @, and slashes unless it looks like a port

// Tokens redacts tokens, keys, and credentials in URLs.
func Tokens(text string) string {
	if strings.Contains(text, "PRIVATE KEY") {
		text = blocks.ReplaceAllString(text, Mark)
	}
	return eachLine(text, tokenHints, func(line string) string {
		return tokens.ReplaceAllStringFunc(line, func(secret string) string {
			if secret[0] == ':' {
				return "://" + Mark + "@"
			}
			return Mark
		})
	})
}

// Patterns take a microsecond per byte, so they run only on lines that contain one of these lower-case hints.
var (
	tokenHints = []string{"gh", "github_pat", "glpat-", "akia", "asia", "abia", "acca", "xox", "xapp-", "sk-", "k_live_", "k_test_", "aiza", "npm_", "hf_", "pypi-", "eyj", "$2", "$argon2", "://"}
	nameHints  = []string{"pass", "pwd", "secret", "token", "key", "credential", "auth", "cookie", "bearer", "basic", "-u"}
)

// eachLine applies fn to the lines that contain one of the hints.
func eachLine(text string, hints []string, fn func(line string) string) string {
	small := lower(text)
	var b strings.Builder
	for at := 0; at < len(text); {
		end := len(text)
		if i := strings.IndexByte(text[at:], '\n'); i >= 0 {
			end = at + i + 1
		}
		line := text[at:end]
		if slices.ContainsFunc(hints, func(hint string) bool { return strings.Contains(small[at:end], hint) }) {
			line = fn(line)
		}
		b.WriteString(line)
		at = end
	}
	return b.String()
}

// lower maps ASCII letters to lower case and keeps all byte offsets.
func lower(text string) string {
	out := []byte(text)
	for i, c := range out {
		if 'A' <= c && c <= 'Z' {
			out[i] += 'a' - 'A'
		}
	}
	return string(out)
}

const (
	// password matches names whose values are always secret, key those that also occur in code.
	password = `pass(?:word|wd|phrase)?|pwd|secret` //nolint:gosec // the names of such
	key      = `token|api[_\-]?key|(?:access|private|signing|encryption|account)[_\-]?key|credentials?|auth`
	// quoted matches a quoted text, also escaped in JSON.
	quoted = `\\?"[^"\r\n]*"?|'[^'\r\n]*'?`
	bare   = `[^\s"'\\;,&|<>()\[\]{}]+`
)

// Names with their values, by syntax. Each pattern has the groups name, between and value.
var (
	// headers have a secret up to the end of the line.
	headers = lazyregexp.New(`(?i)\b((?:proxy-)?authorization|(?:set-)?cookie|x-api-key)(\\?["']?\s*[:=]\s*\\?["']?)([^\r\n"'\\]+)`)
	bearers = lazyregexp.New(`(?i)\b(bearer|basic)(\s+)([A-Za-z0-9._~+/\-]{8,}=*)`)
	// tight is the syntax of shells, query strings and dotenv files.
	tight = lazyregexp.New(`(?i)([a-z0-9_.\-]*(?:` + password + `|` + key + `)[a-z0-9_.\-]*)(=)(` + quoted + `|` + bare + `)`)
	// spaced is the syntax of configuration, JSON and code.
	spaced = lazyregexp.New(`(?i)([a-z0-9_.\-]*(?:` + password + `|` + key + `)[a-z0-9_.\-]*)(\\?["']?\s*(?::=|=>|[:=])\s*)(` + quoted + `|` + bare + `\(?)`)
	// compared is a comparison in code. The name ends in the word, unlike that of a token's kind.
	compared = lazyregexp.New(`(?i)([a-z0-9_.\-]*(?:` + password + `|` + key + `))(\s*[=!]==?\s*)(` + quoted + `)`)
	flags    = lazyregexp.New(`(?i)(--?[a-z0-9\-]*(?:` + password + `|token|api-?key|access-?key))(\s+)(` + quoted + `|[^\s\-"'][^\s"']*)`)
	users    = lazyregexp.New(`(\s(?:-u|--user))([\s=]+)([^\s:]+:[^\s]+)`)
)

var (
	passwordName = lazyregexp.New(`(?i)` + password)
	secretName   = lazyregexp.New(`(?i)` + password + `|` + key)
)

// Text redacts the same as Tokens, and the values of secret names in variables, flags, headers, configuration and code.
func Text(text string) string {
	text = Tokens(text)
	always := func(_, value string) bool { return !strings.HasPrefix(strings.Trim(value, `\"'`), "$") }
	return eachLine(text, nameHints, func(line string) string {
		for _, form := range []struct {
			pattern *lazyregexp.Regexp
			secret  func(name, value string) bool
		}{{headers, always}, {bearers, encoded}, {tight, always}, {spaced, telling}, {compared, telling}, {flags, always}, {users, always}} {
			line = replace(line, form.pattern, form.secret)
		}
		return line
	})
}

// encoded reports whether the text after a scheme is a secret: the base64 text of basic credentials is no word.
func encoded(scheme, value string) bool {
	return !strings.EqualFold(scheme, "basic") || strings.Trim(value, "abcdefghijklmnopqrstuvwxyz-") != ""
}

// replace replaces the secret values with Mark. References to variables are not secret.
func replace(text string, pattern *lazyregexp.Regexp, secret func(name, value string) bool) string {
	var b strings.Builder
	last := 0
	for _, at := range pattern.FindAllStringSubmatchIndex(text, -1) {
		name, value := text[at[2]:at[3]], text[at[6]:at[7]]
		if strings.Contains(value, Mark) || strings.Trim(value, `\"'`) == "" || !secret(name, value) {
			continue
		}
		b.WriteString(text[last:at[6]])
		b.WriteString(Mark)
		last = at[7]
	}
	return b.String() + text[last:]
}

// words are values that are types or empty.
var words = []string{"string", "str", "text", "bytes", "bool", "int", "number", "any", "true", "false", "null", "nil", "none", "undefined", "required"}

// telling reports whether a value in code or configuration is a literal secret, not an expression or type.
func telling(name, value string) bool {
	inner := strings.Trim(value, `\"'`)
	switch {
	case slices.Contains(words, strings.ToLower(inner)), strings.HasSuffix(value, "("), strings.HasPrefix(inner, "$"):
		return false
	case strings.ContainsAny(value[:1], `\"'`):
		return len(inner) >= 4
	case passwordName.MatchString(name):
		return len(inner) >= 4 && !strings.Contains(inner, ".")
	}
	return len(inner) >= 8 && strings.ContainsAny(inner, "0123456789") && strings.ContainsFunc(inner, isLetter)
}

func isLetter(r rune) bool { return 'a' <= r && r <= 'z' || 'A' <= r && r <= 'Z' }

// Named returns the text for a name, redacted completely if the name is secret.
func Named(name, text string) string {
	if text == "" || !secretName.MatchString(name) {
		return Text(text)
	}
	return Mark
}

// secretSetting matches the names of settings that hold a secret of any form.
var secretSetting = lazyregexp.New(`(?i)(?:password|passwd|pwd|passphrase|secret|token|(?:api|access|private|encryption|secret|signing|session)[-_.]?key|[-_.]pass|key[-_]base|redis[-_]auth)$`)

// reference matches a value that names a variable, and withDefault one with a literal after it.
var (
	reference   = lazyregexp.New(`^\$(?:[A-Z_][A-Z0-9_]*|\{[^}]*\}|\(.*\))$`)
	withDefault = lazyregexp.New(`^(\$\{\w+:?[-=])(.+)\}$`)
)

// measure matches the part of a setting's name that makes it a number, and measureEnd one that ends in it.
var (
	measure    = lazyregexp.New(`(?i)(?:^|[-_.])` + measures + `(?:$|[-_.])`)
	measureEnd = lazyregexp.New(`(?i)(?:^|[-_.])` + measures + `$`)
)

const measures = `(?:min|max|length|len|size|limit|count|ttl|age|days|hours|minutes|seconds|expir\w*|timeout|rounds)`

// isMeasure reports whether a value is a plain number, no secret of digits.
func isMeasure(name, value string) bool {
	const most, few = 9, 3 // digits
	switch digits := len(value); {
	case strings.Trim(value, "0123456789") != "":
		return false
	case measureEnd.MatchString(name):
		return digits <= most
	case secretSetting.MatchString(name):
		return digits <= few && measure.MatchString(name)
	default:
		return digits <= few || digits <= most && measure.MatchString(name)
	}
}

// Setting returns the value of a setting, or Mark if it is a secret and not a switch, a type or a reference.
func Setting(name, value string) string { return setting(name, value, deepestDefault) }

// deepestDefault bounds the variables whose defaults are within each other.
const deepestDefault = 8

func setting(name, value string, left int) string {
	if m := withDefault.FindStringSubmatch(value); m != nil {
		if left == 0 {
			return Mark
		}
		return m[1] + setting(name, m[2], left-1) + "}"
	}
	if isMeasure(name, value) {
		return value
	}
	held := secretSetting.MatchString(name) && !slices.Contains(words, strings.ToLower(value)) && !reference.MatchString(value)
	if value != "" && (held || secretName.MatchString(name) && telling(name, value)) {
		return Mark
	}
	return Tokens(value)
}

// Secret files by name and extension.
var (
	secretFiles = []string{
		".netrc", "_netrc", ".npmrc", ".pypirc", ".pgpass", ".htpasswd", ".git-credentials", ".dockercfg", "credentials", "credentials.json",
		"id_rsa", "id_dsa", "id_ecdsa", "id_ed25519", "secrets.yml", "secrets.yaml", "secrets.json", "secrets.toml", "service-account.json",
	}
	secretEnds = []string{".pem", ".key", ".p12", ".pfx", ".jks", ".keystore", ".kdbx", ".ppk", ".asc", ".tfvars"}
	examples   = []string{".example", ".sample", ".template", ".dist"}
)

// SecretFile reports whether a file holds secrets, by its name: keys, credentials, environment files.
func SecretFile(name string) bool {
	base := strings.ToLower(path.Base(strings.ReplaceAll(name, `\`, "/")))
	ends := func(list []string) bool {
		return slices.ContainsFunc(list, func(end string) bool { return strings.HasSuffix(base, end) })
	}
	switch {
	case ends(examples):
		return false
	case base == ".env", strings.HasPrefix(base, ".env."), strings.HasSuffix(base, ".env"):
		return true
	}
	return slices.Contains(secretFiles, base) || ends(secretEnds)
}

// SecretCommand reports whether a command line names such a file.
func SecretCommand(line string) bool {
	return slices.ContainsFunc(strings.FieldsFunc(line, func(r rune) bool { return strings.ContainsRune(" \t\r\n\"'`;|&<>()=,:", r) }), SecretFile)
}
