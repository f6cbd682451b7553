package markdown

import (
	"go/doc/comment"
	"strings"
	"unicode/utf8"
)

// readGo reads the comment syntax of Go 1.19.
func readGo(doc string) []block {
	if isGoParagraph(doc) {
		return []block{para(text(doc))}
	}
	return parseGo(doc)
}

func parseGo(doc string) []block {
	parser := comment.Parser{
		LookupPackage: func(name string) (string, bool) { return name, name != "" },
		LookupSym:     func(string, string) bool { return true },
	}
	return goBlocks(parser.Parse(doc).Content)
}

// isGoParagraph tells the comments, which are most, that are a single paragraph: no line is blank, indented or a heading,
// and nothing in them is a link or a quotation mark.
func isGoParagraph(doc string) bool {
	if strings.ContainsAny(doc, "[`") || strings.Contains(doc, "''") || strings.HasPrefix(doc, "#") {
		return false
	}
	for line := range strings.SplitSeq(doc, "\n") {
		if line == "" || line[0] <= ' ' || line[0] >= utf8.RuneSelf {
			return false
		}
	}
	return true
}

func goBlocks(content []comment.Block) []block {
	var out []block
	for _, b := range content {
		switch b := b.(type) {
		case *comment.Paragraph:
			out = append(out, para(goInlines(b.Text)))
		case *comment.Heading:
			out = append(out, block{kind: label, text: goInlines(b.Text)})
		case *comment.Code:
			out = append(out, block{kind: codeBlock, code: b.Text, lang: goCodeLang(b.Text)})
		case *comment.List:
			items := block{kind: list}
			for _, it := range b.Items {
				items.ordered = it.Number != ""
				items.items = append(items.items, goBlocks(it.Content))
			}
			out = append(out, items)
		}
	}
	return out
}

// goCodeLang leaves what is plainly not Go without a language: shell sessions and drawings.
func goCodeLang(code string) string {
	first := strings.TrimSpace(code)
	if strings.HasPrefix(first, "$ ") || strings.HasPrefix(first, "% ") || strings.HasPrefix(first, "go ") && !strings.HasPrefix(first, "go func") {
		return ""
	}
	if strings.ContainsAny(code, "(){}=") {
		return "go"
	}
	return ""
}

func goInlines(content []comment.Text) []inline {
	var out []inline
	for _, t := range content {
		switch t := t.(type) {
		case comment.Plain:
			out = append(out, inline{plainText, string(t)})
		case comment.Italic:
			out = append(out, inline{emphText, string(t)})
		case *comment.Link:
			out = append(out, goInlines(t.Text)...)
			if !t.Auto {
				out = append(out, inline{plainText, " (" + t.URL + ")"})
			}
		case *comment.DocLink:
			out = append(out, inline{codeText, rawText(goInlines(t.Text))})
		}
	}
	return out
}
