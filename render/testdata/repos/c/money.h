#ifndef MONEY_H
#define MONEY_H
#include <stdint.h>
#include <openssl/ssl.h>

/** Small units in a large one. */
#define MONEY_SCALE 100

/** An amount. */
typedef struct money {
    int64_t units;
    char currency[4];
} money;

typedef void (*money_callback)(money *m, void *data);

/**
 * Reads an amount.
 * @param s the text
 * @return 0 when it is one
 */
int money_parse(const char *s, money *out);

void money_free(money *m);
#endif
