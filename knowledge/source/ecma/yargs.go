package ecma

import (
	"strings"

	"github.com/causaldocs/causal/knowledge/source"
)

// yargsCall reads the methods of yargs by their names: in a file that imports it nothing else has them with such arguments.
func (c *commander) yargsCall(i int) {
	x := c.x
	for len(c.areas) > 0 && c.areas[len(c.areas)-1].To <= i {
		c.areas = c.areas[:len(c.areas)-1]
	}
	if !x.afterDot(i) || !x.at(i+1).isPunct('(') {
		return
	}
	open, of := i+1, source.Program
	if n := len(c.areas); n > 0 {
		of = c.areas[n-1].id
	}
	switch x.text(i) {
	case "command":
		c.yargsCommand(open, of)
	case "scriptName":
		if text, ok := x.textOf(open + 1); ok {
			c.root.Name = text
		}
	case "option", "options":
		if name, ok := x.textOf(open + 1); ok && isFlagName(name) && x.at(open+2).isPunct(',') {
			c.yargsFlag(name, open+3, of, open)
		} else if x.at(open + 1).isPunct('{') {
			c.yargsFlags(open+1, of)
		}
	}
}

func (c *commander) yargsFlags(open int, of string) {
	c.x.properties(open, func(name string, key, value int) {
		if isFlagName(name) {
			c.yargsFlag(name, value, of, key)
		}
	})
}

// yargsFlag reads the description of an option, an object literal.
func (c *commander) yargsFlag(name string, open int, of string, at int) {
	x := c.x
	if !x.at(open).isPunct('{') {
		return
	}
	f := source.Fact{Kind: source.Flag, Name: dashed(name), Of: of}
	hidden := false
	var also []string
	x.properties(open, func(key string, _, value int) {
		text, _ := c.plainText(value)
		switch key {
		case "describe", "description", "desc":
			f.Help = strings.Join(strings.Fields(text), " ")
		case "alias", "aliases":
			if text != "" {
				also = append(also, dashed(text))
			}
			for j := value + 1; x.at(value).isPunct('[') && j < int(x.at(value).match); j++ {
				if text, ok := x.textOf(j); ok {
					also = append(also, dashed(text))
				}
			}
		case "default":
			f.Default = x.plain(value)
		case "type":
			if text != "boolean" && text != "count" {
				f.Value = text
			}
		case "number":
			f.Value = "number"
		case "hidden":
			hidden = x.textIs(value, "true")
		}
	})
	c.told[f.Name] = true
	if !hidden {
		f.Also = strings.Join(also, ", ")
		c.add(f, at)
	}
}

func dashed(name string) string {
	if len(name) == 1 {
		return "-" + name
	}
	return "--" + name
}

// yargsCommand reads command("serve [port]", "help", builder) and command({ command: "serve", describe: "help", builder }).
func (c *commander) yargsCommand(open int, of string) {
	x := c.x
	end := int(x.at(open).match)
	var spec, help string
	builder := -1
	if x.at(open + 1).isPunct('{') {
		x.properties(open+1, func(key string, _, value int) {
			text, _ := c.plainText(value)
			switch key {
			case "command":
				spec = text
			case "describe", "desc", "description":
				help = text
			case "builder":
				builder = value
			}
		})
	} else {
		spec, _ = c.plainText(open + 1)
		if x.at(open + 1).isPunct('[') {
			spec, _ = x.textOf(open + 2)
		}
		second := x.skipExpression(open+1) + 1
		if second < end {
			if x.textIs(second, "false") {
				return // hidden
			}
			help, _ = c.plainText(second)
			builder = x.skipExpression(second) + 1
		}
	}
	word, usage, _ := strings.Cut(strings.TrimSpace(spec), " ")
	id := of
	if word != "" && word != "$0" && word != "*" && !strings.HasPrefix(word, "<") && !strings.HasPrefix(word, "[") {
		f := source.Fact{Kind: source.Command, ID: c.below(of, word), Name: word, Usage: usage, Help: strings.Join(strings.Fields(help), " ")}
		if f.ID == "" {
			return
		}
		id = f.ID
		c.add(f, open)
		c.join(id, of, open)
	} else if word == "" {
		return
	}
	c.areas = append(c.areas, area{span: span{From: open, To: end}, id: id})
	if builder > 0 && builder < end && x.at(builder).isPunct('{') {
		c.yargsFlags(builder, id)
	}
}
