// Shapes, with what makes names hard to follow in C++.
namespace geo {

int scale = 2;
int twice(int x) { return x * scale; }

class Base {
public:
	virtual ~Base() {}
	int id() const { return id_; }
protected:
	int id_ = twice(1);
};

struct Point {
	int x = 0, y = 0;
	Point moved(int dx, int dy) const { return Point{x + dx, y + dy}; }
	int sum() const { return x + y + total(); }
	static int total() { return count; }
	static int count;
};

int Point::count = twice(scale);

class Shape : public Base {
public:
	explicit Shape(int size) : size_(size), origin_{size, scale} {}
	int area(int factor) const;
	int label() const { return id() + id_ + size_; }
private:
	int size_;
	Point origin_;
};

int Shape::area(int factor) const {
	auto add = [this, factor](int more) { int size_ = more; return size_ + this->size_ + factor + twice(more); };
	int sizes[] = {1, 2, scale};
	for (int size : sizes) {
		factor += size;
	}
	if (int width = origin_.sum(); width > factor) {
		return add(width);
	}
	return Point::total() + origin_.moved(factor, scale).x;
}

template <typename T, int N>
T largest(const T (&list)[N]) {
	T best = list[0];
	for (int i = 1; i < N; i++) {
		if (best < list[i]) {
			best = list[i];
		}
	}
	return best;
}

namespace {
int hidden(const Point &p) { return p.sum() + scale; }
}  // namespace

}  // namespace geo

using geo::Point;

int measure(Point *point) {
	int list[] = {geo::twice(3), geo::scale};
	struct Local {
		int seen;
		int see(int more) { return seen + more + geo::scale; }
	} local = {1};
	try {
		return geo::largest(list) + geo::hidden(*point) + local.see(2);
	} catch (const int &scale) {
		return scale;
	}
}
