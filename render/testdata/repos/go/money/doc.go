// Package money is a small library for amounts of money.
//
// Amounts count the smallest unit of a currency, so that sums are exact.
//
// # Currencies
//
// The currency is that of SHOP_CURRENCY. See [Parse].
package money
