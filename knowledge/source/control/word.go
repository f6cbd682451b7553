package control

// Word is the meaning of a word or mark for the control flow.
type Word byte

const (
	jump   = 'j'
	skip   = 'q'
	leave  = 'r'
	exit   = 'x' // ends the program
	loop   = 'l'
	label  = 'c'
	others = 'd' // the label of all other cases
	either = '|' // has a right side that runs only in some cases
	end    = ')'
	none   = 'n' // no value
	not    = '!'
	equal  = '~'
	task   = 'b' // starts what runs in the background
)

var words = map[string]Word{
	"if": 'i', "else": 'e', "switch": 's', "match": 'm', "case": label, "default": others, "for": loop, "while": loop, "loop": 'o', "try": 'y', "do": 'y', "unsafe": 'y', "spawn": task, "let": 't', "Err": 'E', "ok_or": 'E', "@": '@',
	"null": none, "None": none, "undefined": none, "false": none, "0": none, "!": not, "==": equal, "===": equal,
	"return": leave, "throw": 'w', "catch": 'k', "finally": 'k', "goto": leave, "break": jump, "continue": skip, "yield": jump, "exit": exit, "abort": exit, "panic": exit,
	"&&": either, "||": either, "??": either, "&&=": either, "||=": either, "??=": either, "?": '?', ":": ':', "(": '(', "{": '{', ")": end, "]": end, "}": '}', ";": ';', ",": ',', "=>": '=', "->": '-',
}

// WordOf returns the meaning of a token's text.
func WordOf[T ~string | ~[]byte](text T) Word {
	if len(text) > len("undefined") {
		return 0
	}
	return words[string(text)]
}
