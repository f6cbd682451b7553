//go:build !linux || (!amd64 && !arm64)

package confine

// RefuseSockets does nothing: the filter supports Linux on amd64 and arm64.
func RefuseSockets() error { return nil }
