"""Adds up what a customer wants to buy."""

import os

__all__ = ["total", "LIMIT"]

LIMIT = 100


def total(prices, currency=None):
    """Sum the prices.

    Args:
        prices: what each thing costs

    Raises:
        ValueError: for too many
    """
    if len(prices) > LIMIT:
        raise ValueError(os.environ["SHOP_LIMIT"])
    return sum(prices)
