package golang_test

import (
	"strings"
	"testing"

	"github.com/causaldocs/causal/knowledge/source"
)

func TestJobs(t *testing.T) {
	t.Parallel()
	for call, want := range map[string]string{
		`c.AddFunc("@every 1h", s.clean)`:                               "clean (@every 1h): Svc.clean",
		`c.AddFunc(s.cfg.Spec, func() { sync(1) })`:                     "sync (s.cfg.Spec): sync",
		`c.AddFunc("0 3 * * *", func() { x := 1; sync(x) })`:            "Svc.start (0 3 * * *): ",
		`c.AddJob("@daily", &Report{})`:                                 "Report (@daily): Report",
		`cron.Schedule("CRON_TZ=UTC 0 3 * * *", s.clean)`:               "clean (CRON_TZ=UTC 0 3 * * *): Svc.clean",
		`cron.Schedule("0 * * * *", func() { checkAt(time.Now()) })`:    "checkAt (0 * * * *): checkAt",
		`meetings.Schedule("with a friend", s.clean)`:                   "",
		`names.AddFunc("upper", strings.ToUpper)`:                       "",
		`river.AddWorker(workers, &SortWorker{})`:                       "SortWorker (): SortWorker",
		`sch.NewJob(gocron.DurationJob(10), gocron.NewTask(s.poll, 1))`: "poll (gocron.DurationJob(10)): Svc.poll",
		`cr.Every(5).Minutes().Do(s.sync)`:                              "sync (Every(5).Minutes()): Svc.sync",
		`cr.Cron("0 3 * * *").Do(func() { clean(1) })`:                  "clean (Cron(\"0 3 * * *\")): clean",
		`once.Do(s.start)`:                                              "",
		`s.queue.DispatchEvery(s.count, 12*time.Hour)`:                  "count (12*time.Hour): Svc.count",
	} {
		var got []string
		for _, f := range extract(t, "p.go", "package p\n// with cron\nfunc (s *Svc) start() {\n\t"+call+"\n}\n").Facts {
			if f.Kind == source.Job {
				got = append(got, f.Name+" ("+f.Usage+"): "+f.Value)
			}
		}
		if got := strings.Join(got, "\n"); got != want {
			t.Errorf("%s: got %q, want %q", call, got, want)
		}
	}
}
