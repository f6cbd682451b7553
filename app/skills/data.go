package skills

import (
	"cmp"
	"fmt"
	"slices"
	"strconv"
	"strings"

	"github.com/causaldocs/causal/knowledge/skill"
)

var items = req("items", skill.List, "The items.")

var kept = over(opt("items", skill.List, "The items."), nil)

func pathIn(v any) []string {
	if path := v.(string); path != "" {
		return []string{path}
	}
	return nil
}

func pathsIn(v any) []string {
	where, err := skill.Compile(v.(string), skill.ItemName)
	if err != nil {
		return nil // it is refused
	}
	out := slices.Clone(where.Refs)
	for i, ref := range out {
		out[i] = strings.TrimPrefix(ref, skill.ItemName+".")
	}
	return out
}

var dataCapabilities = []capability{{
	skill.Spec{
		ID: "data.filter", About: "Keeps the items for which an expression holds.",
		Input: []skill.Field{items, over(checked(req("where", skill.String, "Expression over `item`, such as `item.kind == \"func\"`."), func(v any) error {
			_, err := skill.Compile(v.(string), skill.ItemName)
			return err
		}), pathsIn), opt("most", skill.Integer, "Number of items; default: all.")},
		Output: []skill.Field{kept, opt("count", skill.Integer, "Number of items.")},
	}, filter,
}, {
	skill.Spec{
		ID: "data.sort", About: "Sorts items.",
		Input:  []skill.Field{items, over(opt("by", skill.String, "Path in an item, such as `module`; default: the item itself."), pathIn), opt("descending", skill.Boolean, "Whether the largest item comes first."), opt("most", skill.Integer, "Number of items; default: all.")},
		Output: []skill.Field{kept, opt("count", skill.Integer, "Number of items.")},
	}, sorted,
}, {
	skill.Spec{
		ID: "data.group", About: "Groups items by a value.",
		Input:  []skill.Field{items, over(req("by", skill.String, "Path in an item, such as `module`."), pathIn)},
		Output: []skill.Field{rows("groups", "Groups, by key", "key", "items", "count"), opt("count", skill.Integer, "Number of groups.")},
	}, group,
}}

func listOf(in map[string]any) []any {
	list, _ := in["items"].([]any)
	return list
}

func cut(in map[string]any, list []any) map[string]any {
	if list == nil {
		list = []any{}
	}
	list = list[:min(len(list), limit(in, max(len(list), 1)))]
	return map[string]any{"items": list, "count": len(list)}
}

func filter(s *session, in map[string]any) (map[string]any, error) {
	where, err := skill.Compile(text(in, "where"), skill.ItemName)
	if err != nil {
		return nil, err
	}
	var out []any
	for i, item := range listOf(in) {
		if err := s.ctx.Err(); err != nil {
			return nil, err
		}
		holds, err := where.Holds(map[string]any{skill.ItemName: item})
		if err != nil {
			return nil, fmt.Errorf("item %d: %w", i, err)
		}
		if holds {
			out = append(out, item)
		}
	}
	return cut(in, out), nil
}

func at(item any, path string) any {
	if path == "" {
		return item
	}
	for word := range strings.SplitSeq(path, ".") {
		m, _ := item.(map[string]any)
		if list, isList := item.([]any); isList {
			i, err := strconv.Atoi(word)
			if err != nil || i < 0 || i >= len(list) {
				return nil
			}
			item = list[i]
			continue
		}
		item = m[word]
	}
	return item
}

// compare orders values: nothing, then false and true, numbers, and texts.
func compare(a, b any) int {
	rank := func(v any) (int, float64, string) {
		switch v := v.(type) {
		case nil:
			return 0, 0, ""
		case bool:
			if v {
				return 1, 1, ""
			}
			return 1, 0, ""
		case int:
			return 2, float64(v), ""
		case float64:
			return 2, v, ""
		case string:
			return 3, 0, v
		}
		return 4, 0, ""
	}
	ra, na, ta := rank(a)
	rb, nb, tb := rank(b)
	return cmp.Or(cmp.Compare(ra, rb), cmp.Compare(na, nb), cmp.Compare(ta, tb))
}

func sorted(_ *session, in map[string]any) (map[string]any, error) {
	list, by := slices.Clone(listOf(in)), text(in, "by")
	sign := 1
	if down, _ := in["descending"].(bool); down {
		sign = -1
	}
	slices.SortStableFunc(list, func(a, b any) int { return sign * compare(at(a, by), at(b, by)) })
	return cut(in, list), nil
}

func group(_ *session, in map[string]any) (map[string]any, error) {
	by, groups := text(in, "by"), map[string]map[string]any{}
	var keys []any
	for _, item := range listOf(in) {
		key := at(item, by)
		name := fmt.Sprintf("%T %v", key, key)
		g := groups[name]
		if g == nil {
			g = map[string]any{"key": key, "items": []any{}}
			groups[name] = g
			keys = append(keys, key)
		}
		g["items"] = append(g["items"].([]any), item)
	}
	slices.SortStableFunc(keys, compare)
	out := []any{}
	for _, key := range keys {
		g := groups[fmt.Sprintf("%T %v", key, key)]
		g["count"] = len(g["items"].([]any))
		out = append(out, g)
	}
	return map[string]any{"groups": out, "count": len(out)}, nil
}
