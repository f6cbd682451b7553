//go:build linux && !amd64 && !arm64

package confine

// RefuseSockets leaves things as they are: the filter is written for amd64 and arm64.
func RefuseSockets() error { return nil }
