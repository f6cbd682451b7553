package queue

import (
	"net/url"
	"time"
)

// Workarounds for bugs of River and its SQLite driver, in the version in go.mod.

// mendTimes makes the driver write all times in UTC. It stores times as text and compares them with the time in UTC,
// but writes the due time of snoozed jobs in local time.
func mendTimes(pragmas url.Values) { pragmas.Set("_timezone", "UTC") }

// keepEnded is how long River keeps ended jobs. It must be finite, since River takes the documented -1 (forever) for a
// nanosecond. It must also be much longer than River takes to report an end: if a row is gone by then, the driver drops
// all reports of the batch and River panics.
//
// SQLite reuses the IDs of deleted jobs, so lasting references use run IDs.
const keepEnded = time.Hour
