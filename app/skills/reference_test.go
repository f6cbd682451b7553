package skills_test

import (
	"flag"
	"os"
	"strings"
	"testing"

	"github.com/causaldocs/causal/app/skills"
	"github.com/causaldocs/causal/knowledge/skill"
)

var update = flag.Bool("update", false, "write the reference")

const reference = "../../docs/skills-reference.md"

// TestReference holds the reference to the schemas that it is generated from.
func TestReference(t *testing.T) {
	t.Parallel()
	var b strings.Builder
	b.WriteString("# Capabilities of skills\n\n<!-- Generated from the schemas: go test ./app/skills -run TestReference -update -->\n\n" +
		"A step of a [skill](skills.md) calls one of these with `uses`. `causal skills capabilities --json` prints the same as JSON Schemas.\n")
	for _, d := range skills.Specs.Describe() {
		b.WriteString("\n" + d.Page())
	}
	if *update {
		if err := os.WriteFile(reference, []byte(b.String()), 0o644); err != nil {
			t.Fatal(err)
		}
	}
	got, err := os.ReadFile(reference)
	if err != nil || string(got) != b.String() {
		t.Errorf("%v: docs/skills-reference.md differs from the schemas: run the test with -update", err)
	}
}

// TestShippedSkills: the skills that come with causal have no problems, and only known references.
func TestShippedSkills(t *testing.T) {
	t.Parallel()
	set := skill.Read(skills.Shipped(), skills.Specs)
	if len(set.Problems) > 0 || set.Skills["changelog"] == nil || set.Skills["onboarding"] == nil {
		t.Errorf("%v", set.Problems)
	}
}
