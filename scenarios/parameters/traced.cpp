#include "scenarios/parameters/traced.hpp"

#include "core/expression/evaluate.hpp"

namespace jostle {

Traced::Traced(Node node) : node_(std::make_shared<const Node>(std::move(node))) {}

Traced Traced::variable(int index) { return Traced(Node{Op::variable, {}, {}, index, nullptr}); }

Traced Traced::program(const Number& number) {
  if (number.code.size() == 1 && number.code[0].op == Op::variable) return variable(number.code[0].index);
  return Traced(Node{Op::constant, {}, {}, 0, &number});
}

Traced Traced::apply(Op op, const Traced& a) {
  if (a.is_known()) return detail::apply(op, a.value_);
  return Traced(Node{op, a, {}, 0, nullptr});
}

bool Traced::is(double number) const { return is_known() && value_ == number; }

// What is left out changes no bit of a result.
Traced Traced::apply(Op op, const Traced& a, const Traced& b) {
  if (a.is_known() && b.is_known()) return detail::apply(op, a.value_, b.value_);
  if (op == Op::multiply && a.is(1)) return b;
  if ((op == Op::multiply || op == Op::divide) && b.is(1)) return a;
  if (op == Op::logical_and && (a.is(0) || b.is(0))) return 0;
  if (op == Op::logical_and && a.is_known()) return b;
  if (op == Op::logical_and && b.is_known()) return a;
  if (op == Op::where && a.is_known()) return a.is(0) ? Traced(0) : b;
  return Traced(Node{op, a, b, 0, nullptr});
}

Traced& Traced::operator+=(const Traced& other) { return *this = *this + other; }
Traced& Traced::operator*=(const Traced& other) { return *this = *this * other; }
Traced& Traced::operator/=(const Traced& other) { return *this = *this / other; }

TracedVec3 where(const Traced& holds, const TracedVec3& value) {
  return {where(holds, value[0]), where(holds, value[1]), where(holds, value[2])};
}

Vec3 value_of(const TracedVec3& known) { return {known[0].value(), known[1].value(), known[2].value()}; }

Mat3 value_of(const TracedMat3& known) {
  Mat3 values;
  for (int i = 0; i < 3; ++i)
    for (int j = 0; j < 3; ++j) values(i, j) = known(i, j).value();
  return values;
}

Quaternion value_of(const TracedQuaternion& known) {
  return {known.w.value(), known.x.value(), known.y.value(), known.z.value()};
}

}  // namespace jostle
