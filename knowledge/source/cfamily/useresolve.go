package cfamily

import (
	"strings"

	"github.com/causaldocs/causal/knowledge/source"
)

func (u *uses) free(id int32, how source.How, i int) {
	w := &u.words[id]
	if w.local > 0 || w.is&(wordStandard|wordKnown) == wordStandard {
		return
	}
	if how != source.AsType && u.doubtful(w, how) {
		u.refer(id, how|source.AsOpen, i)
		return
	}
	if !u.cpp {
		u.refer(id, how, i)
		return
	}
	if w.free != u.entry {
		full := u.resolve(id)
		w = &u.words[id]
		w.free, w.full = u.entry, full
	}
	switch {
	case w.full > 0:
		u.refer(w.full, how, i)
	case how == source.AsType || w.is&wordCapitals != 0:
		u.refer(id, how, i)
	default:
		spelled := u.Text(id)
		u.refer(u.number(spelled[strings.LastIndexByte(spelled, '.')+1:]), how|source.AsOpen, i)
	}
}

// doubtful reports whether an undeclared name may be bound by something that is not tracked: a macro or a class in
// the function.
func (u *uses) doubtful(w *wordUse, how source.How) bool {
	switch {
	case w.is&wordKnown != 0:
		return false
	case w.is&wordOfMacro != 0:
		return true
	}
	return (u.locally > 0 || u.loose && how == source.AsValue) && w.is&(wordCapitals|wordDotted) == 0
}

// resolve finds the file's symbol that a name means in the entry. It returns the name itself if no class member can
// be meant, and 0 if one can.
func (u *uses) resolve(id int32) int32 {
	is, spelled := u.words[id].is, u.Text(id)
	if dot := strings.LastIndexByte(spelled, '.'); dot >= 0 {
		if tail := u.Find(spelled[dot+1:]); tail > 0 {
			is |= u.words[tail].is & wordTail
		}
	}
	for around := u.around; is&wordTail != 0; around = around[:max(0, strings.LastIndexByte(around, '.'))] {
		full := u.full[:0]
		if around != "" {
			full = append(append(full, around...), '.')
		}
		full = append(full, spelled...)
		u.full = full
		if found := u.FindOf(full); found > 0 && u.words[found].is&wordKnown != 0 {
			return found
		}
		if around == "" {
			break
		}
	}
	if u.class && is&wordDotted == 0 && (u.open || strings.HasSuffix(spelled, "_")) {
		return 0 // by convention a data member, perhaps hidden by a macro
	}
	return id
}
