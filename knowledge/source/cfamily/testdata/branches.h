#ifndef BRANCHES_H
#define BRANCHES_H
#ifdef __cplusplus
extern "C" {
#endif

/* Which of the two it is depends. */
#if defined(WIDE)
long measure(const char *text,
#else
int measure(const char *text,
#endif
            int flags);

#ifdef NESTED
static inline int deep(int a) {
  if (a) {
#endif
    struct probe { int x; };
#ifdef NESTED
  }
  return a;
}
#endif

#if 0
this isn't C, and nobody minds {{{
#else
extern int counted;
#endif

#define PAIR(a, b) { (a), \
                     (b) } /**< Two of them. */
#define LONG_ONE "0123456789012345678901234567890123456789012345678901234567890123456789012345678901234567890"

/// Old.
/// @deprecated use measure
int gauge(void);

G_BEGIN_DECLS
LUA_API int (lua_gettop) (lua_State *L);
typedef int (WINAPI *callback)(void);
int (*table[2])(int), plain;
struct packet { unsigned kind : 4, : 0, rest : 4; } __attribute__((packed));
int last __attribute__((unused));
G_END_DECLS

#ifdef __cplusplus
}
#endif
#endif
