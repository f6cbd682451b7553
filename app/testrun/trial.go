package testrun

import (
	"errors"
	"io/fs"
	"maps"
	"os"
	"path/filepath"
	"slices"

	"github.com/causaldocs/causal/knowledge/store"
	"github.com/causaldocs/causal/testgen"
	"github.com/causaldocs/causal/testgen/spec"
)

// prove returns the results of jobs after rounds of tests until none fails. It ends, because every round but the last
// leaves out at least one case.
func prove(jobs []*Job, list []*testgen.Call, fuzzed bool, round func(recorded map[string]*testgen.Recorded) (again bool, err error)) (map[string]*testgen.Recorded, error) {
	out := map[string]*testgen.Recorded{}
	for _, j := range jobs {
		out[j.Subject] = j.recorded(list, fuzzed)
	}
	for {
		if again, err := round(out); err != nil || !again {
			return out, err
		}
	}
}

// trial is a generated test file.
type trial struct {
	file  string // path
	jobs  []*Job
	specs []testgen.Coded // specs of the jobs in the form in which their tests would pass
	code  []byte
}

// trials returns the test files of jobs, without the cases that cannot become code.
func trials(l *testgen.Language, jobs []*Job, recorded map[string]*testgen.Recorded) (out []*trial, err error) {
	files := map[string]*trial{}
	for _, j := range jobs {
		t := files[j.Target.CodeFile]
		if t == nil {
			t = &trial{file: j.Target.CodeFile}
			files[t.file] = t
		}
		t.jobs = append(t.jobs, j)
		t.specs = append(t.specs, testgen.Coded{File: store.Layout{}.Spec(testgen.Split(j.Subject)), Spec: j.passing(recorded[j.Subject]), Target: j.Target})
	}
	for _, file := range slices.Sorted(maps.Keys(files)) {
		t := files[file]
		var misfits testgen.Misfits
		if t.code, misfits, err = l.Code(t.specs); err != nil {
			return nil, err
		}
		for i, j := range t.jobs {
			for id, why := range misfits[t.specs[i].File] {
				if r := recorded[j.Subject]; r.Results[id].Failed == "" {
					keepOut(r, t.specs[i].Spec.Case(id), why)
				}
			}
		}
		if t.code != nil {
			out = append(out, t)
		}
	}
	return out, nil
}

// giveUp gives up the specs of a file that have no other problem.
func (t *trial) giveUp(why string, recorded map[string]*testgen.Recorded) (some bool) {
	for _, j := range t.jobs {
		if r := recorded[j.Subject]; r.Problem == "" {
			r.Problem, some = why, true
		}
	}
	return some
}

// passing returns the spec of a job with the recorded results. Cases without a result and laws that do not hold are
// left out.
func (j *Job) passing(r *testgen.Recorded) *spec.Spec {
	s := *j.Spec
	s.Cases = slices.Clone(j.Spec.Cases)
	testgen.Apply(&s, r)
	for i := range s.Cases {
		c := &s.Cases[i]
		if c.Became == nil {
			continue
		}
		if c.Became.Failed() {
			c.Quarantined = c.Became.Text()
		} else {
			c.Want = c.Became
		}
		c.Became = nil
	}
	s.Status = spec.Active
	return &s
}

// keepOut leaves a failed case out of the code.
func keepOut(r *testgen.Recorded, c *spec.Case, why string) {
	if r.Chosen != nil && c.By != spec.Human {
		if one := slices.IndexFunc(r.Chosen.Cases, func(o spec.Case) bool { return o.ID == c.ID }); one >= 0 {
			r.Chosen.Cases[one].Quarantined = why
			return
		}
	}
	r.Results[c.ID] = testgen.Result{Failed: why}
}

// copyTree copies the directories and regular files of a tree, except those for which take returns fs.SkipDir. Other
// errors of take end the copy.
func copyTree(from, to string, take func(name string, d fs.DirEntry, size int64) error) error {
	root, err := os.OpenRoot(from)
	if err != nil {
		return err
	}
	defer func() { _ = root.Close() }()
	return fs.WalkDir(root.FS(), ".", func(name string, d fs.DirEntry, err error) error {
		if err != nil {
			return err
		}
		info, err := d.Info()
		if err != nil {
			return err
		}
		at := filepath.Join(to, filepath.FromSlash(name))
		switch err := take(name, d, info.Size()); {
		case errors.Is(err, fs.SkipDir) && !d.IsDir():
			return nil
		case err != nil:
			return err
		case d.IsDir():
			return os.MkdirAll(at, 0o700)
		case !d.Type().IsRegular():
			return nil
		}
		data, err := root.ReadFile(name)
		if err != nil {
			return err
		}
		return os.WriteFile(at, data, 0o600)
	})
}
