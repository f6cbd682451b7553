//go:build !linux && !darwin && !netbsd && !openbsd

package sandbox

// confine has the process watch its own memory; the parent watches the time.
func confine(l Limits) error {
	watchMemory(l.Memory)
	return nil
}
