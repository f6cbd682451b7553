package server_test

import (
	"fmt"
	"os"
	"strconv"
	"strings"
	"testing"

	"github.com/causaldocs/causal/app/githubsim"
)

// processorSeconds is the processor time of a process and of its ended children, from /proc.
func processorSeconds(b *testing.B, pid int) float64 {
	b.Helper()
	data, err := os.ReadFile(fmt.Sprintf("/proc/%d/stat", pid))
	if err != nil {
		b.Skip(err)
	}
	fields := strings.Fields(string(data[strings.LastIndexByte(string(data), ')')+1:]))
	var ticks float64
	for _, f := range fields[11:15] { // utime, stime, cutime, cstime
		n, err := strconv.ParseFloat(f, 64)
		if err != nil {
			b.Fatal(err)
		}
		ticks += n
	}
	return ticks / 100
}

// BenchmarkPush is a push to a small repository, in processor time of the server and its children together.
func BenchmarkPush(b *testing.B) {
	f := begin(b)
	f.program()
	if _, err := f.sim.Install(f.repo); err != nil {
		b.Fatal(err)
	}
	f.eventually("the first docs are there", f.has(moneyPage, "Holds amounts."))
	before, n := processorSeconds(b, f.pid), 0
	for b.Loop() {
		n++
		name := fmt.Sprintf("Number%d", n)
		if _, err := f.repo.Push("main", githubsim.Change{Message: "Add " + name, Write: map[string]string{"money/more.go": "package money\n\n// " + name + " is more.\nconst " + name + " = 1\n"}}); err != nil {
			b.Fatal(err)
		}
		f.eventually("the page follows", f.has(moneyPage, name+" is more"))
		f.runs = nil
	}
	b.ReportMetric((processorSeconds(b, f.pid)-before)/float64(n), "cpu-s/push")
}
