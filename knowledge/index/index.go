// Package index is what causal remembers between two runs to be fast: files already read, by blob id, and what is
// needed to plan. It lies outside the work tree, holds nothing that cannot be made again, and may be deleted at any
// time; that costs only time.
package index

import (
	"bytes"
	"cmp"
	"errors"
	"fmt"
	"os"
	"path/filepath"
	"runtime"
	"slices"
	"strconv"
	"strings"
	"sync"
	"time"

	"github.com/vmihailenco/msgpack/v5"
	bolt "go.etcd.io/bbolt"
	berrors "go.etcd.io/bbolt/errors"
)

// Bucket is a part of the index, for one kind of things. Whoever remembers something names the bucket for it.
type Bucket string

// blobs holds the files; own is what the index remembers of itself.
const (
	blobs Bucket = "blobs"
	own   Bucket = "index"
)

var keyKey = []byte("key")

// ErrBusy: another process has the index open.
var ErrBusy = errors.New("the index is in use by another run")

// Index is one open index file. Reads are safe for concurrent use.
type Index struct {
	db    *bolt.DB
	fresh bool
}

// Fresh reports whether nothing was remembered when the index was opened.
func (x *Index) Fresh() bool { return x.fresh }

// fileName is how an index is called in its directory.
const fileName = "index.db"

// patience is how long to wait for another process to close the index.
const patience = 2 * time.Second

// Open opens the index in a directory, making it when it is missing. What was planned under another key (another
// version or configuration) is dropped; files read stay. A damaged index is made anew.
func Open(dir, key string) (*Index, error) {
	name := filepath.Join(dir, fileName)
	x, err := open(name)
	if err != nil && !errors.Is(err, ErrBusy) {
		if rm := os.Remove(name); rm != nil && !errors.Is(rm, os.ErrNotExist) {
			return nil, fmt.Errorf("remove damaged index: %w", rm)
		}
		x, err = open(name)
	}
	if err != nil {
		return nil, err
	}
	if err := x.useKey(key); err != nil {
		_ = x.Close()
		return nil, err
	}
	return x, nil
}

func open(name string) (x *Index, err error) {
	// a truncated or foreign file can make the library panic instead of returning an error
	defer func() {
		if r := recover(); r != nil {
			x, err = nil, fmt.Errorf("open index %s: %v", name, r)
		}
	}()
	if err := os.MkdirAll(filepath.Dir(name), 0o755); err != nil {
		return nil, fmt.Errorf("open index: %w", err)
	}
	if truncated(name) {
		return nil, fmt.Errorf("open index %s: it is shorter than it was", name)
	}
	db, err := bolt.Open(name, 0o644, &bolt.Options{
		Timeout: patience, FreelistType: bolt.FreelistMapType,
		NoSync: true, NoGrowSync: true, // a lost index costs time, waiting for the disk on every run costs more
		InitialMmapSize: room(),
	})
	if err != nil {
		if errors.Is(err, berrors.ErrTimeout) {
			return nil, ErrBusy
		}
		return nil, fmt.Errorf("open index %s: %w", name, err)
	}
	return &Index{db: db}, nil
}

// room is how much of the address space an index gets at once. When a transaction outgrows it, all that the transaction
// holds is copied. Where the file has to be as large as that, it grows by steps.
func room() int {
	if runtime.GOOS == "windows" {
		return 0
	}
	return 128 << 20
}

func (x *Index) useKey(key string) error {
	same := false
	err := x.db.View(func(tx *bolt.Tx) error {
		b := tx.Bucket([]byte(own))
		same = b != nil && string(b.Get(keyKey)) == key
		return nil
	})
	if err != nil || same {
		return err
	}
	return x.db.Update(func(tx *bolt.Tx) error {
		var planned [][]byte
		x.fresh = true
		err := tx.ForEach(func(name []byte, _ *bolt.Bucket) error {
			if string(name) == string(blobs) {
				x.fresh = false
			} else {
				planned = append(planned, bytes.Clone(name))
			}
			return nil
		})
		for _, name := range planned {
			err = errors.Join(err, tx.DeleteBucket(name))
		}
		if err != nil {
			return err
		}
		b, err := tx.CreateBucket([]byte(own))
		if err != nil {
			return err
		}
		return b.Put(keyKey, []byte(key))
	})
}

// sizeSuffix names the file beside the index that holds its size. An index is mapped into memory: one that was cut
// short would end the process when it is read, and not with an error.
const sizeSuffix = ".size"

func truncated(name string) bool {
	noted, err := os.ReadFile(name + sizeSuffix)
	if err != nil {
		return false
	}
	size, err := strconv.ParseInt(string(noted), 10, 64)
	if err != nil {
		return true
	}
	info, err := os.Stat(name)
	return err == nil && info.Size() < size
}

// Close releases the index, and notes how large it is.
func (x *Index) Close() error {
	name := x.db.Path()
	if err := x.db.Close(); err != nil {
		return err
	}
	info, err := os.Stat(name)
	if err != nil {
		return fmt.Errorf("close index: %w", err)
	}
	size := strconv.FormatInt(info.Size(), 10)
	if noted, err := os.ReadFile(name + sizeSuffix); err == nil && string(noted) == size {
		return nil
	}
	return os.WriteFile(name+sizeSuffix, []byte(size), 0o644)
}

// Blob reads what was remembered of a file's content; false when there is nothing.
func (x *Index) Blob(key string, into any) bool { return x.Get(blobs, key, into) }

// Get reads a value; false when nothing is remembered under the key.
func (x *Index) Get(bucket Bucket, key string, into any) bool {
	found := false
	_ = x.db.View(func(tx *bolt.Tx) error {
		if b := tx.Bucket([]byte(bucket)); b != nil {
			if data := b.Get([]byte(key)); data != nil {
				found = decode(data, into) == nil
			}
		}
		return nil
	})
	return found
}

// Keys lists the keys of a bucket that begin with a prefix, in their order.
func (x *Index) Keys(bucket Bucket, prefix string) []string {
	var out []string
	_ = x.db.View(func(tx *bolt.Tx) error {
		b := tx.Bucket([]byte(bucket))
		if b == nil {
			return nil
		}
		c := b.Cursor()
		for k, _ := c.Seek([]byte(prefix)); k != nil && bytes.HasPrefix(k, []byte(prefix)); k, _ = c.Next() {
			out = append(out, string(k))
		}
		return nil
	})
	return out
}

// Batch collects what one run learnt. What is put becomes visible at once, or not at all: put nothing but files before the
// rest is complete.
type Batch struct {
	x    *Index
	puts []put
	size int
	keep map[string]bool // the files that are not forgotten, nil when all are kept
}

type put struct {
	bucket Bucket
	key    string
	value  []byte // nil deletes
}

// NewBatch starts an empty batch. A Batch is not safe for concurrent use.
func (x *Index) NewBatch() *Batch { return &Batch{x: x} }

// fieldTag is how the types that are kept here name their fields.
const fieldTag = "json"

// Encode prepares a value for PutBlob, as MessagePack: what is planned with is read on every run. It may be called
// concurrently.
func Encode(value any) ([]byte, error) {
	e := msgpack.GetEncoder()
	defer msgpack.PutEncoder(e)
	out := buffers.Get().(*bytes.Buffer)
	defer buffers.Put(out)
	out.Reset()
	e.Reset(out)
	e.SetCustomStructTag(fieldTag)
	e.UseArrayEncodedStructs(true) // without the names of fields: a third of the time, and a record of another type is no record
	if err := e.Encode(value); err != nil {
		return nil, err
	}
	return bytes.Clone(out.Bytes()), nil
}

// buffers are for values that are being encoded: what becomes of them is kept, and should be no larger than it is.
var buffers = sync.Pool{New: func() any { return new(bytes.Buffer) }}

func decode(data []byte, into any) error {
	d := msgpack.GetDecoder()
	defer msgpack.PutDecoder(d)
	d.Reset(bytes.NewReader(data))
	d.SetCustomStructTag(fieldTag)
	return d.Decode(into)
}

// enough is how many bytes of files a batch holds before it writes them: what is known of a file's content is true
// whatever becomes of the run.
const enough = 4 << 20

// PutBlob remembers a file's content that Encode prepared.
func (b *Batch) PutBlob(key string, encoded []byte) error {
	b.puts = append(b.puts, put{blobs, key, encoded})
	if b.size += len(encoded); b.size > enough {
		return b.Commit()
	}
	return nil
}

// KeepBlobs forgets all files but those with the given keys, once the batch is committed: without it an index grows with
// every version that a file ever had.
func (b *Batch) KeepBlobs(keys map[string]bool) { b.keep = keys }

// Put remembers a value; nil forgets it.
func (b *Batch) Put(bucket Bucket, key string, value any) error {
	if value == nil {
		b.puts = append(b.puts, put{bucket, key, nil})
		return nil
	}
	data, err := Encode(value)
	if err != nil {
		return fmt.Errorf("index %s %s: %w", bucket, key, err)
	}
	b.puts = append(b.puts, put{bucket, key, data})
	return nil
}

// Mark remembers a key without a value, for Keys; present is false to forget it.
func (b *Batch) Mark(bucket Bucket, key string, present bool) {
	var value []byte
	if present {
		value = []byte{}
	}
	b.puts = append(b.puts, put{bucket, key, value})
}

// Cut takes the files that the batch holds out into one of their own, when they are worth a transaction of their own;
// nil otherwise. It may be committed concurrently.
func (b *Batch) Cut() *Batch {
	const worth = 512 << 10
	if b.size < worth {
		return nil
	}
	cut := b.x.NewBatch()
	b.puts = slices.DeleteFunc(b.puts, func(p put) bool {
		if p.bucket == blobs {
			cut.puts = append(cut.puts, p)
		}
		return p.bucket == blobs
	})
	b.size = 0
	return cut
}

// fill is how full a page is made: files come in the order of their keys, and little is put between them later.
const fill = 0.9

// Commit writes the batch and empties it.
func (b *Batch) Commit() error {
	if len(b.puts) == 0 && b.keep == nil {
		return nil
	}
	// In the order of the keys a page is written once, and most are behind those that are there.
	slices.SortStableFunc(b.puts, func(a, b put) int {
		return cmp.Or(strings.Compare(string(a.bucket), string(b.bucket)), strings.Compare(a.key, b.key))
	})
	err := b.x.db.Update(func(tx *bolt.Tx) error {
		for _, p := range b.puts {
			bucket, err := tx.CreateBucketIfNotExists([]byte(p.bucket))
			if err != nil {
				return err
			}
			bucket.FillPercent = fill
			if p.value == nil {
				if err := bucket.Delete([]byte(p.key)); err != nil {
					return err
				}
				continue
			}
			if err := bucket.Put([]byte(p.key), p.value); err != nil {
				return err
			}
		}
		return b.forget(tx.Bucket([]byte(blobs)))
	})
	if err != nil {
		return fmt.Errorf("write index: %w", err)
	}
	b.puts, b.size, b.keep = nil, 0, nil
	return nil
}

// forget deletes the files that are not to be kept.
func (b *Batch) forget(bucket *bolt.Bucket) error {
	if b.keep == nil || bucket == nil {
		return nil
	}
	var gone [][]byte
	err := bucket.ForEach(func(key, _ []byte) error {
		if !b.keep[string(key)] {
			gone = append(gone, bytes.Clone(key))
		}
		return nil
	})
	for _, key := range gone {
		err = errors.Join(err, bucket.Delete(key))
	}
	return err
}
