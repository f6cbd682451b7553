package api

import (
	"slices"
	"strings"

	"github.com/causaldocs/causal/knowledge/source"
)

// plain are the decorators that leave a function to be called as it is written.
var plain = map[string]bool{
	"@staticmethod": true, "@classmethod": true, "@abstractmethod": true, "@abc.abstractmethod": true, "@contextmanager": true,
	"@contextlib.contextmanager": true, "@override": true, "@t.override": true, "@typing.override": true, "@lru_cache": true, "@cache": true,
	"@functools.cache": true, "@functools.lru_cache": true, "@t.final": true, "@typing.final": true, "@final": true,
}

// pythonSignature reads the signature of a function that is declared once, and called as it is declared.
func pythonSignature(d *source.Declared) (signature, bool) {
	if d.Kind != source.Func && d.Kind != source.Method {
		return signature{}, false
	}
	lines := strings.Split(d.Signature, "\n")
	head := lines[len(lines)-1]
	bound := d.Kind == source.Method // its first parameter is no caller's
	for _, line := range lines[:len(lines)-1] {
		if !plain[line] {
			return signature{}, false
		}
		bound = bound && line != "@staticmethod"
	}
	before, parts, _, ok := scanner{text: head}.list()
	if !ok || !strings.HasPrefix(strings.TrimPrefix(before, "async "), "def ") {
		return signature{}, false
	}
	list, ok := pythonParameters(parts)
	if bound && len(list) > 0 && list[0].kind != '*' && list[0].kind != 'v' && list[0].kind != 'k' {
		list = list[1:]
	}
	return signature{parameters: list}, ok
}

func pythonParameters(parts []string) (list []parameter, ok bool) {
	kind := ' '
	for _, part := range parts {
		switch {
		case part == "/":
			for i := range list {
				list[i].kind = '/'
			}
			continue
		case part == "*":
			kind = '*'
			continue
		}
		declared, _, optional, ok := scanner{text: part}.cut("=")
		if !ok {
			return nil, false
		}
		name, _, _, ok := scanner{text: declared}.cut(":")
		if !ok {
			return nil, false
		}
		p := parameter{name: name, kind: kind, optional: optional}
		switch {
		case strings.HasPrefix(name, "**"):
			p.name, p.kind, p.optional = name[2:], 'k', true
		case strings.HasPrefix(name, "*"):
			p.name, p.kind, p.optional, kind = name[1:], 'v', true, '*'
		case kind == ' ' && strings.HasPrefix(name, "__") && !strings.HasSuffix(name, "__"):
			p.kind = '/'
		}
		list = append(list, p)
	}
	return list, true
}

// pythonCalls says which calls that were right are so no more; nothing where there are none for certain.
func pythonCalls(was, now signature) (kind, why string) {
	taken := map[rune]bool{} // what is left over is taken
	current, before := map[string]parameter{}, map[string]bool{}
	for _, p := range now.parameters {
		taken[p.kind] = true
		current[p.name] = p
	}
	var order, place []string
	for _, p := range was.parameters {
		before[p.name] = true
		q, ok := current[p.name]
		switch {
		case p.kind == 'v' && !taken['v']:
			return "parameter removed", "accepts no additional positional arguments now: calls with more fail"
		case p.kind == 'k' && !taken['k']:
			return "parameter removed", "accepts only declared keyword arguments now: calls with others fail"
		case p.kind == 'v' || p.kind == 'k':
		case !ok && (taken['v'] || taken['k'] || p.kind == '/'):
		case !ok:
			return lostParameter(was, now, p)
		case p.optional && !q.optional:
			return "parameter made required", "requires " + p.name + " now: calls without it fail"
		case p.kind == ' ' && q.kind == '*' && !taken['v']:
			return "parameter made keyword-only", "takes " + p.name + " only by name now: calls that give it by its position fail"
		case p.kind != '/' && q.kind == '/' && !taken['k']:
			return "parameter made positional-only", "takes " + p.name + " only by its position now: calls that name it fail"
		case p.kind == ' ' && q.kind == ' ':
			order = append(order, p.name)
		}
	}
	for _, p := range now.parameters {
		if !before[p.name] && !p.optional && (p.kind != '/' || len(now.parameters) > len(was.parameters)) {
			return "parameter added", "requires " + p.name + " now: calls without it fail"
		}
		if slices.Contains(order, p.name) {
			place = append(place, p.name)
		}
	}
	if !slices.Equal(order, place) {
		return "parameters reordered", "has its parameters in another order now: calls that give them by position mean something else"
	}
	for _, p := range now.parameters {
		switch {
		case len(order) == 0:
			return "", ""
		case p.name == order[0]:
			order = order[1:]
		case !before[p.name] && p.kind == ' ':
			return "parameter inserted", "takes " + p.name + " before " + order[0] + " now: calls that give " + order[0] + " by its position mean something else"
		}
	}
	return "", ""
}

// lostParameter says of a parameter that is gone whether it has another name now.
func lostParameter(was, now signature, p parameter) (kind, why string) {
	i := slices.IndexFunc(was.parameters, func(q parameter) bool { return q.name == p.name })
	if i < len(now.parameters) && len(was.parameters) == len(now.parameters) && now.parameters[i].kind == p.kind &&
		!slices.ContainsFunc(was.parameters, func(q parameter) bool { return q.name == now.parameters[i].name }) {
		return "parameter renamed", "calls " + p.name + " " + now.parameters[i].name + " now: calls that name it fail"
	}
	return "parameter removed", "does not take " + p.name + " any more: calls that give it fail"
}
