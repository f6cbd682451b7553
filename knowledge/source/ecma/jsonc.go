package ecma

// plainJSON turns JSON with comments and trailing commas, as tsconfig.json is, into plain JSON.
func plainJSON(text []byte) []byte {
	out := make([]byte, 0, len(text))
	comma := -1 // position of the last comma in out, if only blanks follow
	for i := 0; i < len(text); i++ {
		c := text[i]
		switch {
		case c == '"':
			end := stringEnd(text, i)
			out, comma = append(out, text[i:end]...), -1
			i = end - 1
		case c == '/' && i+1 < len(text) && (text[i+1] == '/' || text[i+1] == '*'):
			i = commentEnd(text, i) - 1
		case c == ' ' || c == '\n' || c == '\t' || c == '\r':
			out = append(out, c)
		case (c == '}' || c == ']') && comma >= 0:
			out[comma] = ' '
			out, comma = append(out, c), -1
		default:
			if comma = -1; c == ',' {
				comma = len(out)
			}
			out = append(out, c)
		}
	}
	return out
}

func stringEnd(text []byte, i int) int {
	for i++; i < len(text) && text[i] != '"'; i++ {
		if text[i] == '\\' {
			i++
		}
	}
	return min(i+1, len(text))
}

func commentEnd(text []byte, i int) int {
	line := text[i+1] == '/'
	for i += 2; i < len(text); i++ {
		if line && text[i] == '\n' {
			return i
		}
		if !line && text[i] == '*' && i+1 < len(text) && text[i+1] == '/' {
			return i + 2
		}
	}
	return len(text)
}
