package queue

import (
	"net/url"
	"time"
)

// This file is about what River's driver for SQLite, and River on it, get wrong in the version in go.mod.

// mendTimes has every time written in UTC. The driver keeps times as text and compares that text with the present in UTC, but
// writes down when a snoozed job is due in the zone of the machine: east of Greenwich it would be due hours late, west of it
// at once.
func mendTimes(pragmas url.Values) { pragmas.Set("_timezone", "UTC") }

// What has ended is kept for a finite time, and for much longer than it takes River to report an end: it takes the documented
// -1, for ever, for a nanosecond; and where a row is gone when its end is reported, the driver drops all reports that came
// with it, and River panics.
//
// SQLite gives the number of a job that was removed to another. What lasts is therefore named by the number of a run,
// never by that of a job.
const keepEnded = time.Hour
