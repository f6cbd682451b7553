//go:build linux && (amd64 || arm64)

package sandbox

func init() { socketsAreRefused = true }
