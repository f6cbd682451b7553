#include "money.h"
#include <stdlib.h>

int money_parse(const char *s, money *out) {
    out->units = atoi(s) * MONEY_SCALE;
    return 0;
}

void money_free(money *m) { free(m); }
