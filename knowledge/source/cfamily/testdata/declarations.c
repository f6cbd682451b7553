/** @file a.c
 * The sample. */
#include <stdio.h>
#include "b.h"
#define MAX 10
#define SQ(x) ((x) * (x)) /**< squares */

/* Adds two
 * numbers. */
int add(int a, int b)
{
	if (getenv("HOME")) exit(2);
	return a + b;
}
static int hid(const char *s, ...);
static int hid(const char *s, ...) { return *s; }
typedef struct { int x; unsigned y : 3; union { int a; float b; } u; int (*cb)(void *, int); } Foo, *FooP;
struct bar { struct baz *next; struct inner { int q; } in; TAILQ_ENTRY(bar) link; };
typedef int (*fn_t)(int), other_t;
enum { A = 1, B };
enum color { RED, GREEN = 5, } ;
const char *names[] = { "a", "b" }, *z = 0;
static const double PI = 3.14;
#ifdef X
int f(int a) {
#else
int f(long a) {
#endif
	return 0;
}
PyAPI_FUNC(int) PyFoo(void);
EXPORT_API int *g(void) __attribute__((deprecated("old")));
MODULE_LICENSE("GPL");
DECLARE_THING(x)
int after_macro;
int old(argc, argv) int argc; char **argv; { return 1; }
void (*signal(int sig, void (*func)(int)))(int);
int main(void) { return 3; }
struct foo *mk(struct foo *a, int) { }
