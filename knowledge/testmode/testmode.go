// Package testmode says how much tests do. By default a test that can go on for long runs a sample that still fails on a real
// defect. With CAUSAL_LONG=1 it runs in full.
package testmode

import "os"

// Setting is the variable that makes tests run in full.
const Setting = "CAUSAL_LONG"

// Long reports whether tests run in full.
func Long() bool { return os.Getenv(Setting) == "1" }

// Of returns full when tests run in full, and sample otherwise.
func Of(sample, full int) int {
	if Long() {
		return full
	}
	return sample
}
