package source

// Branch is a branch of a declaration's control flow. The zero Branch always runs.
type Branch int32

const (
	// Apart is code that may run later or never, or only after a failure: a nested function, an error path.
	Apart Branch = 1
	// Result is the code of a function literal that the declaration returns.
	Result Branch = 2

	firstArm  Branch = 4
	firstFork Branch = 1 << 10
	mostForks        = 1<<20 - 1
)

// Conditional reports whether only some calls of the declaration run the branch.
func (b Branch) Conditional() bool { return b >= firstFork }

// Returned reports whether the branch runs when the function is called that the declaration returns.
func (b Branch) Returned() bool { return b&Result > 0 }

// Excludes reports whether at most one of two branches runs, because they are arms of one fork.
func (b Branch) Excludes(other Branch) bool {
	arm, second := b%firstFork, other%firstFork
	return b.Conditional() && b/firstFork == other/firstFork && arm != second && arm >= firstArm && second >= firstArm
}

// rank is the lower the more often the branch runs.
func (b Branch) rank() Branch {
	if b == Apart {
		return 2 * Result
	}
	return b&Result + min(b/firstFork, 1)
}

// MergeBranches merges the branches and places of two occurrences of a name. The one that runs more often counts, then
// the earlier one. Occurrences in several arms of a fork are in no certain one.
func MergeBranches[T ~int | ~int32](b Branch, at T, other Branch, place T) (Branch, T) {
	switch r, s := b.rank(), other.rank(); {
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

// Forks finds the branch of each reference while a declaration is walked.
type Forks struct {
	branch Branch
	forks  Branch
}

// Restart counts the forks of the next declaration.
func (f *Forks) Restart() { f.forks = 0 }

// Fork begins a fork.
func (f *Forks) Fork() Fork {
	f.forks = min(f.forks+1, mostForks)
	return Fork{at: f.forks * firstFork}
}

// Enter continues in a branch of the current one, which it returns for [Forks.Leave].
func (f *Forks) Enter(b Branch) (outer Branch) {
	outer = f.branch
	switch {
	case b == Apart:
		f.branch = Apart
	case b != 0 && outer != Apart:
		f.branch = outer&Result | b
	}
	return outer
}

// Leave continues in the branch before Enter.
func (f *Forks) Leave(outer Branch) { f.branch = outer }

// In walks code in a branch of the current one.
func (f *Forks) In(b Branch, walk func()) {
	outer := f.Enter(b)
	walk()
	f.Leave(outer)
}

// Branch is the current branch.
func (f *Forks) Branch() Branch { return f.branch }

// Fork is a place where at most one of several arms runs.
type Fork struct {
	at, arms    Branch
	conditional bool
}

// Begun reports whether the fork comes from [Forks.Fork].
func (k *Fork) Begun() bool { return k.at > 0 }

// Arm returns the branch of the next arm. It is apart if the arm leaves the declaration or handles a failure. An arm
// that runs whenever those do not is the only one.
func (k *Fork) Arm(apart, only bool) Branch {
	k.arms = min(k.arms+firstArm, firstFork-firstArm)
	if apart {
		return Apart
	}
	if only && !k.conditional {
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
