package node

import (
	"errors"
	"reflect"
	"strings"

	"github.com/causaldocs/causal/knowledge/canonical"
	"github.com/causaldocs/causal/knowledge/source"
)

// field is a field of a struct in a node file. The tag yaml has its key, and the tag form how it is written.
type field struct {
	index int
	key   string
	form  string
	// always is set if an empty list is written too.
	always bool
}

// The values of the tag form. Without one, a text is written as it is.
const (
	asPath      = "path"      // see canonical.Path
	asProse     = "prose"     // see unwrapped
	asOpening   = "opening"   // see Opening
	asCondition = "condition" // see alternatives
	asPlace     = "place"     // only in the file
)

// fields are the fields of the structs in node files, in the order of the file.
var fields = func() map[reflect.Type][]field {
	all := map[reflect.Type][]field{}
	addFields(all, reflect.TypeFor[Node]())
	addFields(all, reflect.TypeFor[Overview]())
	return all
}()

func addFields(all map[reflect.Type][]field, of reflect.Type) {
	all[of] = nil
	for i := range of.NumField() {
		f := of.Field(i)
		key, options, _ := strings.Cut(f.Tag.Get("yaml"), ",")
		if key == "-" {
			continue
		}
		all[of] = append(all[of], field{i, key, f.Tag.Get("form"), options == ""})
		if isRecords(f.Type) {
			addFields(all, f.Type.Elem())
		}
	}
}

func isRecords(t reflect.Type) bool {
	return t.Kind() == reflect.Slice && t.Elem().Kind() == reflect.Struct
}

func (f field) text(value string, e extent) string {
	switch f.form {
	case asPath:
		return canonical.Path(value)
	case asProse:
		return unwrapped(value, e)
	case asOpening:
		if e != whole {
			return strings.Join(strings.Fields(Opening(value)), " ")
		}
	case asCondition:
		return alternatives(value)
	}
	return value
}

// write writes a struct to an extent.
func write(w *canonical.Writer, of reflect.Value, e extent) {
	for _, f := range fields[of.Type()] {
		v := of.Field(f.index)
		if v.Kind() == reflect.String {
			w.Text(0, f.key, f.text(v.String(), e))
			continue
		}
		if v.Len() > 0 || f.always {
			w.Head(0, f.key, v.Len())
		}
		for i := range v.Len() {
			if one := v.Index(i); one.Kind() == reflect.String {
				w.Element(0, f.text(one.String(), e))
			} else {
				record(w, one, e)
			}
		}
	}
}

// record writes a struct as an element of a list.
func record(w *canonical.Writer, of reflect.Value, e extent) {
	for _, f := range fields[of.Type()] {
		v := of.Field(f.index)
		switch kind := v.Kind(); {
		case f.form == asPlace && e != inFile:
		case kind == reflect.String:
			w.Field(f.key, f.text(v.String(), e))
		case kind == reflect.Slice:
			w.Names(f.key, v.Interface().([]string))
		case kind == reflect.Int && v.Int() > 0:
			w.Number(f.key, int(v.Int()))
		case kind == reflect.Bool && v.Bool():
			w.Flag(f.key)
		}
		if f.form == asOpening && e == whole {
			for _, o := range of.FieldByName("Overloads").Interface().([]source.Overload) {
				w.Field("signature", o.Signature)
				w.Field("doc", o.Doc)
			}
		}
	}
	w.Record()
}

// parsePaths decodes the paths of a struct.
func parsePaths(of reflect.Value) (failed error) {
	parse := func(v reflect.Value) {
		parsed, err := canonical.ParsePath(v.String())
		v.SetString(parsed)
		failed = errors.Join(failed, err)
	}
	for _, f := range fields[of.Type()] {
		v := of.Field(f.index)
		switch {
		case isRecords(v.Type()):
			for i := range v.Len() {
				failed = errors.Join(failed, parsePaths(v.Index(i)))
			}
		case f.form != asPath:
		case v.Kind() == reflect.String:
			parse(v)
		default:
			for i := range v.Len() {
				parse(v.Index(i))
			}
		}
	}
	return failed
}
