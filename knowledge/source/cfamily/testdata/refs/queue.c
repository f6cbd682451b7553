/* A queue of jobs, with what makes names hard to follow in C. */
struct job;
typedef int (*handler)(struct job *job, void *data);

struct job {
	struct job *next;
	handler run;
	void *data;
	int weight, tries : 3;
};

enum state { IDLE, BUSY = 4, LIMIT = BUSY * 2 };

typedef struct queue {
	struct job *head, *tail;
	enum state state;
	int count;
} queue;

static queue shared = { .state = IDLE, .count = LIMIT };
static const struct { int code; const char *text; } messages[] = { { BUSY, "busy" }, { LIMIT, "limit" } };
static int total, peak = LIMIT;
int (*hook)(queue *q, int total);

#define EACH(job, q) for (struct job *job = (q)->head; job; job = job->next)
#define SWAP(a, b) do { int kept = a; a = b; b = kept; } while (0)

static int weigh(const struct job *job, int total)
{
	return job ? job->weight + total : peak;
}

static int add(queue *q, struct job *job)
{
	int count = q->count, *place = &q->count;

	if (!job)
		goto none;
	if (q->tail)
		q->tail->next = job;
	else
		q->head = job;
	q->tail = job;
	*place = ++count;
	total += weigh(job, total);
	return count > peak ? (peak = count) : peak;
none:
	return hook ? hook(q, total) : -1;
}

static int old(q, job)
	queue *q;
	struct job *job;
{
	return add(q, job);
}

static int each(queue *q, handler run, void *data)
{
	int sum = 0;

	EACH(job, q)
		sum += run(job, data);
	for (int i = 0, n = q->count; i < n; i++) {
		int total = i * n;
		handler other = i ? run : 0;

		switch (q->state) {
		case IDLE:
			sum += total;
			break;
		case BUSY: {
			struct pair { int left, right; } pair = { i, n };
			sum += pair.left * pair.right;
		}
		default:
			continue;
		}
		SWAP(sum, total);
		sum += other ? other(q->head, data) : sum * total;
	}
	while (sum > total)
		sum--;
	return sum + (int)sizeof(struct job) + (int)sizeof(messages) + total;
}

int main(void)
{
	struct job job = { .weight = 1 };
	extern int more(int total);
	int (*adder)(queue *, struct job *) = add;

	(void)messages[0].text;
	return adder(&shared, &job) + old(&shared, &job) + each(&shared, job.run, &total) + more(total);
}
