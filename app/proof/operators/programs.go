package main

// programs are those that are asked.
var programs = []program{
	{name: "restic", library: "cobra", module: "github.com/restic/restic", version: "v0.18.0", build: "./cmd/restic", help: "--help"},
	{name: "yq", library: "cobra", module: "github.com/mikefarah/yq/v4", version: "v4.45.1", build: ".", help: "--help"},
	{name: "cobra-cli", library: "cobra", module: "github.com/spf13/cobra-cli", version: "v1.3.0", build: ".", help: "--help"},
	{name: "go-junit-report", library: "flag", module: "github.com/jstemmer/go-junit-report/v2", version: "v2.1.0", build: ".", help: "-help"},
	{name: "errcheck", library: "flag", module: "github.com/kisielk/errcheck", version: "v1.9.0", build: ".", help: "-help"},
	{name: "task", library: "pflag", module: "github.com/go-task/task/v3", version: "v3.43.3", build: "./cmd/task", help: "--help"},
	{name: "gopass", library: "urfave", module: "github.com/gopasspw/gopass", version: "v1.15.16", build: ".", help: "--help"},
	{name: "croc", library: "urfave", module: "github.com/schollz/croc/v10", version: "v10.2.2", build: ".", help: "--help"},
	{name: "shfmt", library: "flag", module: "mvdan.cc/sh/v3", version: "v3.10.0", build: "./cmd/shfmt", help: "--help"},
	{name: "flask", library: "click", module: "flask", run: []string{"python3", "-m", "flask"}, help: "--help"},
	{name: "libcst", library: "argparse", module: "libcst", run: []string{"python3", "-m", "libcst.tool"}, help: "--help"},
	{name: "jsonschema", library: "argparse", module: "jsonschema", run: []string{"python3", "-m", "jsonschema"}, help: "--help"},
	{name: "normalizer", library: "argparse", module: "charset_normalizer", run: []string{"python3", "-m", "charset_normalizer"}, help: "--help"},
	{name: "svgo", library: "commander", module: "svgo", version: "4.0.0", run: []string{"bin/svgo.js"}, help: "--help"},
	{name: "c8", library: "yargs", module: "c8", version: "10.1.3", run: []string{"bin/c8.js"}, help: "--help"},

	// the readers were not mended for these
	{name: "scc", library: "cobra", module: "github.com/boyter/scc/v3", version: "v3.5.0", build: ".", help: "--help", heldOut: true},
	{name: "hey", library: "flag", module: "github.com/rakyll/hey", version: "v0.1.4", build: ".", help: "-h", heldOut: true},
	{name: "ko", library: "cobra", module: "github.com/google/ko", version: "v0.17.1", build: ".", help: "--help", heldOut: true},
	{name: "dasel", library: "cobra", module: "github.com/tomwright/dasel/v2", version: "v2.8.1", build: "./cmd/dasel", help: "--help", heldOut: true},
	{name: "gitleaks", library: "cobra", module: "github.com/zricethezav/gitleaks/v8", version: "v8.21.2", build: ".", help: "--help", heldOut: true},
	{name: "kubeconform", library: "flag", module: "github.com/yannh/kubeconform", version: "v0.6.7", build: "./cmd/kubeconform", help: "-h", heldOut: true},
	{name: "dotenv", library: "click", module: "dotenv", run: []string{"python3", "-m", "dotenv"}, help: "--help", heldOut: true},
}
