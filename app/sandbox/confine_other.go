//go:build !linux && !darwin && !netbsd && !openbsd

package sandbox

func confined(l Limits) error {
	watchMemory(l.Memory)
	return nil
}
