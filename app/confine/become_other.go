//go:build !linux

package confine

import (
	"errors"
	"os"
	"os/exec"
)

func become(_ string, args []string) error {
	if len(args) == 0 {
		return errors.New("there is no program to start")
	}
	cmd := exec.Command(args[0], args[1:]...) //nolint:gosec // it is what is to be run
	cmd.Stdout, cmd.Stderr = os.Stdout, os.Stderr
	err := cmd.Run()
	var ended *exec.ExitError
	if errors.As(err, &ended) {
		os.Exit(ended.ExitCode())
	}
	if err == nil {
		os.Exit(0)
	}
	return err
}
