package java

import "github.com/causaldocs/causal/knowledge/source"

// typeName reads a type with arguments and dimensions. It returns the name for member selection: 0 for an inferred
// type, closed for arrays and types that no repository declares.
func (w *walker) typeName(i int32) (int32, dotted) {
	for w.kind(i) == '@' && w.kind(i+1) == word {
		i = w.annotation(i)
	}
	if w.kind(i) != word {
		return i, 0
	}
	id := w.ids[i]
	if id == idVar && w.kind(i+1) == word {
		return i + 1, 0
	}
	d := w.simpleType(id)
	at := i
	for i++; ; {
		if w.kind(i) == '<' && w.ends[i] > 0 {
			w.typeArguments(i)
			i = w.ends[i]
		}
		if w.kind(i) != '.' {
			break
		}
		i++
		for w.kind(i) == '@' && w.kind(i+1) == word {
			i = w.annotation(i)
		}
		if w.kind(i) != word || w.has(w.ids[i], wordReserved) {
			break
		}
		if d > 0 {
			d = w.Join(d, w.ids[i])
		}
		at = i
		i++
	}
	w.certain(d, source.AsType, at)
	return w.dimensionsOf(i, d)
}

func (w *walker) simpleType(id ident) dotted {
	switch flags := w.info[id].flags; {
	case flags&(wordPrimitive|wordReserved) > 0, flags&wordPredeclared > 0 && flags&(wordType|wordImported) == 0:
		return closed
	}
	return w.typeNamed(id)
}

func (w *walker) dimensionsOf(i int32, d dotted) (int32, dotted) {
	for {
		k := i
		for w.kind(k) == '@' && w.kind(k+1) == word {
			k = w.annotationEnd(k)
		}
		dots := w.kind(k) == operator && w.src[w.toks[k].start] == '.'
		if !dots && (w.kind(k) != '[' || w.kind(k+1) != ']') {
			return i, d
		}
		for w.kind(i) == '@' {
			i = w.annotation(i)
		}
		i, d = k+1, closed
		if !dots {
			i = w.ends[k]
		}
	}
}

func (w *walker) typeArguments(i int32) {
	if !w.deeper() {
		return
	}
	defer w.shallower()
	end := w.ends[i] - 1
	for i++; i < end; {
		switch w.kind(i) {
		case word:
			if id := w.ids[i]; id == idExtends || id == idSuper {
				i++
				continue
			}
			i, _ = w.typeName(i)
		case '@':
			i = w.annotation(i)
		default:
			i++
		}
	}
}

func (w *walker) typeParameters(i int32) int32 {
	end := w.ends[i]
	if end == 0 {
		return i + 1
	}
	depth := 0
	for k, first := i+1, true; k < end-1; k++ {
		switch w.kind(k) {
		case '<':
			depth++
		case '>':
			depth--
		case ',':
			first = first || depth == 0
		case '@':
			k = w.annotationEnd(k) - 1
		case word:
			if first {
				w.bindType(w.ids[k])
			}
			first = false
		}
	}
	for k := i + 1; k < end-1; {
		switch w.kind(k) {
		case '@':
			k = w.annotation(k)
		case word:
			if id := w.ids[k]; id == idExtends || id == idSuper || w.info[id].typ > 0 {
				k++
				continue
			}
			k, _ = w.typeName(k)
		case '<':
			if w.ends[k] > 0 {
				w.typeArguments(k)
				k = w.ends[k]
				continue
			}
			k++
		default:
			k++
		}
	}
	return end
}

func (w *walker) typesOf(i, end int32, each func(dotted)) int32 {
	for i < end && (w.kind(i) == word && !w.has(w.ids[i], wordReserved) || w.kind(i) == '@') {
		var d dotted
		i, d = w.typeName(i)
		each(d)
		if w.kind(i) != ',' {
			break
		}
		i++
	}
	return i
}

func (w *walker) annotation(i int32) int32 {
	i++
	if w.kind(i) != word {
		return i
	}
	d, at := w.simpleType(w.ids[i]), i
	for i++; w.kind(i) == '.' && w.kind(i+1) == word; i += 2 {
		if d > 0 {
			d = w.Join(d, w.ids[i+1])
		}
		at = i + 1
	}
	w.certain(d, source.AsType, at)
	if w.kind(i) != '(' {
		return i
	}
	end := w.ends[i]
	if !w.deeper() {
		return end
	}
	defer w.shallower()
	for i++; i < end-1; {
		if w.kind(i) == word && w.kind(i+1) == '=' {
			i += 2
		}
		n := w.expression(i)
		if n >= end-1 || w.kind(n) == 0 {
			break
		}
		i = n + 1
	}
	return end
}

func (w *walker) pattern(i int32, reference bool) int32 {
	for w.kind(i) == '@' || w.kind(i) == word && w.ids[i] == idFinal {
		if w.kind(i) == '@' {
			i = w.annotation(i)
		} else {
			i++
		}
	}
	if w.kind(i) != word {
		return i
	}
	i, d := w.typeName(i)
	if w.kind(i) == '(' {
		end := w.ends[i]
		if !w.deeper() {
			return end
		}
		for i++; i < end-1; {
			n := w.pattern(i, false)
			if n >= end-1 || w.kind(n) == 0 {
				break
			}
			i = n + 1
		}
		w.shallower()
		i = end
		reference = true
	}
	if w.kind(i) == word && !w.has(w.ids[i], wordReserved) && (!reference || w.ids[i] != idWhen) {
		w.bind(w.ids[i], d)
		i++
	}
	return i
}
