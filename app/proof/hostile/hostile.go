// Package hostile is a corpus of hostile names and texts: of files, branches and authors, with markup or commands that a reader might
// interpret. Tests build repositories and payloads from it, and check that every output shows it as plain text.
package hostile

import (
	"slices"
	"strings"
)

// Case is a name or a text.
type Case struct {
	Label string
	Text  string
}

// commands are interpreted within a line, and are valid file names.
var commands = []Case{
	{"mention of a person", "@octocat"},
	{"mention of a team", "@octo/team"},
	{"mention in brackets", "(@octocat)"},
	{"closing keyword", "fixes #1"},
	{"closing keyword with a colon", "Closes: #12"},
	{"closing keyword elsewhere", "closes owner/repo#1"},
	{"closing keyword with an address", "resolves https://github.com/owner/repo/issues/1"},
	{"short reference", "GH-12"},
	{"commit elsewhere", "owner/repo@0123456789abcdef0123456789abcdef01234567"},
	{"commit", "0123456789abcdef0123456789abcdef01234567"},
	{"picture in words", ":rocket:"},
	{"skip checks", "[skip ci]"},
	{"skip checks, turned", "[ci skip]"},
	{"skip checks, no", "[no ci]"},
	{"skip checks, long", "[skip actions]"},
	{"skip checks, stars", "***NO_CI***"},
	{"skip checks, trailer", "skip-checks: true"},
	{"trailer of an author", "Co-authored-by: Mallory <mallory@example.com>"},
	{"trailer of a signature", "Signed-off-by: Mallory <mallory@example.com>"},
	{"trailer of ours", "Causal-Head: 0123456789abcdef0123456789abcdef01234567"},
	{"tag of HTML", "<script>alert(1)</script>"},
	{"picture of HTML", "<img src=x onerror=alert(1)>"},
	{"end of details", "</details>"},
	{"attribute of HTML", `" onmouseover="alert(1)`},
	{"begin of a comment", "<!--"},
	{"end of a comment", "-->"},
	{"marker of ours", "<!-- causal:state x -->"},
	{"entity", "&lt;b&gt;&#64;octocat"},
	{"link", "[here](https://evil.example)"},
	{"link with a script", "[here](javascript:alert(1))"},
	{"picture", "![x](https://evil.example/x.png)"},
	{"bare address", "https://evil.example/?a=b&c=d"},
	{"address in brackets", "<https://evil.example>"},
	{"www", "www.evil.example"},
	{"mail", "mallory@example.com"},
	{"reference link", "[x]: https://evil.example"},
	{"code span", "a`b``c"},
	{"fence", "```"},
	{"fence of tildes", "~~~"},
	{"emphasis", "**bold** _slanted_ ~~gone~~"},
	{"table", "a | b | c"},
	{"heading", "# heading"},
	{"quote", "> quote"},
	{"list", "- item"},
	{"task", "- [x] done"},
	{"rule", "---"},
	{"alert", "> [!WARNING]"},
	{"formula", "$x^2$"},
	{"backslash", `\@octocat \`},
	{"command to the runner", "::error::broken"},
	{"command that sets", "::set-output name=x::y"},
	{"command that stops", "::stop-commands::token"},
	{"command that adds a mask", "::add-mask::octo"},
	{"command, old form", "##[error]broken"},
	{"command after white space", "  ::warning::w"},
	{"escaped line end", "a%0A::error::b"},
	{"escaped return", "a%0D%0Ab"},
	{"delimiter of an output", "x<<EOF"},
	{"template", "{{ .Secret }} ${{ github.token }}"},
	{"format", "%s%d%!x(MISSING)%[1]*.[2]*f"},
	{"shell", "$(touch x); `touch y` && rm -rf ~"},
	{"option", "--upload-pack=touch x"},
	{"spreadsheet", "=HYPERLINK(1)"},
	{"quotes", `'"` + "`"},
	{"diff header", "@@ -1 +1 @@"},
}

// unseen are characters that are obeyed and not seen.
var unseen = []Case{
	{"line feed", "a\n::error::b\nSigned-off-by: M <m@example.com>"},
	{"carriage return", "a\rb"},
	{"return and line feed", "a\r\n\r\n@octocat"},
	{"next line", "a\u0085b"},
	{"line separator", "a\u2028b"},
	{"paragraph separator", "a\u2029b"},
	{"vertical tab", "a\vb\fc"},
	{"tab", "a\tb"},
	{"only white space", " \t "},
	{"bell and backspace", "a\a\b\bb"},
	{"delete", "a\x7fb"},
	{"colour", "\x1b[31mred\x1b[0m"},
	{"clear the screen", "\x1b[2J\x1b[H"},
	{"title of a terminal", "\x1b]0;owned\x07"},
	{"link of a terminal", "\x1b]8;;https://evil.example\x1b\\here\x1b]8;;\x1b\\"},
	{"control of eight bits", "\u009b31mred"},
	{"right to left override", "exe.\u202etxt.go"},
	{"isolates", "a\u2066b\u2069\u2067c\u2069"},
	{"marks of direction", "a\u200eb\u200fc\u061c"},
	{"right to left name", "שלום/مرحبا"},
	{"zero width space", "@\u200boctocat a\u200bb"},
	{"zero width joiners", "a\u200cb\u200dc"},
	{"family", "👩\u200d👩\u200d👧"},
	{"word joiner and mark of order", "a\u2060b\ufeffc"},
	{"soft hyphen", "a\u00adb"},
	{"tags", "a\U000e0041\U000e007fb"},
	{"variation selectors", "a\ufe0fb\U000e0100c"},
	{"fillers", "a\u3164b\u115fc\uffa0d"},
	{"combining", "Z\u0351\u036b\u0343\u036a\u0302\u036b\u033d"},
	{"no character", "a\ufffeb\ufdd0c"},
	{"invalid bytes", "a\xff\xfeb"},
	{"half a character", "a\xe2\x82"},
	{"surrogate", "a\xed\xa0\x80b"},
	{"overlong", "a\xc0\xafb"},
}

// impossible are texts that cannot be file names.
var impossible = []Case{
	{"nothing", ""},
	{"zero", "a\x00b"},
	{"many lines", strings.Repeat("::error::x\n@octocat fixes #1\n", 200)},
	{"long line", strings.Repeat("x", 64<<10)},
	{"long line of words", strings.Repeat("@octocat fixes #1 ", 4000)},
	{"long line of wide characters", strings.Repeat("\u8a9e", 30_000)},
	{"long line of invalid bytes", strings.Repeat("\xff", 64<<10)},
	{"many code spans", strings.Repeat("`", 5000)},
	{"many brackets", strings.Repeat("[", 5000)},
	{"many tags", strings.Repeat("<b>", 5000)},
}

// Names are such as git takes for the name of a file: without a slash at either end, without a zero, of at most 255 bytes a
// part. Some have more than one part.
func Names() []Case {
	out := append(slices.Clone(commands), unseen...)
	for i, c := range out {
		out[i].Text = strings.NewReplacer("://", ":", "</", "<").Replace(strings.Trim(c.Text, "/"))
	}
	return append(out, Case{"longest part", strings.Repeat("n", 255)}, Case{"longest part of wide characters", strings.Repeat("\u8a9e", 85)})
}

// Texts are all of it: titles, messages, comments, errors, values of configurations.
func Texts() []Case { return slices.Concat(commands, unseen, impossible) }
