// Package control says under which conditions code of a declaration runs.
package control

// Branch is a branch of a declaration's control flow. The zero Branch always runs.
type Branch int32

const (
	// Apart is code that may run later or never, or only after a failure: a nested function, an error path.
	Apart Branch = 1
	// Result is the code of a function literal that the declaration returns.
	Result Branch = 2

	firstArm  Branch = 4
	firstFork Branch = 1 << 10
	mostForks Branch = 1<<20 - 1
)

// Conditional reports whether only some calls of the declaration run the branch.
func (b Branch) Conditional() bool { return b >= firstFork }

// Returned reports whether the branch runs when the function is called that the declaration returns.
func (b Branch) Returned() bool { return b&Result > 0 }

// SameFork reports whether two branches are arms of one fork.
func (b Branch) SameFork(other Branch) bool { return b.Conditional() && b/firstFork == other/firstFork }

// Excludes reports whether at most one of two branches runs, because they are arms of one fork.
func (b Branch) Excludes(other Branch) bool {
	arm, second := b%firstFork, other%firstFork
	return b.Conditional() && b/firstFork == other/firstFork && arm != second && arm >= firstArm && second >= firstArm
}

// Rank is the lower the more often the branch runs.
func (b Branch) Rank() Branch {
	if b == Apart {
		return 2 * Result
	}
	return b&Result + min(b/firstFork, 1)
}

// In returns the branch within an outer one.
func (b Branch) In(outer Branch) Branch {
	switch {
	case b == 0 || outer == Apart:
		return outer
	case b == Apart:
		return b
	}
	return outer&Result | b
}

// Merge merges the branches and places of two occurrences of a name. The one that runs more often counts, then the
// earlier one. Occurrences in several arms of a fork are in no certain one.
func Merge[T ~int | ~int32](b Branch, at T, other Branch, place T) (Branch, T) {
	switch r, s := b.Rank(), other.Rank(); {
	case s < r:
		return other, place
	case r < s:
		return b, at
	case b.Excludes(other):
		b -= b % firstFork &^ Result
	case place < at:
		b = other
	}
	return b, min(at, place)
}

// Forks counts the forks of a declaration.
type Forks Branch

// Fork begins a fork.
func (f *Forks) Fork() Fork {
	*f = min(*f+1, Forks(mostForks))
	return Fork{at: Branch(*f) * firstFork}
}

// Fork is a place where at most one of several arms runs. The zero Fork has none.
type Fork struct {
	at, arms    Branch
	conditional bool
}

// Arm returns the branch of the next arm. It is apart if the arm leaves the declaration or handles a failure. An arm
// that runs whenever those do not is the only one.
func (k *Fork) Arm(apart, only bool) Branch {
	k.arms = min(k.arms+firstArm, firstFork-firstArm)
	switch {
	case apart:
		return Apart
	case k.at == 0, only && !k.conditional:
		return 0
	}
	k.conditional = true
	return k.at | k.arms
}

// Rest returns the branch that runs if none of the arms so far does.
func (k *Fork) Rest() Branch {
	if !k.conditional {
		return 0
	}
	return k.at | min(k.arms+firstArm, firstFork-firstArm)
}
