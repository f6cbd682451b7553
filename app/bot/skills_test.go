package bot_test

import (
	"maps"
	"strings"
	"testing"

	"github.com/causaldocs/causal/app/bot"
	"github.com/causaldocs/causal/app/skills"
	"github.com/causaldocs/causal/knowledge/skill"
)

const changelog = "docs/causal/changelog.md"

// reminding is a skill that adds a finding with a message to line 9 of the first changed file of money.
func reminding(message string) string {
	return `id: remind
version: 1.0.0
description: Reminds of the rates
inputs:
  base: {type: string}
steps:
  - id: changes
    uses: git.changes
    input: {since: inputs.base}
    output: {files: vars.files}
  - id: money
    uses: data.filter
    input: {items: vars.files, where: item.path matches "^money/"}
    output: {items: working.evidence, count: vars.count}
  - id: remind
    uses: review.finding
    if: vars.count > 0
    input: {path: working.evidence.0.path, line: 9, message: "` + message + `"}
when: [review]
`
}

// skilled is a shop with the skills that come with the program, and one for reviews.
func skilled() map[string]string {
	files := maps.Clone(shop)
	for _, s := range skills.Shipped() {
		files[s.Name] = string(s.Data)
	}
	files[skill.Path("remind")] = reminding("Check the rates as well.")
	return files
}

// page holds a file of main to texts that it has, and to some that it has not.
func (f *fixture) page(name string, has []string, lacks ...string) {
	f.Helper()
	text, _ := f.repo.Read("main", name)
	for _, want := range has {
		if !strings.Contains(text, want) {
			f.Errorf("%s lacks %q:\n%s", name, want, text)
		}
	}
	for _, not := range lacks {
		if strings.Contains(text, not) {
			f.Errorf("%s has %q:\n%s", name, not, text)
		}
	}
}

// TestChangelogOnTheServer: the page follows the tags and the pushes, and equals the page of a clone.
func TestChangelogOnTheServer(t *testing.T) {
	t.Parallel()
	f := setup(t, skilled())
	f.documented()
	f.page(changelog, []string{"has no tag yet"}, "Out of date")
	f.page("docs/causal/onboarding.md", []string{"`money`"}, "Out of date")
	f.concludes(bot.Fresh)

	tag := func(name string) {
		if err := f.repo.Tag(name, f.repo.Head("main"), "octo"); err != nil {
			t.Fatal(err)
		}
	}
	tag("v1.0.0")
	f.concludes(bot.Updated) // a run without a push, as after a restart
	f.page(changelog, []string{"is the same as in `v1.0.0`"})
	f.concludes(bot.Fresh)

	wider := strings.Replace(shop["money/money.go"], "Parse(s string)", "Parse(s, currency string)", 1)
	f.push("main", map[string]string{"money/money.go": wider, "rate/rate.go": rateOnce})
	f.concludes(bot.Updated)
	f.page(changelog, []string{"since `v1.0.0`", "## Changed", "+func Parse(s, currency string)", "## Added", "### `rate`"}, "## Removed")
	f.sameAsACleanRun()

	tag("v1.1.0")
	f.push("main", map[string]string{"README.md": "# Shop\n\nSells more.\n"})
	f.renew()
	f.concludes(bot.Updated)
	f.page(changelog, []string{"is the same as in `v1.1.0`"})
	f.sameAsACleanRun()
}

// TestSkillsInReviews: the skills of the base judge a pull request, not its own.
func TestSkillsInReviews(t *testing.T) {
	t.Parallel()
	f := setup(t, skilled())
	f.documented()
	f.push("double", map[string]string{
		"money/money.go":      strings.Replace(shop["money/money.go"], "Amount(len(s))", "Amount(2 * len(s))", 1),
		skill.Path("remind"):  reminding("All is well."),
		skill.Path("another"): strings.Replace(reminding("Another skill."), "id: remind", "id: another", 1),
	})
	n := must(f, func() (int, error) { return f.repo.OpenPull("double", "main", "Double it", "octo") })
	f.tells(n)
	got := f.thread(n)
	if body := got.Comments[0].Body; got.Path != "money/money.go" || !strings.Contains(body, "`skill/remind`") || !strings.Contains(body, "Check the rates as well") {
		t.Errorf("%+v", got)
	}
	f.says(n, "skill/remind")
	if body := f.comment(n).Body; strings.Contains(body, "skill/another") || strings.Contains(body, "did not run") {
		t.Errorf("the comment is\n%s", body)
	}
}
