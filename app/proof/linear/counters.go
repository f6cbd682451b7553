package main

import (
	"bytes"
	"encoding/binary"
	"errors"
	"fmt"
	"runtime/coverage"
)

// steps is how often the blocks of instrumented code were executed since the counters were cleared. It is exact, and the
// same on every machine.
func steps() (uint64, error) {
	var b bytes.Buffer
	if err := coverage.WriteCounters(&b); err != nil {
		return 0, fmt.Errorf("read the counters: %w", err)
	}
	return sumCounters(b.Bytes())
}

// Layout of the counters of a program built with -cover: a header, and one segment with the number of functions, unused strings, and the
// counters of each function.
const (
	headerSize  = 32
	flavourAt   = 24
	flavourULEB = 2
	segmentSize = 16
)

var errLayout = errors.New("unknown layout of coverage counters")

func sumCounters(data []byte) (uint64, error) {
	if len(data) < headerSize+segmentSize || !bytes.HasPrefix(data, []byte("\x00cwm")) || data[flavourAt] != flavourULEB {
		return 0, errLayout
	}
	functions := binary.LittleEndian.Uint64(data[headerSize:])
	skip := binary.LittleEndian.Uint32(data[headerSize+8:]) + binary.LittleEndian.Uint32(data[headerSize+12:])
	at := headerSize + segmentSize + int(skip)
	at += -at & 3
	next := func() uint64 {
		n, size := binary.Uvarint(data[min(at, len(data)):])
		if size <= 0 {
			at = len(data) + 1
			return 0
		}
		at += size
		return n
	}
	sum := uint64(0)
	for range functions {
		counters := next()
		next() // the package
		next() // the function
		for ; counters > 0 && at <= len(data); counters-- {
			sum += next()
		}
	}
	if at > len(data) {
		return 0, errLayout
	}
	return sum, nil
}
