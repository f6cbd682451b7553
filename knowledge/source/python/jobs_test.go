package python_test

import (
	"context"
	"strings"
	"testing"

	"github.com/causaldocs/causal/knowledge/source/python"
)

func TestJobs(t *testing.T) {
	t.Parallel()
	for name, c := range map[string]struct{ src, want string }{
		"celery": {`from celery import Celery, shared_task
from celery.schedules import crontab
app = Celery("shop")
@shared_task
def clean(): pass
@app.task(bind=True, name="shop.mail")
def mail(self): pass
class Orders:
    @app.task
    def close(): pass
app.conf.beat_schedule = {
    "every night": {"task": "shop.tasks.clean", "schedule": crontab(hour=3, minute=0)},
}
app.conf.update(beat_schedule={"often": {"task": "shop.mail", "schedule": 30.0}})
CELERY_BEAT_SCHEDULE = {"later": {"task": "later"}, **more}
@app.on_after_configure.connect
def setup(sender, **kwargs):
    sender.add_periodic_task(10.0, clean.s("x"), name="every 10")
`, `job clean :clean
job close :Orders.close
job every 10 :clean $10.0
job every night :shop.tasks.clean $crontab(hour=3, minute=0)
job later :later
job often :shop.mail $30.0
job shop.mail :mail`},
		"lists": {`from rq_scheduler import Scheduler
def definitions():
    jobs = [{"func": refresh, "timeout": 600, "interval": 30}, {"func": clean, "interval": timedelta(minutes=1)}, {"func": once}, computed]
    if settings.CHECK:
        jobs.append({"func": check, "interval": timedelta(days=1)})
    others.append({"func": other, "interval": 3})
    return jobs
class Config:
    JOBS = [{"id": "nightly", "func": "shop:night", "trigger": "cron", "hour": 3}]
`, `job check :check $interval=timedelta(days=1)
job clean :clean $interval=timedelta(minutes=1)
job nightly :shop:night $cron hour=3
job refresh :refresh $interval=30`},
		"apscheduler": {`from apscheduler.schedulers.background import BackgroundScheduler
scheduler = BackgroundScheduler()
scheduler.add_job(jobs.sync, "interval", minutes=5, args=[1])
scheduler.add_job(func=beat, trigger=CronTrigger.from_crontab("0 9 * * *"), id="heart", replace_existing=True)
@scheduler.scheduled_job("cron", day_of_week="mon-fri", hour=17)
def report(): pass
def start():
    scheduler.add_job(lambda: 1, "interval", hours=EVERY)
class Jobs:
    def schedule(self, func, trigger):
        return self.scheduler.add_job(func=func, trigger=trigger)
`, `job heart :beat $CronTrigger.from_crontab("0 9 * * *")
job report :report $cron day_of_week=mon-fri hour=17
job start $interval hours=EVERY
job sync :jobs.sync $interval minutes=5`},
		"schedule": {`import schedule
schedule.every(10).minutes.do(sync, 1)
schedule.every().day.at("10:30").do(report)
other.do(sync)
`, "job report :report $every().day.at(\"10:30\")\njob sync :sync $every(10).minutes"},
		"rq, dramatiq, huey": {`import dramatiq
from rq.decorators import job
from huey import crontab
from huey.contrib.djhuey import db_task, periodic_task
from queueing import huey
@job("low", connection=c)
def a(): pass
@dramatiq.actor(actor_name="bee", max_retries=3)
def b(): pass
@periodic_task(crontab(minute="0", hour="3"))
def c(): pass
@db_task()
def d(): pass
@huey.task()
def e(): pass
`, "job a :a\njob bee :b\njob c :c $crontab(minute=\"0\", hour=\"3\")\njob d :d\njob e :e"},
		"own decorator": {`from huey.contrib.djhuey import HUEY as huey
def task(retries=5):
    def deco(fn):
        return huey.task(retries=retries)(fn)
    return deco
def other(f):
    return f
@task()
def load(): pass
@other
def never(): pass
`, "job load :load"},
		"others": {`from fastapi_utils.tasks import repeat_every
from django_q.tasks import schedule
from arq import cron
@app.on_event("startup")
@repeat_every(seconds=60 * 60, wait_first=True)
async def tidy(): pass
schedule("shop.jobs.send", 3, name="send it", schedule_type=Schedule.DAILY)
class WorkerSettings:
    functions = [fetch, store]
    cron_jobs = [cron(nightly, hour={2}, minute=30)]
`, "job fetch :fetch\njob nightly :nightly $hour={2} minute=30\njob send it :shop.jobs.send $Schedule.DAILY\njob store :store\njob tidy :tidy $seconds=60 * 60"},
		"no jobs": {`from invoke import task
import locust
from django.utils import schedule
@task
def build(): pass
@locust.task
def hit(): pass
schedule("x")
beat_schedule = load()
class Settings:
    functions = [a]
`, ""},
	} {
		t.Run(name, func(t *testing.T) {
			t.Parallel()
			if got := strings.TrimSpace(said(python.Language{}.Extract(context.Background(), "p.py", []byte(c.src)))); got != c.want {
				t.Errorf("got:\n%s\nwant:\n%s", got, c.want)
			}
		})
	}
}
