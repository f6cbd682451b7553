package ledger

import (
	"encoding/hex"
	"errors"
	"math/bits"

	"golang.org/x/mod/sumdb/tlog"
)

// set is an immutable set of events, as a hashed radix tree over their IDs. A branch divides by the first bit in
// which its IDs differ, so equal sets are equal trees. Derived sets share subtrees.
type set struct {
	hash        tlog.Hash
	key         *[idLength / 2]byte // an ID in it
	bit         int                 // the first bit in which its IDs differ; for a leaf, the length of an ID
	events      int
	left, right *set
}

var errTooMany = errors.New("it has too many branches that were merged too often")

// mostNodes limits the new nodes per event and head. Adding one event to a set of a million takes twenty.
const mostNodes = 128

type forest struct{ made, most int }

func (f *forest) leaf(id ID) *set {
	key := new([idLength / 2]byte)
	_, _ = hex.Decode(key[:], []byte(id)) // valid, as it is an ID
	f.made++
	return &set{hash: tlog.RecordHash(key[:]), key: key, bit: 4 * idLength, events: 1}
}

func (f *forest) branch(bit int, left, right *set) *set {
	f.made++
	return &set{hash: tlog.NodeHash(left.hash, right.hash), key: left.key, bit: bit, events: left.events + right.events, left: left, right: right}
}

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

func differ(a, b *[idLength / 2]byte) int {
	for i := range a {
		if x := a[i] ^ b[i]; x != 0 {
			return 8*i + bits.LeadingZeros8(x)
		}
	}
	return 4 * idLength
}

func has(key *[idLength / 2]byte, bit int) bool { return key[bit/8]&(0x80>>(bit%8)) != 0 }

func (f *forest) of(ids []ID) *set {
	switch len(ids) {
	case 0:
		return nil
	case 1:
		return f.leaf(ids[0])
	}
	return f.union(f.of(ids[:len(ids)/2]), f.of(ids[len(ids)/2:]))
}

// seen calls found for each list of events with the set of those and their ancestors. It drops sets early.
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
