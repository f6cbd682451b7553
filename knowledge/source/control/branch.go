// Package control says under which conditions code of a declaration runs.
package control

import (
	"cmp"
	"iter"
	"slices"
	"strings"
)

// Branch is a set of arms of one fork in a declaration's control flow. The zero Branch always runs.
type Branch int64

const (
	// Apart is code that may never run, or only after a failure: an error path.
	Apart Branch = 1
	// Result is the code of a function literal that the declaration returns.
	Result Branch = 2
	// Later is the code of another function literal, which may run later, several times or never.
	Later = Apart | Result

	// inLoop marks the body of a loop, and inBackground code that runs at the same time as what follows. Each is the only
	// arm of a fork.
	inLoop       Branch = 1 << 2
	inBackground Branch = 1 << 3
	firstArm     Branch = 1 << 4
	firstFork    Branch = 1 << 32
	anyArm              = firstFork - firstArm
	// sharedArm is that of all later arms.
	sharedArm  = firstFork / 2
	mostForks  = 1<<24 - 1
	mostNested = 64
)

// Conditional reports whether only some calls of the declaration run the branch.
func (b Branch) Conditional() bool { return b >= firstFork }

// Returned reports whether the branch runs when the function is called that the declaration returns.
func (b Branch) Returned() bool { return b&Result > 0 && b != Later }

// IsApart reports whether the branch is not in the declaration's course.
func (b Branch) IsApart() bool { return b == Apart || b == Later }

// AlsoLater reports whether the name that is in a conditional branch is also in a function literal.
func (b Branch) AlsoLater() bool { return b.Conditional() && b&Apart > 0 }

// SameFork reports whether two branches are arms of one fork.
func (b Branch) SameFork(other Branch) bool { return b.Conditional() && b/firstFork == other/firstFork }

// Excludes reports whether at most one of two branches runs, because they are arms of one fork.
func (b Branch) Excludes(other Branch) bool {
	return b.SameFork(other) && b&other&anyArm == 0
}

// Within reports whether a branch is a part of another one of its fork.
func (b Branch) Within(outer Branch) bool { return b.SameFork(outer) && b&anyArm&^outer == 0 }

// IsLoop reports whether the branch is the body of a loop, which may run zero or more times.
func (b Branch) IsLoop() bool { return b&inLoop > 0 }

// IsBackground reports whether the branch runs at the same time as what follows.
func (b Branch) IsBackground() bool { return b&inBackground > 0 }

// failing are parts of names of failures.
var failing = []string{"error", "invalid", "fail", "badrequest", "forbidden", "unauthorized", "denied", "notfound", "not_found", "missing", "isempty", "is_empty", "is_none", "http_4", "http_5"}

// Fails reports whether a name or number says that something is missing or has failed, such as a status of HTTP.
func Fails(text string) bool {
	if len(text) == 3 && (text[0] == '4' || text[0] == '5') {
		return true
	}
	lower := strings.ToLower(text)
	return strings.HasPrefix(lower, "err") || strings.Contains(text, "Err") || strings.Contains(lower, "_err") ||
		slices.ContainsFunc(failing, func(part string) bool { return strings.Contains(lower, part) })
}

// Rank is the lower the more often the branch runs.
func (b Branch) Rank() Branch {
	if b.IsApart() {
		return 4*Result - b
	}
	return b&Result + min(b/firstFork, 1)
}

// Forks are the forks of a declaration or file. At each, exactly one of several arms runs.
type Forks struct{ list []fork }

type fork struct {
	outer, arms Branch
	left        Branch // the arms that leave the declaration
	results     bool   // one of these returns a result
	closed      bool   // there are no other arms
	// guards are arms that leave the declaration without a result. If nothing else makes the fork a condition, it is one
	// only for those to whom the code of a guard matters.
	guards []Branch
	places []Place // of the occurrences for which this fork stands
	when   []armCondition
}

type armCondition struct {
	arm Branch
	Condition
}

// A Place is that of an occurrence of a name.
type Place struct {
	Branch Branch `json:"b"`
	Order  int    `json:"q"`
}

// An Exit is how an arm ends.
type Exit byte

const (
	Goes    Exit = iota // with what follows the fork
	Failing             // after a failure, or with the end of the program
	Skips               // with the next turn of a loop
	Leaves              // with the end of the declaration
	Results             // with a result of the declaration
)

const (
	mostGuards = 8  // of a fork
	mostPlaces = 16 // of a name
)

// Fork begins a fork, which is a branch of no arms.
func (f *Forks) Fork() Branch {
	if len(f.list) < mostForks {
		f.list = append(f.list, fork{})
	}
	return Branch(len(f.list)) * firstFork
}

func (f *Forks) fork(b Branch) *fork {
	if i := int(b / firstFork); i > 0 && i <= len(f.list) {
		return &f.list[i-1]
	}
	return nil
}

// Arm returns the next arm of a fork. It is apart if it fails, and then other arms run as if there were none.
func (f *Forks) Arm(at Branch, exit Exit) Branch {
	k := f.fork(at)
	switch {
	case exit == Failing:
		return Apart
	case k == nil:
		return 0
	}
	arm := min(k.arms+firstArm, sharedArm)
	if k.arms |= arm; exit != Goes {
		k.left |= arm
		k.results = k.results || exit == Results
	}
	return at | arm
}

// When states the condition of an arm. Those of the arms before it in its fork do not hold.
func (f *Forks) When(arm Branch, c Condition) {
	if k := f.fork(arm); k != nil && c.words != "" && arm&sharedArm == 0 {
		k.when = append(k.when, armCondition{arm & anyArm, c})
	}
}

// Loop returns the branch of the body of a loop.
func (f *Forks) Loop() Branch { return f.Sometimes() | inLoop }

// Background returns a branch that runs at the same time as what follows.
func (f *Forks) Background() Branch { return f.Sometimes() | inBackground }

// Sometimes returns a branch that runs only in some cases.
func (f *Forks) Sometimes() Branch { return f.Arm(f.Fork(), Goes) }

// After returns the branch of what follows a fork whose arms are all known: the arms that do not leave.
func (f *Forks) After(at Branch) Branch {
	switch k := f.fork(at); {
	case k == nil || k.left == 0:
		return 0
	case k.closed && k.left == k.arms && k.arms&sharedArm == 0:
		return Apart
	default:
		return at | anyArm&^k.left | sharedArm
	}
}

// Around returns the branch of what follows the statements around one that is followed by rest.
func (f *Forks) Around(rest Branch) Branch {
	guards := f.guards(rest)
	b := f.Sometimes()
	if k := f.fork(b); k != nil {
		k.guards = guards
	}
	return b
}

// Either returns the branch of what follows two statements that may have left, each with its own branch or 0.
func (f *Forks) Either(b, other Branch) Branch {
	guards, more := f.guards(b), f.guards(other)
	switch {
	case b == 0 || other != 0 && more == nil:
		return other
	case other != 0 && guards != nil && len(guards) < mostGuards:
		f.fork(b).guards = append(slices.Clip(guards), more...)
	}
	return b
}

// guards returns the branches that leave without a result, if only these make a branch conditional.
func (f *Forks) guards(b Branch) []Branch {
	switch k := f.fork(b); {
	case k == nil || k.results, k.left > 0 && (b&k.left > 0 || f.Settle(b|k.left) == b|k.left):
		return nil
	case k.guards == nil && k.left > 0:
		return []Branch{b&^(anyArm|Result) | k.left}
	default:
		return k.guards
	}
}

// Rest returns the branch that runs if none of the arms so far does.
func (f *Forks) Rest(at Branch) Branch {
	if k := f.fork(at); k != nil && k.arms > 0 {
		return at | anyArm&^k.arms
	}
	return 0
}

// Close states that a fork has no other arms.
func (f *Forks) Close(at Branch) {
	if k := f.fork(at); k != nil {
		k.closed = true
	}
}

// In returns the branch within an outer one, and records the outer one for Settle.
func (f *Forks) In(b, outer Branch) Branch {
	switch k := f.fork(b); {
	case b == 0 || outer == Apart || outer == Later && b != Apart:
		return outer
	case k != nil && outer/firstFork != b/firstFork:
		k.outer = outer
	}
	if b.IsApart() {
		return b
	}
	return outer&Result | b
}

// Detach makes the code of a function literal, by its branches, independent of the branch around the literal: the function
// runs later, whenever it is called.
func (f *Forks) Detach(around Branch, code []Branch) {
	for i := range code {
		if code[i] == around && !around.IsApart() {
			code[i] = 0
		}
	}
	for i := range f.list {
		if f.list[i].outer == around {
			f.list[i].outer = 0
		}
	}
}

// Settle replaces a branch that has all arms of its fork by the outer branch.
func (f *Forks) Settle(b Branch) Branch {
	for range mostNested {
		k := f.fork(b)
		if k == nil {
			break
		}
		all := anyArm
		if k.closed {
			all = k.arms
			b &= all | ^anyArm
		}
		if b&all != all || k.arms&sharedArm > 0 {
			break
		}
		b = b&Result | k.outer
	}
	return b
}

// Merge merges two occurrences of a name. The one that runs more often counts, then the earlier one. If each runs without
// the other, the branch represents the places of both.
func Merge[T ~int | ~int32](f *Forks, b Branch, at T, other Branch, place T) (Branch, T) {
	later := b == Later || other == Later || b.AlsoLater() || other.AlsoLater()
	b, at = merge(f, b, at, other, place)
	return b.also(later), at
}

// also marks a conditional branch as AlsoLater, or as the opposite.
func (b Branch) also(later bool) Branch {
	if b.Conditional() {
		b &^= Apart
		if later {
			b |= Apart
		}
	}
	return b
}

func merge[T ~int | ~int32](f *Forks, b Branch, at T, other Branch, place T) (Branch, T) {
	b, other = f.Settle(b.also(false)), f.Settle(other.also(false))
	switch r, s := b.Rank(), other.Rank(); {
	case s < r:
		return other, place
	case r < s:
		return b, at
	case !b.Conditional(), b == other, f.fork(b) == nil:
		return b, min(at, place)
	}
	list := f.places(b, int(at))
	for _, p := range f.places(other, int(place)) {
		list = f.with(list, p)
	}
	switch k := f.fork(b); {
	case len(list) == 1:
		return list[0].Branch, T(list[0].Order)
	case k.places == nil && len(f.list) == mostForks:
		return b, at
	case k.places == nil:
		b = b&Result | f.Sometimes()
	}
	f.fork(b).places = list
	return b, min(at, place)
}

// with adds a place to a list, unless a listed one contains it, and drops the ones inside the new place.
func (f *Forks) with(list []Place, p Place) []Place {
	if slices.ContainsFunc(list, func(o Place) bool { return f.within(p.Branch, o.Branch) }) {
		return list
	}
	list = slices.DeleteFunc(list, func(o Place) bool { return f.within(o.Branch, p.Branch) })
	if len(list) < mostPlaces {
		list = append(list, p)
	}
	return list
}

// places returns the places of a branch that replaces several, or its own.
func (f *Forks) places(b Branch, at int) []Place {
	if k := f.fork(b); k != nil && k.places != nil {
		return k.places
	}
	return []Place{{b, at}}
}

// Final returns the branch and the order of a name when all forks are known.
func (f *Forks) Final(b Branch, at int) (Branch, int) {
	k := f.fork(b)
	if k == nil || k.places == nil {
		return f.Settle(b.also(false)).also(b.AlsoLater()), at
	}
	all, later := k.places, b.AlsoLater()
	b, at = f.Settle(all[0].Branch), all[0].Order
	for _, p := range all[1:] {
		b, at = Merge(f, b, at, p.Branch, p.Order)
	}
	return b.also(later), at
}

// within reports whether a branch is in a part of an outer one.
func (f *Forks) within(b, outer Branch) bool {
	for o := range f.chain(b) {
		if o.Within(outer) {
			return true
		}
	}
	return false
}

// chain yields a conditional branch and those around it, from the inside out.
func (f *Forks) chain(b Branch) iter.Seq[Branch] {
	return func(yield func(Branch) bool) {
		for range mostNested {
			k := f.fork(b)
			if k == nil || !yield(b) {
				return
			}
			b = f.Settle(k.outer)
		}
	}
}

// A Nest is a branch with the branch around it. Other code of the declaration leaves before the branch in each of Guards
// without a result. If Guards are not empty, the branch runs unless one of these does.
type Nest struct {
	Branch Branch   `json:"b"`
	Outer  Branch   `json:"o,omitempty"`
	Guards []Branch `json:"g,omitempty"`
	// Places are set if Branch replaces the branches of several places.
	Places []Place `json:"p,omitempty"`
	// All has all arms of the fork, if these are known.
	All Branch `json:"a,omitempty"`
	// When says in words when the branch runs, if its code does: "if `x`". It may begin with [Otherwise].
	When string `json:"w,omitempty"`
}

// Otherwise begins the condition of an arm that runs only if those of the arms before it do not hold.
const Otherwise = "otherwise"

// condition says when a branch of the fork runs: one arm, or all but the first one.
func (k *fork) condition(b Branch) string {
	all := anyArm
	if k.closed {
		all = k.arms
	}
	for _, c := range k.when {
		switch {
		case b&all == c.arm && (c.arm == firstArm || c.apart):
			return c.String()
		case b&all == c.arm:
			return Otherwise + ", " + c.String()
		case c.arm == firstArm && b&all == all&^firstArm:
			return c.negated(true).String()
		}
	}
	return ""
}

// Overlaps reports whether two branches are parts of one fork with arms in common.
func (b Branch) Overlaps(other Branch) bool { return b.SameFork(other) && b&other&anyArm != 0 }

func find(nests []Nest, b Branch) (at int, found bool) {
	return slices.BinarySearchFunc(nests, b, func(n Nest, b Branch) int { return cmp.Compare(n.Branch, b) })
}

// Places lists the places of a name in a branch.
func Places(nests []Nest, b Branch, order int) []Place {
	if at, found := find(nests, b&^Later); found && nests[at].Places != nil {
		return nests[at].Places
	}
	return []Place{{b, order}}
}

// Chain lists a conditional branch, and those around it that nests have, from the outside in.
func Chain(nests []Nest, b Branch) (out []Nest) {
	for b &^= Later; b.Conditional() && len(out) < mostNested; b = out[len(out)-1].Outer {
		n := Nest{Branch: b}
		if at, found := find(nests, b); found {
			n = nests[at]
		}
		out = append(out, n)
	}
	slices.Reverse(out)
	return out
}

// Nests adds a branch, and those around it, to a list in which each is once.
func (f *Forks) Nests(list []Nest, b Branch) []Nest {
	b = b.also(false)
	if k := f.fork(b); k != nil && k.places != nil {
		for _, p := range k.places {
			list = f.nests(list, p.Branch, true)
		}
		at, _ := find(list, b&^Result)
		return slices.Insert(list, at, Nest{Branch: b &^ Result, Places: k.places})
	}
	return f.nests(list, b, false)
}

// nests adds the chain of a branch; if shared, with all arms of its forks.
func (f *Forks) nests(list []Nest, b Branch, shared bool) []Nest {
	for b := range f.chain(b) {
		b &^= Result
		k := f.fork(b)
		n := Nest{Branch: b, Outer: f.Settle(k.outer) &^ Result, Guards: f.guards(b), When: k.condition(b)} // not conditional in a function that is returned
		if n.All = anyArm; k.closed {
			n.All = k.arms
		}
		if !shared || k.arms&sharedArm > 0 {
			n.All = 0
		}
		switch at, found := find(list, b); {
		case found && !shared:
			return list
		case found:
			list[at] = n
		case n.Outer != 0 || n.Guards != nil || n.All != 0 || n.When != "":
			list = slices.Insert(list, at, n)
		}
	}
	return list
}
