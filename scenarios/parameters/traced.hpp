#pragma once
// Arithmetic that is noted instead of done. Formulas over Traced numbers become programs (compile.hpp), which any team
// can run for its own system; where all numbers are known they are computed at once, by the same functions.
#include <Eigen/Core>
#include <memory>

#include "core/expression/program.hpp"
#include "core/math/arc_tangent.hpp"
#include "core/math/rotation.hpp"
#include "scenarios/model/number.hpp"

namespace jostle {

class Traced {
 public:
  /// An operation on other numbers, or (with a `number`) a program of the scenario.
  struct Node;

  Traced(double value = 0) : value_(value) {}  // NOLINT(google-explicit-constructor): a number is a traced number
  /// The variable of this index.
  static Traced variable(int index);
  /// A number that depends on variables; it must outlive what is traced.
  static Traced program(const Number& number);
  static Traced apply(Op op, const Traced& a);
  static Traced apply(Op op, const Traced& a, const Traced& b);

  bool is_known() const { return !node_; }
  double value() const { return value_; }  ///< if known
  const Node* node() const { return node_.get(); }

  Traced& operator+=(const Traced& other);
  Traced& operator*=(const Traced& other);
  Traced& operator/=(const Traced& other);

 private:
  explicit Traced(Node node);
  bool is(double number) const;

  double value_ = 0;
  std::shared_ptr<const Node> node_;
};

struct Traced::Node {
  Op op;
  Traced a, b;
  int index = 0;                   ///< of a variable
  const Number* number = nullptr;  ///< a program
};

inline Traced operator-(const Traced& a) { return Traced::apply(Op::negate, a); }
inline Traced operator+(const Traced& a, const Traced& b) { return Traced::apply(Op::add, a, b); }
inline Traced operator-(const Traced& a, const Traced& b) { return Traced::apply(Op::subtract, a, b); }
inline Traced operator*(const Traced& a, const Traced& b) { return Traced::apply(Op::multiply, a, b); }
inline Traced operator/(const Traced& a, const Traced& b) { return Traced::apply(Op::divide, a, b); }
inline Traced sqrt(const Traced& x) { return Traced::apply(Op::sqrt, x); }
inline Traced fabs(const Traced& x) { return Traced::apply(Op::abs, x); }
inline Traced larger(const Traced& a, const Traced& b) { return Traced::apply(Op::max, a, b); }
inline Traced smaller(const Traced& a, const Traced& b) { return Traced::apply(Op::min, a, b); }
inline Traced sinc(const Traced& x) { return Traced::apply(Op::sinc, x); }
inline Traced cosine(const Traced& x) { return Traced::apply(Op::cos, x); }
inline Traced arc_tangent(const Traced& y, const Traced& x) { return Traced::apply(Op::atan2, y, x); }
inline void sine_cosine(const Traced& x, Traced& sine, Traced& cosine) {
  sine = Traced::apply(Op::sin, x);
  cosine = Traced::apply(Op::cos, x);
}

// Truth values are 1 and 0. What compares with NaN does not hold.
inline Traced operator<(const Traced& a, const Traced& b) { return Traced::apply(Op::less, a, b); }
inline Traced operator<=(const Traced& a, const Traced& b) { return Traced::apply(Op::less_equal, a, b); }
inline Traced operator>(const Traced& a, const Traced& b) { return Traced::apply(Op::greater, a, b); }
inline Traced operator>=(const Traced& a, const Traced& b) { return Traced::apply(Op::greater_equal, a, b); }
inline Traced operator==(const Traced& a, const Traced& b) { return Traced::apply(Op::equal, a, b); }
inline Traced operator!(const Traced& a) { return Traced::apply(Op::logical_not, a); }
inline Traced both(const Traced& a, const Traced& b) { return Traced::apply(Op::logical_and, a, b); }
inline Traced either(const Traced& a, const Traced& b) { return Traced::apply(Op::logical_or, a, b); }
inline Traced is_finite(const Traced& x) { return x - x == 0; }  // NOLINT(misc-redundant-expression): not for inf
/// `value` where `holds`, else 0.
inline Traced where(const Traced& holds, const Traced& value) { return Traced::apply(Op::where, holds, value); }

using TracedVec3 = Vec3Of<Traced>;
using TracedMat3 = Mat3Of<Traced>;
using TracedQuaternion = QuaternionOf<Traced>;

TracedVec3 where(const Traced& holds, const TracedVec3& value);
Vec3 value_of(const TracedVec3& known);
Mat3 value_of(const TracedMat3& known);
Quaternion value_of(const TracedQuaternion& known);

}  // namespace jostle

template <>
struct Eigen::NumTraits<jostle::Traced> : Eigen::NumTraits<double> {
  using Real = jostle::Traced;
  using NonInteger = jostle::Traced;
  using Nested = jostle::Traced;
  using Literal = double;
  enum { RequireInitialization = 1 };  // NOLINT(readability-identifier-naming): Eigen's name
};
