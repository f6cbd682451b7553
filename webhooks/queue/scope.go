package queue

import (
	"fmt"
	"slices"
	"strconv"
	"strings"
)

// Scope restricts queries to some repositories. The zero Scope does not restrict.
type Scope struct {
	Names        []string // owners, and repositories as "owner/name", in any case; empty for all
	Repositories []int64  // nil for all; empty but not nil for none
}

// Includes reports whether the subject's repository is in the scope.
func (s Scope) Includes(q Subject) bool {
	named := len(s.Names) == 0 || slices.ContainsFunc(s.Names, func(name string) bool {
		return strings.EqualFold(name, q.Owner) || strings.EqualFold(name, q.Owner+"/"+q.Name)
	})
	return named && (s.Repositories == nil || slices.Contains(s.Repositories, q.Repository))
}

type terms struct {
	list []string
	args []any
}

// add adds a condition in which each %s is replaced by a parameter.
func (t *terms) add(condition string, values ...any) {
	names := make([]any, len(values))
	for i, value := range values {
		t.args = append(t.args, value)
		names[i] = "$" + strconv.Itoa(len(t.args))
	}
	t.list = append(t.list, fmt.Sprintf(condition, names...))
}

// scope adds the conditions of a Scope. IDs are inlined, since their number may exceed the limit of parameters.
func (t *terms) scope(s Scope) {
	if len(s.Names) > 0 {
		var values []any
		for _, name := range s.Names {
			values = append(values, strings.ToLower(name))
		}
		one := "lower(owner) = %[1]s OR lower(owner) || '/' || lower(name) = %[1]s"
		var any []string
		for i := range values {
			any = append(any, strings.ReplaceAll(one, "[1]", fmt.Sprintf("[%d]", i+1)))
		}
		t.add("("+strings.Join(any, " OR ")+")", values...)
	}
	if s.Repositories != nil {
		t.list = append(t.list, "repository IN ("+numbers(s.Repositories)+")")
	}
}

// numbers returns a list of IDs in SQL; NULL, which equals nothing, if empty.
func numbers(ids []int64) string {
	if len(ids) == 0 {
		return "NULL"
	}
	texts := make([]string, len(ids))
	for i, id := range ids {
		texts[i] = strconv.FormatInt(id, 10)
	}
	return strings.Join(texts, ", ")
}

func (t *terms) where() string {
	if len(t.list) == 0 {
		return ""
	}
	return " WHERE " + strings.Join(t.list, " AND ")
}
