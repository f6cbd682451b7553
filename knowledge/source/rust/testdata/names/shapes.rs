use std::marker::PhantomData;

pub trait Measure<Unit = super::money::Amount> {
    type Out: Into<f64>;
    const FACTOR: f64 = DEFAULT;

    fn measure(&self) -> Self::Out;

    fn scaled(&self, by: f64) -> f64 {
        self.measure().into() * by * Self::FACTOR
    }
}

const DEFAULT: f64 = 1.0;

pub struct Shape {
    pub width: f64,
    pub height: f64,
    pub(crate) kind: Kind,
    marker: PhantomData<fn(Kind) -> Box<dyn AsRef<Shape> + Send>>,
}

#[derive(Clone, Copy)]
pub enum Kind {
    Round,
    Square(f64),
    Other { side: f64 },
    Nothing,
}

impl Measure for Shape {
    type Out = f64;

    fn measure(&self) -> Self::Out {
        let Self { width, height, kind, .. } = self;
        let each = |kind: &Kind| match kind {
            Kind::Round => width * height,
            Kind::Square(DEFAULT..=2.0) => DEFAULT,
            Kind::Square(side) | Kind::Other { side } => *side,
            Kind::Nothing => {
                struct Local<'a>(&'a f64);
                impl Local<'_> {
                    fn get(&self) -> f64 {
                        *self.0 + DEFAULT
                    }
                }
                Local(width).get()
            }
        };
        each(kind) + self.scaled(DEFAULT)
    }
}

pub mod raw {
    /// # Safety
    ///
    /// The pointer must be valid.
    pub unsafe fn read(at: *const f64) -> f64 {
        unsafe { core::ptr::read::<f64>(at) }
    }
}

impl<T> Measure<T> for Vec<Shape>
where
    T: Sized,
{
    type Out = f64;

    fn measure(&self) -> f64 {
        self.iter().map(<Shape as Measure>::measure).sum()
    }
}
