//go:build linux && !amd64 && !arm64

package sandbox

// refuseSockets leaves things as they are: the filter is written for amd64 and arm64.
func refuseSockets() error { return nil }
