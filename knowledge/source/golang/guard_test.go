package golang_test

import "testing"

func TestGuard(t *testing.T) {
	t.Parallel()
	for _, c := range []struct{ name, src, want string }{
		{"a.go", "package p\n", ""},
		{"a.go", "//go:build linux || darwin\n\npackage p\n", "linux || darwin"},
		{"a_windows.go", "package p\n", "windows"},
		{"a_windows_arm64.go", "package p\n", "windows && arm64"},
		{"x/a_linux.go", "//go:build cgo && !race\n\npackage p\n", "cgo && !race && linux"},
		{"a_linux.go", "//go:build cgo || race\n\npackage p\n", "(cgo || race) && linux"},
		{"a_linux_test.go", "//go:build cgo\n\npackage p\n", "cgo && linux"},
		{"linux.go", "package p\n", ""},
		{"linux_test.go", "package p\n", ""},
		{"a_arm64_linux.go", "package p\n", "linux"},
		{"a_unix.go", "package p\n", ""},
		{"a.go", "// +build linux darwin\n// +build cgo\n\npackage p\n", "(linux || darwin) && cgo"},
		{"a.go", "// Package p is.\n//\n// +build linux\npackage p\n", ""},
		{"a.go", "package p\n\n//go:build linux\n", ""},
		{"a_test.go", "//go:build integration\n\npackage p\n\nfunc ExampleF() {}\n", "integration"},
	} {
		if got := extract(t, c.name, c.src).Guard; got != c.want {
			t.Errorf("%s %q: guard %q, want %q", c.name, c.src, got, c.want)
		}
	}
}

func TestFilesForTests(t *testing.T) {
	t.Parallel()
	for guard, want := range map[string]bool{
		"test": true, "!noaws && awsmock": true, "!test": false, "linux": false, "test || linux": false, "!integration && test": true, "mocks": true, "": false,
	} {
		if got := extract(t, "a.go", "//go:build "+guard+"\n\npackage p\n").Test; got != want {
			t.Errorf("%q: test file %v, want %v", guard, got, want)
		}
	}
}
