package gitstore

import (
	"errors"
	"strings"
	"testing"
)

// TestRemoteFailure reads what git and GitHub say, word for word.
func TestRemoteFailure(t *testing.T) {
	t.Parallel()
	for _, c := range []struct {
		said string
		want error
	}{
		{"remote: Repository not found.\nfatal: repository 'https://github.com/o/r.git/' not found", ErrGone},
		{"fatal: unable to access 'https://github.com/o/r.git/': The requested URL returned error: 403", ErrGone},
		{"remote: Your account is suspended.\nfatal: unable to access 'https://github.com/o/r.git/': The requested URL returned error: 403", ErrGone},
		{"fatal: unable to access 'https://github.com/o/r.git/': The requested URL returned error: 301", ErrGone},
		{"fatal: unable to access 'https://github.com/o/r.git/': The requested URL returned error: 429", ErrUnavailable},
		{"fatal: unable to access 'https://github.com/o/r.git/': The requested URL returned error: 502", ErrUnavailable},
		{"remote: Invalid username or token.\nfatal: Authentication failed for 'https://github.com/o/r.git/'", ErrUnavailable},
		{"fatal: unable to access 'https://github.com/o/r.git/': Could not resolve host: github.com", ErrUnavailable},
		{"error: RPC failed; curl 18 transfer closed with outstanding read data remaining\nfatal: early EOF", ErrUnavailable},
		{"fatal: the remote end hung up unexpectedly", ErrUnavailable},
		{"error: 5 bytes of body are still expected\nfetch-pack: unexpected disconnect while reading sideband packet", ErrUnavailable},
		{"fatal: remote error: upload-pack: not our ref 1111111111111111111111111111111111111111", ErrUnknownObject},
		{"error: Server does not allow request for unadvertised object 1111111111111111111111111111111111111111", ErrUnknownObject},
		{"fatal: bad object refs/causal/1111111111111111111111111111111111111111", nil},
	} {
		err := remoteFailure(t.Context(), "fetch", errors.New("exit status 128"), c.said)
		for _, known := range []error{ErrGone, ErrUnavailable, ErrUnknownObject} {
			if errors.Is(err, known) != (known == c.want) { //nolint:errorlint // which row it is
				t.Errorf("%q: %v, want %v", c.said, err, c.want)
			}
		}
	}
}

// TestLastWords: what went wrong is kept however much progress came before, and progress is not.
func TestLastWords(t *testing.T) {
	t.Parallel()
	l := &lastWords{}
	for range 5000 {
		_, _ = l.Write([]byte("Receiving objects:  12% (1/8)\r"))
	}
	_, _ = l.Write([]byte("Receiving objects: 100% (8/8), done.\nremote: Total 8 (delta 2)\nremote: Counting objects: 1\r\n"))
	_, _ = l.Write([]byte("remote: Repository was disabled.\nResolving deltas:  3%\rfatal: early EOF\n"))
	if got, want := l.String(), "remote: Repository was disabled.\nfatal: early EOF"; got != want {
		t.Errorf("%q, want %q", got, want)
	}
	if len(l.text) > 3*excerptSize {
		t.Errorf("%d bytes are kept", len(l.text))
	}
}

func TestSecretsAreHidden(t *testing.T) {
	t.Parallel()
	got := hide("fatal: header ghs_token and Z2hzX3Rva2Vu", "ghs_token", "Z2hzX3Rva2Vu", "")
	if strings.Contains(got, "ghs_") || strings.Contains(got, "Z2hz") || !strings.HasPrefix(got, "fatal: header *** ") {
		t.Errorf("%q", got)
	}
}
