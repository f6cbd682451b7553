package ecma

import (
	"context"
	"testing"

	"github.com/causaldocs/causal/knowledge/source"
)

func TestJobs(t *testing.T) {
	t.Parallel()
	for name, c := range map[string]struct{ src, want string }{
		"nest": {`export class Tasks {
  @Cron('0 * * * *') hourly() {}
  @Cron(CronExpression.EVERY_DAY, { name: 'daily' }) run() {}
  @Interval('telemetry', 24 * 60) send() {}
  @Interval(1000) tick() {}
  other() {}
}
@Processor('mails') export class Mails extends WorkerHost { async process(job) {} }
@Processor(QUEUE) class Audio { @Process('transcode') one() {}  @Process({ name: NAME, concurrency: 2 }) two() {} }
`, "job daily :Tasks.run $CronExpression.EVERY_DAY\njob hourly :Tasks.hourly $0 * * * *\njob mails :Mails\njob telemetry :Tasks.send $24 * 60\n" +
			"job tick :Tasks.tick $1000\njob transcode :Audio.one\njob two :Audio.two"},
		"libraries": {`import { Worker } from 'bullmq'
import cron from 'node-cron'
import { CronJob } from 'cron'
const Queue = require('bull')
new Worker('mails', async (job) => {}, { connection })
new Worker('images', resize)
cron.schedule('*/5 * * * *', clean)
new CronJob('0 0 * * *', () => { a(); b() }, null, true)
new CronJob('valid', () => {})
const visits = new Queue('visit', { redis })
visits.process(6, track); visits.process('other', 2, (job) => {})
client.process(x)
`, "job * $0 0 * * *\njob clean :clean $*/5 * * * *\njob images :resize\njob mails\njob other\njob visit :track"},
		"a name before the schedule": {"const s = require('node-schedule')\ns.scheduleJob('weather', '0 */15 * * *', async () => {})\ns.scheduleJob('0 1 * * *', clean)\n",
			"job clean :clean $0 1 * * *\njob weather $0 */15 * * *"},
		"several in one function": {`import schedule from 'node-schedule'
export const startJobs = () => {
  all.push({ id: 'scan', name: 'Full Scan', job: schedule.scheduleJob(jobs.scan, () => { logger.info('scan'); scanner.run() }) })
  all.push({ id: 'sync', job: schedule.scheduleJob('1 * * * *', () => { a(); b() }) })
  schedule.scheduleJob('2 * * * *', () => { console.log('x'); cache.clear() })
  schedule.scheduleJob('3 * * * *', () => { a(); b() })
  schedule.scheduleJob('4 * * * *', () => { b(); a() })
}
function startOne() { schedule.scheduleJob('5 * * * *', () => { a(); b() }) }
`, "job * $3 * * * *\njob Full Scan :scanner.run $jobs.scan\njob clear :cache.clear $2 * * * *\njob startOne $5 * * * *\njob sync $1 * * * *"},
		"a copy of a library": {"const cron = require('../libs/nodeCron')\ncron.schedule('30 0 * * *', this.clean.bind(this))\n", "job clean :this.clean $30 0 * * *"},
		"timers": {`import fastify from 'fastify'
async function start() {
  setInterval(() => clearInvites.bind(server)(), config.interval * 1000)
  setInterval(prune, 60000).unref()
}
function stream() { setInterval(poll, 10) }
start()
`, "job clearInvites :clearInvites $config.interval * 1000 ms\njob prune :prune $60000 ms"},
		"a table": {`import Cron from 'croner'
const jobs = [{ name: 'clear', interval: '14 3 * * *', run: clearOld }, { name: 'vacuum', interval: '* * * * *', run: vacuum }]
for (const job of jobs) { job.it = new Cron(job.interval, { name: job.name, timezone }, job.run) }
`, "job clear :clearOld $14 3 * * *\njob vacuum :vacuum $* * * * *"},
		"a scheduler of the project": {`schedulerService.schedule(tokens.clean.bind(tokens), hours(12), 'cleanTokens')
this.scheduler.schedule(async () => { await tokens.fetch() }, 1000)
scheduler.schedule('0 1 * * *', clean)
calendar.schedule(meeting, room)
`, "job clean :clean $0 1 * * *\njob cleanTokens :tokens.clean $hours(12)\njob fetch :tokens.fetch $1000"},
		"subclasses": {`export default class CleanUp extends CronTask {
  async perform() {}
  get cron() { return { interval: TaskInterval.Hour, partition: 1 } }
}
class Report extends CronJob { schedule = '0 1 * * *'; run() {} }
class Other extends BaseTask { run() {} }
`, "job CleanUp :CleanUp $TaskInterval.Hour\njob Report :Report $0 1 * * *"},
		"timers of browsers": {"const app = 'express'\nsetInterval(() => tick(document.body), 1000)\n", ""},
		"others":             {"new Worker('./file.js'); cron.schedule('x', y)\n", ""},
	} {
		t.Run(name, func(t *testing.T) {
			t.Parallel()
			f := languageOf("a.ts").Extract(context.Background(), "a.ts", []byte(c.src))
			f.Facts = withKind(f.Facts, source.Job)
			if got := said(f); got != c.want {
				t.Errorf("got:\n%s\nwant:\n%s", got, c.want)
			}
		})
	}
}

func withKind(facts []source.Fact, kind source.FactKind) (out []source.Fact) {
	for _, f := range facts {
		if f.Kind == kind {
			out = append(out, f)
		}
	}
	return out
}
