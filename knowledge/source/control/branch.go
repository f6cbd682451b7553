// Package control says under which conditions code of a declaration runs.
package control

import (
	"slices"
	"strings"
)

// Branch is a set of arms of one fork in a declaration's control flow. The zero Branch always runs.
type Branch int32

const (
	// Apart is code that may run later or never, or only after a failure: a nested function, an error path.
	Apart Branch = 1
	// Result is the code of a function literal that the declaration returns.
	Result Branch = 2

	// inLoop marks the body of a loop, the only arm of a fork.
	inLoop    Branch = 1 << 2
	firstArm  Branch = 1 << 3
	firstFork Branch = 1 << 14
	anyArm           = firstFork - firstArm
	// sharedArm is that of all later arms.
	sharedArm  = firstFork / 2
	mostForks  = 1<<17 - 1
	mostNested = 64
)

// Conditional reports whether only some calls of the declaration run the branch.
func (b Branch) Conditional() bool { return b >= firstFork }

// Returned reports whether the branch runs when the function is called that the declaration returns.
func (b Branch) Returned() bool { return b&Result > 0 }

// SameFork reports whether two branches are arms of one fork.
func (b Branch) SameFork(other Branch) bool { return b.Conditional() && b/firstFork == other/firstFork }

// Excludes reports whether at most one of two branches runs, because they are arms of one fork.
func (b Branch) Excludes(other Branch) bool {
	return b.SameFork(other) && b&other&anyArm == 0
}

// IsLoop reports whether the branch is the body of a loop, which may run zero or more times.
func (b Branch) IsLoop() bool { return b&inLoop > 0 }

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
	if b == Apart {
		return 2 * Result
	}
	return b&Result + min(b/firstFork, 1)
}

// Forks are the forks of a declaration or file. At each, exactly one of several arms runs.
type Forks struct{ list []fork }

type fork struct {
	outer, arms Branch
	left        Branch // the arms that return a result
	closed      bool   // there are no other arms
}

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

// Arm returns the next arm of a fork. It is apart if it leaves the declaration or handles a failure, and then other arms
// run as if there were none. It may leave with a result.
func (f *Forks) Arm(at Branch, apart, left bool) Branch {
	k := f.fork(at)
	switch {
	case apart:
		return Apart
	case k == nil:
		return 0
	}
	arm := min(k.arms+firstArm, sharedArm)
	if k.arms |= arm; left {
		k.left |= arm
	}
	return at | arm
}

// Loop returns the branch of the body of a loop.
func (f *Forks) Loop() Branch { return f.Sometimes() | inLoop }

// Sometimes returns a branch that runs only in some cases.
func (f *Forks) Sometimes() Branch { return f.Arm(f.Fork(), false, false) }

// After returns the branch of what follows a fork whose arms are all known: the arms that return no result.
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
	case b == 0 || outer == Apart:
		return outer
	case k != nil && outer/firstFork != b/firstFork:
		k.outer = outer
	}
	if b == Apart {
		return b
	}
	return outer&Result | b
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

// Merge merges the branches and places of two occurrences of a name. The one that runs more often counts, then the
// earlier one. Occurrences in several arms of a fork are in all of these, at the last place if one returns.
func Merge[T ~int | ~int32](f *Forks, b Branch, at T, other Branch, place T) (Branch, T) {
	b, other = f.Settle(b), f.Settle(other)
	switch r, s := b.Rank(), other.Rank(); {
	case s < r:
		return other, place
	case r < s:
		return b, at
	case b/firstFork == other/firstFork:
		if k := f.fork(b); b != other && k != nil && k.left > 0 {
			at = max(at, place)
		} else {
			at = min(at, place)
		}
		return f.Settle(b | other), at
	case place < at:
		b = other
	}
	return b, min(at, place)
}
