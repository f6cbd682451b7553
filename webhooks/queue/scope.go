package queue

import (
	"fmt"
	"slices"
	"strconv"
	"strings"
)

// Scope restricts what is read to some repositories. The zero Scope does not restrict.
type Scope struct {
	Names        []string // owners, and repositories as "owner/name", in any letters; empty for all
	Repositories []int64  // nil for all; an empty list that is not nil is for none
}

// Includes reports whether a subject is of one of the repositories.
func (s Scope) Includes(q Subject) bool {
	named := len(s.Names) == 0 || slices.ContainsFunc(s.Names, func(name string) bool {
		return strings.EqualFold(name, q.Owner) || strings.EqualFold(name, q.Owner+"/"+q.Name)
	})
	return named && (s.Repositories == nil || slices.Contains(s.Repositories, q.Repository))
}

// terms are the conditions of a statement, with what stands for their $1, $2, …
type terms struct {
	list []string
	args []any
}

// add adds a condition in which each %s is one of the values.
func (t *terms) add(condition string, values ...any) {
	names := make([]any, len(values))
	for i, value := range values {
		t.args = append(t.args, value)
		names[i] = "$" + strconv.Itoa(len(t.args))
	}
	t.list = append(t.list, fmt.Sprintf(condition, names...))
}

// scope adds what restricts to a Scope. Numbers stand in the statement itself: there may be more of them than a statement takes
// values.
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

// numbers are ids as a list in a statement; NULL, which is equal to nothing, when there are none.
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

// where is the condition, with the word that begins it.
func (t *terms) where() string {
	if len(t.list) == 0 {
		return ""
	}
	return " WHERE " + strings.Join(t.list, " AND ")
}
