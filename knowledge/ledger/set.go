package ledger

import (
	"encoding/hex"
	"errors"
	"math/bits"

	"golang.org/x/mod/sumdb/tlog"
)

// set is a set of events as a tree over their ids, which is hashed: a leaf is an id, and a branch has those whose next bit is 0 on its
// left and the others on its right. Bits that all have in common make no branch, so that equal sets are equal trees, whichever way they
// came about. A set is never changed; those that come from each other share what they have in common.
type set struct {
	hash        tlog.Hash
	key         *[idLength / 2]byte // an id in it
	bit         int                 // the first that its ids differ in; of a leaf, how many an id has
	events      int
	left, right *set
}

// errTooMany is returned where sets take more than in proportion to the events.
var errTooMany = errors.New("it has too many branches that were merged too often")

// mostNodes is how many nodes may be made for each event and each head that is looked up. One more in a set of a million takes twenty.
const mostNodes = 128

// forest makes sets.
type forest struct{ made, most int }

// leaf is the set of one event.
func (f *forest) leaf(id ID) *set {
	key := new([idLength / 2]byte)
	_, _ = hex.Decode(key[:], []byte(id)) // it is an id
	f.made++
	return &set{hash: tlog.RecordHash(key[:]), key: key, bit: 4 * idLength, events: 1}
}

func (f *forest) branch(bit int, left, right *set) *set {
	f.made++
	return &set{hash: tlog.NodeHash(left.hash, right.hash), key: left.key, bit: bit, events: left.events + right.events, left: left, right: right}
}

// union is what is in either of two sets. Nothing is made of what is in both, or in one alone.
func (f *forest) union(a, b *set) *set {
	switch {
	case a == nil:
		return b
	case b == nil || a == b || a.hash == b.hash:
		return a
	}
	at := min(differ(a.key, b.key), a.bit, b.bit)
	switch {
	case at < a.bit && at < b.bit && has(b.key, at):
		return f.branch(at, a, b)
	case at < a.bit && at < b.bit:
		return f.branch(at, b, a)
	case a.bit > b.bit:
		a, b = b, a
	}
	left, right := a.left, a.right
	switch {
	case a.bit == b.bit:
		left, right = f.union(a.left, b.left), f.union(a.right, b.right)
	case has(b.key, a.bit):
		right = f.union(right, b)
	default:
		left = f.union(left, b)
	}
	switch {
	case left == a.left && right == a.right:
		return a
	case left == b.left && right == b.right:
		return b
	}
	return f.branch(a.bit, left, right)
}

// differ is the first bit in which two ids differ.
func differ(a, b *[idLength / 2]byte) int {
	for i := range a {
		if x := a[i] ^ b[i]; x != 0 {
			return 8*i + bits.LeadingZeros8(x)
		}
	}
	return 4 * idLength
}

func has(key *[idLength / 2]byte, bit int) bool { return key[bit/8]&(0x80>>(bit%8)) != 0 }

// of is the set of some events, which are sorted.
func (f *forest) of(ids []ID) *set {
	switch len(ids) {
	case 0:
		return nil
	case 1:
		return f.leaf(ids[0])
	}
	return f.union(f.of(ids[:len(ids)/2]), f.of(ids[len(ids)/2:]))
}

// seen hands to found, for each of some lists of events of the log, the set of those and of all that they have seen. Only what one of the lists, or
// an event to come, still needs is kept in memory.
func (l *Log) seen(lists [][]ID, found func(list int, s *set)) error {
	if len(lists) == 0 {
		return nil
	}
	f := &forest{most: mostNodes * (len(l.events) + 1)}
	due, needed := map[int][]int{}, make(map[ID]int, len(l.events))
	for i, ids := range lists {
		last := 0
		for _, id := range ids {
			last = max(last, l.place[id])
			needed[id]++
		}
		f.most += mostNodes * len(ids)
		due[last] = append(due[last], i)
	}
	for i := range l.events {
		for _, p := range l.events[i].Parents {
			needed[p]++
		}
	}
	sets := map[ID]*set{}
	take := func(ids []ID) (s *set) {
		for _, id := range ids {
			s = f.union(s, sets[id])
			if needed[id]--; needed[id] == 0 {
				delete(sets, id)
			}
		}
		return s
	}
	for i := range l.events {
		e := &l.events[i]
		s := f.union(take(e.Parents), f.leaf(e.ID))
		if needed[e.ID] > 0 {
			sets[e.ID] = s
		}
		for _, list := range due[i] {
			found(list, take(lists[list]))
		}
		if f.made > f.most {
			return errTooMany
		}
	}
	return nil
}
