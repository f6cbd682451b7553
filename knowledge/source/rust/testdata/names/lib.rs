//! Names in many positions, for the compiler to resolve.
#![allow(dead_code, unused, non_upper_case_globals)]

pub mod money;
pub mod shapes;

use money::{parse, Amount, LIMIT};
use shapes::{Kind, Kind::Round, Shape as Form};
use std::collections::HashMap;
use std::fmt::{self, Display};

pub const START: usize = LIMIT + money::digits(3);
pub static NAMES: &[&str] = &["a", "b"];

pub struct Basket<T: Display> {
    items: Vec<T>,
    by_name: HashMap<String, Amount>,
}

impl<T: Display> Basket<T> {
    pub const SIZE: usize = START;

    pub fn new(items: Vec<T>) -> Self {
        let by_name = HashMap::new();
        Self { items, by_name }
    }

    pub fn total(&self) -> Amount {
        let mut amount = Amount::default();
        for (index, item) in self.items.iter().enumerate() {
            if let Some(found) = self.by_name.get(&item.to_string()) {
                amount = amount + *found;
            } else if index > LIMIT {
                return self.fallback(index);
            }
        }
        amount
    }

    fn fallback(&self, limit: usize) -> Amount {
        let parse = |text: &str| parse(text).unwrap_or_default();
        let parsed = parse(&format!("{limit}{START:>width$}", width = Self::SIZE));
        match limit {
            START => Amount::default(),
            other if other > START => parsed,
            _ => Self::nothing(),
        }
    }

    fn nothing() -> Amount {
        money::nothing()
    }
}

impl<T> Display for Basket<T>
where
    T: Display,
{
    fn fmt(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
        use money::digits as count;
        const WIDTH: usize = START * 2;
        fn pad(n: usize) -> String {
            " ".repeat(n << 1 | START)
        }
        write!(f, "{}{}", pad(WIDTH), count(self.items.len()))
    }
}

pub fn area(form: &Form, kind: Kind) -> f64 {
    let Form { width, height: other, .. } = form;
    match kind {
        Round => width * other,
        Kind::Square(side) | Kind::Other { side } => side,
        Kind::Nothing => unsafe { shapes::raw::read(&raw const *width) },
    }
}

pub fn largest<'a, I, const N: usize>(forms: I) -> [Option<&'a Form>; N]
where
    I: IntoIterator<Item = &'a Form>,
{
    let mut out = [None; N];
    let mut rest = forms.into_iter();
    'fill: while let Some(form) = { rest.next() } {
        let Some(place) = out.iter_mut().find(|p: &&mut Option<&Form>| p.is_none()) else {
            break 'fill;
        };
        *place = Some(form);
    }
    out
}

macro_rules! both {
    ($a:expr, $b:expr) => {
        $crate::money::add($a, $b)
    };
}

pub fn sum(a: Amount, b: Amount) -> Amount {
    let a = both!(a, b);
    assert!(matches!(a, Amount(n) if n < u64::MAX), "{a:?} {}", LIMIT);
    {
        let a = Amount(1);
        drop(a);
    }
    a
}

pub fn shifted(bit: u64) -> bool {
    1 << bit as u64 <= (START as u64) << bit || <Amount as Default>::default().0 < bit
}

#[cfg(windows)]
fn elsewhere() -> Missing {
    missing()
}

pub mod inner {
    use super::*;

    pub struct Only;

    impl Only {
        pub fn make() -> Self {
            let total: Amount = super::sum(Amount(1), self::one());
            total.check(START);
            Only
        }
    }

    fn one() -> Amount {
        crate::money::nothing()
    }
}
