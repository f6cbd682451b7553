package api

import (
	"cmp"
	"slices"
	"strings"

	"github.com/causaldocs/causal/knowledge/lazy"
	"github.com/causaldocs/causal/knowledge/source"
)

// plain lists decorators that do not change a function's signature.
var plain = lazy.Set(`@staticmethod @classmethod @abstractmethod @abc.abstractmethod @contextmanager @contextlib.contextmanager
	@override @t.override @typing.override @lru_cache @cache @functools.cache @functools.lru_cache @t.final @typing.final @final`)

func pythonSignature(d *source.Declared) (source.Header, bool) {
	h, ok := header(d)
	if !ok || d.Kind != source.Func && d.Kind != source.Method || slices.ContainsFunc(h.Notes, func(note string) bool { return !plain[note] }) {
		return h, false
	}
	h.Params = slices.DeleteFunc(h.Params, func(p source.Parameter) bool { return p.Kind == source.Receiver })
	return h, true
}

// pythonCalls returns the kind of the first incompatible change of a signature, and the effects of all.
func pythonCalls(was, now source.Header) (kind, why string) {
	var told []string
	tell := func(k, w string) {
		kind = cmp.Or(kind, k)
		told = append(told, w)
	}
	taken := map[source.ParameterKind]bool{} // kinds that accept all further arguments
	current, before := map[string]source.Parameter{}, map[string]bool{}
	for _, p := range now.Params {
		taken[p.Kind] = true
		current[p.Name] = p
	}
	var order, place, renamed []string
	for _, p := range was.Params {
		before[p.Name] = true
		q, ok := current[p.Name]
		switch {
		case p.Kind == source.Variadic && !taken[source.Variadic]:
			tell("parameter removed", "accepts no additional positional arguments now: calls with more fail")
		case p.Kind == source.Keywords && !taken[source.Keywords]:
			tell("parameter removed", "accepts only declared keyword arguments now: calls with others fail")
		case p.Kind == source.Variadic || p.Kind == source.Keywords:
		case !ok && (taken[source.Variadic] || taken[source.Keywords] || p.Kind == source.Positional):
		case !ok:
			renamed = append(renamed, lostParameter(was, now, p, tell))
		case p.Optional && !q.Optional:
			tell("parameter made required", "requires "+p.Name+" now: calls without it fail")
		case p.Kind == source.Plain && q.Kind == source.KeywordOnly && !taken[source.Variadic]:
			tell("parameter made keyword-only", "takes "+p.Name+" only by name now: calls that give it by its position fail")
		case p.Kind != source.Positional && q.Kind == source.Positional && !taken[source.Keywords]:
			tell("parameter made positional-only", "takes "+p.Name+" only by its position now: calls that name it fail")
		case p.Kind == source.Plain && q.Kind == source.Plain:
			order = append(order, p.Name)
		}
	}
	for _, p := range now.Params {
		if !before[p.Name] && !slices.Contains(renamed, p.Name) && !p.Optional && (p.Kind != source.Positional || len(now.Params) > len(was.Params)) {
			tell("parameter added", "requires "+p.Name+" now: calls without it fail")
		}
		if slices.Contains(order, p.Name) {
			place = append(place, p.Name)
		}
	}
	if len(told) > 0 {
		return kind, strings.Join(told, "; and ")
	}
	if !slices.Equal(order, place) {
		return "parameters reordered", "has its parameters in another order now: calls that give them by position mean something else"
	}
	for _, p := range now.Params {
		switch {
		case len(order) == 0:
			return "", ""
		case p.Name == order[0]:
			order = order[1:]
		case !before[p.Name] && p.Kind == source.Plain:
			return "parameter inserted", "takes " + p.Name + " before " + order[0] + " now: calls that give " + order[0] + " by its position mean something else"
		}
	}
	return "", ""
}

// lostParameter reports a removed or renamed parameter, and returns the new name.
func lostParameter(was, now source.Header, p source.Parameter, tell func(kind, why string)) string {
	i := slices.IndexFunc(was.Params, func(q source.Parameter) bool { return q.Name == p.Name })
	if i < len(now.Params) && len(was.Params) == len(now.Params) && now.Params[i].Kind == p.Kind &&
		!slices.ContainsFunc(was.Params, func(q source.Parameter) bool { return q.Name == now.Params[i].Name }) {
		tell("parameter renamed", "renames its parameter "+p.Name+" to "+now.Params[i].Name+": calls that name "+p.Name+" fail")
		return now.Params[i].Name
	}
	tell("parameter removed", "does not take "+p.Name+" any more: calls that give it fail")
	return ""
}
