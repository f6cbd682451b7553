use std::ops::Add;

pub const LIMIT: usize = 12;

#[derive(Clone, Copy, Debug, Default, PartialEq)]
pub struct Amount(pub u64);

impl Amount {
    pub fn check(&self, limit: usize) -> bool {
        let Amount(value) = *self;
        value as usize <= limit.min(LIMIT)
    }
}

impl Add for Amount {
    type Output = Self;

    fn add(self, other: Self) -> Self::Output {
        let Self(a) = self;
        add(Self(a), other)
    }
}

pub fn add(a: Amount, b: Amount) -> Amount {
    Amount(a.0 + b.0)
}

pub fn parse(text: &str) -> Result<Amount, std::num::ParseIntError> {
    text.parse().map(Amount)
}

pub const fn digits(n: usize) -> usize {
    if n < 10 { 1 } else { 1 + digits(n / 10) }
}

pub fn nothing() -> Amount {
    Amount::default()
}

impl<'a> From<&'a Amount> for u64 {
    fn from(amount: &'a Amount) -> u64 {
        amount.0
    }
}
