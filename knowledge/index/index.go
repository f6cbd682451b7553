// Package index is a cache between runs: parsed files by blob id, and planning data. It is outside of the work tree
// and can be deleted at any time, which only costs time.
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

// Bucket is a part of the index for one kind of data. The package that stores the data names it.
type Bucket string

// blobs holds the parsed files; own holds the index's metadata.
const (
	blobs Bucket = "blobs"
	own   Bucket = "index"
)

var keyKey = []byte("key")

// ErrBusy is returned if another process has the index open.
var ErrBusy = errors.New("the index is in use by another run")

// Index is one open index file. Reads are safe for concurrent use.
type Index struct {
	db    *bolt.DB
	fresh bool
}

// Fresh reports whether the index was empty when it was opened.
func (x *Index) Fresh() bool { return x.fresh }

const fileName = "index.db"

// patience is the time to wait for another process to close the index.
const patience = 2 * time.Second

// Open opens or creates the index in a directory. Planning data of another key (another version or configuration) is
// dropped; parsed files stay. A damaged index is recreated.
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
	// A truncated or foreign file can make the library panic instead of returning an error.
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
		NoSync: true, NoGrowSync: true, // a lost index only costs time, and waiting for the disk would slow every run
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

// room is the initial memory map size of an index. A transaction that outgrows it copies all its data. On Windows,
// the file would have that size too, so it grows in steps.
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

// sizeSuffix names the file that holds the size of the index. The index is memory-mapped: reading a truncated one
// would crash the process instead of returning an error.
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

// Close releases the index and records its size.
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

// Blob reads the cached content of a file; false if there is none.
func (x *Index) Blob(key string, into any) bool { return x.Get(blobs, key, into) }

// Get reads a value; false if the key is missing.
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

// Keys lists the keys of a bucket with a prefix, sorted.
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

// Batch collects the writes of one run. They become visible atomically: before the rest is complete, put only files.
type Batch struct {
	x    *Index
	puts []put
	size int
	keep map[string]bool // files to keep, nil for all
}

type put struct {
	bucket Bucket
	key    string
	value  []byte // nil deletes
}

// NewBatch starts an empty batch. A Batch is not safe for concurrent use.
func (x *Index) NewBatch() *Batch { return &Batch{x: x} }

// fieldTag is the struct tag of the stored types.
const fieldTag = "json"

// Encode encodes a value for PutBlob as MessagePack, for fast reads. It is safe for concurrent use.
func Encode(value any) ([]byte, error) {
	e := msgpack.GetEncoder()
	defer msgpack.PutEncoder(e)
	out := buffers.Get().(*bytes.Buffer)
	defer buffers.Put(out)
	out.Reset()
	e.Reset(out)
	e.SetCustomStructTag(fieldTag)
	e.UseArrayEncodedStructs(true) // omitting field names saves a third of the time and rejects records of another type
	if err := e.Encode(value); err != nil {
		return nil, err
	}
	return bytes.Clone(out.Bytes()), nil
}

// buffers are pooled for encoding; the kept result is a copy of the exact size.
var buffers = sync.Pool{New: func() any { return new(bytes.Buffer) }}

func decode(data []byte, into any) error {
	d := msgpack.GetDecoder()
	defer msgpack.PutDecoder(d)
	d.Reset(bytes.NewReader(data))
	d.SetCustomStructTag(fieldTag)
	return d.Decode(into)
}

// enough is the size in bytes at which a batch writes its files early, which is safe because the cached content of a
// file does not depend on the run.
const enough = 4 << 20

// PutBlob stores the content of a file encoded by Encode.
func (b *Batch) PutBlob(key string, encoded []byte) error {
	b.puts = append(b.puts, put{blobs, key, encoded})
	if b.size += len(encoded); b.size > enough {
		return b.Commit()
	}
	return nil
}

// KeepBlobs removes all other files when the batch is committed. Otherwise an index grows with every version of a
// file.
func (b *Batch) KeepBlobs(keys map[string]bool) { b.keep = keys }

// Put stores a value; nil removes it.
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

// Mark stores a key without a value, for Keys; present is false to remove it.
func (b *Batch) Mark(bucket Bucket, key string, present bool) {
	var value []byte
	if present {
		value = []byte{}
	}
	b.puts = append(b.puts, put{bucket, key, value})
}

// Cut moves the files of the batch into a separate one if they are worth a transaction, or returns nil. The result
// may be committed concurrently.
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

// fill is the page fill ratio: files come in key order, with few later insertions.
const fill = 0.9

// Commit writes the batch and empties it.
func (b *Batch) Commit() error {
	if len(b.puts) == 0 && b.keep == nil {
		return nil
	}
	// In key order, each page is written once, and most keys are appended.
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
