//go:build !linux && !darwin && !netbsd && !openbsd

package sandbox

// confined has the process watch its own memory; the parent watches the time.
func confined(l Limits) error {
	watchMemory(l.Memory)
	return nil
}
