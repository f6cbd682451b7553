package python

import "github.com/causaldocs/causal/knowledge/source"

// closeScopeOf sifts the uses of a comprehension or lambda; depth identifies its bindings.
func (w *walker) closeScopeOf(c nesting, depth int32) {
	w.serial++
	kept := w.inner[:c.inner]
	for _, b := range w.inner[c.inner:] {
		if b.place != depth {
			kept = append(kept, b)
			continue
		}
		w.stamps[b.word] = w.serial << boundBits
	}
	w.inner = kept
	w.sift(c.uses, c.iter, c.past)
}

// closeInner sifts the uses from index uses on by the bindings from index inner on.
func (w *walker) closeInner(uses, inner int, iter, past int32) {
	w.serial++
	for _, b := range w.inner[inner:] {
		w.stamps[b.word] = w.serial << boundBits
	}
	w.inner = w.inner[:inner]
	w.sift(int32(uses), iter, past)
}

// sift drops stamped uses, except those in [iter, past).
func (w *walker) sift(from, iter, past int32) {
	w.sieve(from, func(i int32, u *use) bool {
		if i >= iter && i < past {
			return true
		}
		u.outer = true
		return !w.isLocal(u)
	})
}

// sieve keeps some of the uses from an index on. The others are of local names: their selections are open.
func (w *walker) sieve(from int32, keep func(i int32, u *use) bool) {
	kept := from
	for i := from; i < int32(len(w.uses)); i++ {
		u := &w.uses[i]
		if !keep(i, u) {
			w.dropLocal(u)
			continue
		}
		w.uses[kept] = *u
		kept++
	}
	w.uses = w.uses[:kept]
}

// isLocal reports whether the scope that is being closed binds a use.
func (w *walker) isLocal(u *use) bool {
	return w.stamps[u.root]>>boundBits == w.serial && !u.settled && !u.global
}

// dropLocal removes a use of a local name and records its selections as open.
func (w *walker) dropLocal(u *use) {
	from := u.from
	if u.base == 0 {
		from = u.first + 2
	}
	w.selections(u, from)
}

func (w *walker) leaveSpaces(level int32) {
	for len(w.spaces) > 1 && w.space().level >= level {
		s := *w.space()
		w.spaces = w.spaces[:len(w.spaces)-1]
		switch {
		case s.hidden:
			w.hidden--
			w.binds, w.typed = w.binds[:s.binds], w.typed[:s.typed]
		case s.kind == inClass:
			w.closeClass(&s)
		default:
			w.closeFunction(&s)
		}
		w.owner = s.owner
	}
}

// stampBinds stamps a function's bindings and returns those that belong to the enclosing function.
func (w *walker) stampBinds(s *space) (passed []bound) {
	w.serial++
	stamp := w.serial << boundBits
	for _, word := range s.nonlocals {
		w.stamps[word] = stamp | boundNonlocal
	}
	for _, word := range s.globals {
		w.stamps[word] = stamp | boundGlobal
	}
	for _, b := range w.binds[s.binds:] {
		switch w.stamps[b.word] {
		case stamp | boundImport:
			if b.token != byImport {
				w.stamps[b.word] = stamp | boundAgain
			}
		case stamp, stamp | boundAgain:
			w.stamps[b.word] = stamp | boundAgain
		case stamp | boundGlobal:
			w.marks[b.word] |= markBound
			if b.token >= 0 {
				w.uses = append(w.uses, use{root: b.word, first: b.token, last: b.token, owner: w.owner, kind: source.AsValue, program: w.program})
			}
		case stamp | boundNonlocal:
			passed = append(passed, b)
		default:
			w.stamps[b.word] = stamp
			if b.token == byImport {
				w.stamps[b.word] = stamp | boundImport
			}
		}
	}
	return passed
}

func (w *walker) closeFunction(s *space) {
	program := w.program
	w.program = false
	passed := w.stampBinds(s)
	w.program = program
	w.knownTypes(s)
	stamp := w.serial << boundBits
	w.sieve(s.uses, func(_ int32, u *use) bool {
		if u.settled || u.global {
			return true
		}
		switch w.stamps[u.root] {
		case stamp:
			return w.standsFor(u, w.slots[u.root])
		case stamp | boundAgain:
			return false
		case stamp | boundImport:
			u.outer, u.imported = true, true
		case stamp | boundGlobal:
			u.global = true
		default:
			u.outer = true
		}
		return true
	})
	for _, t := range w.typed[s.typed:] {
		w.slots[t.word] = 0
	}
	w.binds, w.typed = append(w.binds[:s.binds], passed...), w.typed[:s.typed]
	if len(s.parameters) > 0 {
		w.dropParameters(s)
	}
}

func (w *walker) knownTypes(s *space) {
	if s.receiver >= 0 {
		w.bases = append(w.bases, base{class: s.class})
		w.typed = append(w.typed, typedName{word: s.receiver, base: int32(len(w.bases) - 1)})
	}
	for _, t := range w.typed[s.typed:] {
		w.slots[t.word] = t.base
	}
}

// standsFor replaces a local name by its type; false if the type is unknown or nothing is selected.
func (w *walker) standsFor(u *use, slot int32) bool {
	if slot == 0 || u.base != 0 || u.first == u.last {
		return false
	}
	b := &w.bases[slot]
	if !b.header && b.class == "" && w.stamps[b.root]>>boundBits == w.serial {
		return false // class local to the function
	}
	u.base, u.from = slot, u.first+2
	if b.class != "" {
		u.settled = true
		return true
	}
	u.root, u.outer = b.root, !b.header
	return true
}

func (w *walker) dropParameters(s *space) {
	w.serial++
	for _, word := range s.parameters {
		w.stamps[word] = w.serial << boundBits
	}
	w.sieve(s.head, func(_ int32, u *use) bool { return !w.isLocal(u) })
}

// closeClass sifts the uses in a class body: a class name is visible after its binding, and not in methods.
func (w *walker) closeClass(s *space) {
	w.stampClass(s)
	stamp := w.serial << boundBits
	class := int32(0)
	if s.class != "" {
		w.bases = append(w.bases, base{class: s.class})
		class = int32(len(w.bases) - 1)
	}
	w.sieve(s.uses, func(_ int32, u *use) bool {
		switch {
		case u.settled || u.global || u.outer:
		case w.stamps[u.root] == stamp|boundGlobal:
			u.global = true
		case w.stamps[u.root] != stamp || w.places[u.root] > u.first:
			u.outer = true
		case class == 0:
			return false
		default:
			w.memberOf(u, class)
		}
		return true
	})
	w.binds, w.typed = w.binds[:s.binds], w.typed[:s.typed]
	if len(s.parameters) > 0 {
		w.dropParameters(s)
	}
}

func (w *walker) stampClass(s *space) {
	w.serial++
	stamp := w.serial << boundBits
	for _, word := range s.globals {
		w.stamps[word] = stamp | boundGlobal
	}
	for _, b := range w.binds[s.binds:] {
		switch w.stamps[b.word] {
		case stamp | boundGlobal:
			w.marks[b.word] |= markBound
		case stamp:
			w.places[b.word] = min(w.places[b.word], b.place)
		default:
			w.stamps[b.word], w.places[b.word] = stamp, b.place
		}
	}
}

// memberOf resolves a use of a class-level name to the class's member, or to a member of that name's type.
func (w *walker) memberOf(u *use, class int32) {
	u.settled = true
	if u.base == 0 {
		u.base, u.from = class, u.first
		return
	}
	b := w.bases[u.base]
	w.bases = append(w.bases, base{class: w.bases[class].class + "." + w.dottedText(b.first, b.last)})
	u.base = int32(len(w.bases) - 1)
}
