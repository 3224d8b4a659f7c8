// What the instructions do [PTX ISA 9.0, section 9.7]. Registers hold 64 bits; an instruction looks at as many as its
// type has.
#include <cmath>
#include <limits>
#include <type_traits>

#include "tests/ptx/machine.hpp"

namespace jostle::ptx {
namespace {

using Action = void (*)(Lane&, const Instruction&);
using Actions = std::map<std::string, Action>;
using I16 = std::int16_t;
using I32 = std::int32_t;
using I64 = std::int64_t;
using U8 = std::uint8_t;
using U16 = std::uint16_t;
using U32 = std::uint32_t;
using U64 = std::uint64_t;

template <class T>
T operand(const Lane& lane, const Instruction& instruction, std::size_t k) {
  return from_bits<T>(lane.get(instruction.operands[k]));
}

template <class T, auto F>
void unary(Lane& lane, const Instruction& i) {
  lane.set(i.results[0], to_bits(F(operand<T>(lane, i, 0))));
}

template <class T, auto F>
void binary(Lane& lane, const Instruction& i) {
  lane.set(i.results[0], to_bits(F(operand<T>(lane, i, 0), operand<T>(lane, i, 1))));
}

template <class T, auto F>
void ternary(Lane& lane, const Instruction& i) {
  lane.set(i.results[0], to_bits(F(operand<T>(lane, i, 0), operand<T>(lane, i, 1), operand<T>(lane, i, 2))));
}

template <class T>
void select(Lane& lane, const Instruction& i) {
  lane.set(i.results[0], to_bits(operand<T>(lane, i, operand<U8>(lane, i, 2) != 0 ? 0 : 1)));
}

template <class To, class From>
void convert(Lane& lane, const Instruction& i) {
  lane.set(i.results[0], to_bits(static_cast<To>(operand<From>(lane, i, 0))));
}

/// Of `count` values, which lie at a multiple of their size: a device insists on that.
template <class T, bool Shared>
U64 address_for(const Lane& lane, const Instruction& i, std::size_t count) {
  const U64 address = lane.get(i.operands[0]) + static_cast<U64>(i.offset) + (Shared ? lane.shared() : 0);
  if (address % (count * sizeof(T)) != 0) throw Fault("a misaligned address: " + i.text);
  return address;
}

// To the nearest that the type has; of a NaN, the least.
template <class To>
void truncate(Lane& lane, const Instruction& i) {
  using Limits = std::numeric_limits<To>;
  const double x = operand<double>(lane, i, 0), beyond = -static_cast<double>(Limits::min());
  const To value = !(x >= -beyond) ? Limits::min() : x >= beyond ? Limits::max() : static_cast<To>(x);
  lane.set(i.results[0], to_bits(value));
}

// Of signed types into a register that may be wider: sign-extended.
template <class T, bool Shared>
void load(Lane& lane, const Instruction& i) {
  const U64 address = address_for<T, Shared>(lane, i, i.results.size());
  for (std::size_t k = 0; k < i.results.size(); ++k) {
    T value;
    std::memcpy(&value, from_bits<const std::byte*>(address) + k * sizeof value, sizeof value);
    if constexpr (std::is_signed_v<T> && std::is_integral_v<T>)
      lane.set(i.results[k], static_cast<U64>(static_cast<I64>(value)));
    else
      lane.set(i.results[k], to_bits(value));
  }
}

template <class T, bool Shared>
void store(Lane& lane, const Instruction& i) {
  const U64 address = address_for<T, Shared>(lane, i, i.operands.size() - 1);
  for (std::size_t k = 1; k < i.operands.size(); ++k) {
    const T value = operand<T>(lane, i, k);
    std::memcpy(from_bits<std::byte*>(address) + (k - 1) * sizeof value, &value, sizeof value);
  }
}

// One lane runs at a time.
void fetch_and_add(Lane& lane, const Instruction& i) {
  U32 before = 0;
  std::byte* const memory = from_bits<std::byte*>(lane.get(i.operands[0]) + static_cast<U64>(i.offset));
  std::memcpy(&before, memory, sizeof before);
  const U32 after = before + operand<U32>(lane, i, 1);
  std::memcpy(memory, &after, sizeof after);
  lane.set(i.results[0], before);
}

// One value to several registers or the other way round.
template <class Whole, class Part>
void split(Lane& lane, const Instruction& i) {
  const Whole whole = operand<Whole>(lane, i, 0);
  for (std::size_t k = 0; k < i.results.size(); ++k)
    lane.set(i.results[k], static_cast<Part>(whole >> (k * 8 * sizeof(Part))));
}

template <class Whole, class Part>
void move(Lane& lane, const Instruction& i) {
  if (i.results.size() > 1) return split<Whole, Part>(lane, i);
  Whole whole = operand<Whole>(lane, i, 0);
  if (i.operands.size() > 1) {
    whole = 0;
    for (std::size_t k = 0; k < i.operands.size(); ++k)
      whole = static_cast<Whole>(whole | static_cast<U64>(operand<Part>(lane, i, k)) << (k * 8 * sizeof(Part)));
  }
  lane.set(i.results[0], to_bits(whole));
}

template <bool Subtract, bool CarryIn, bool CarryOut>
void with_carry(Lane& lane, const Instruction& i) {
  __extension__ using U128 = unsigned __int128;
  const U64 a = operand<U64>(lane, i, 0), b = operand<U64>(lane, i, 1);
  const U128 in = CarryIn && lane.carry ? 1 : 0;
  const U128 sum = Subtract ? static_cast<U128>(a) - b - in : static_cast<U128>(a) + b + in;
  if (CarryOut) lane.carry = (sum >> 64 & 1) != 0;
  lane.set(i.results[0], static_cast<U64>(sum));
}

void permute_bytes(Lane& lane, const Instruction& i) {
  const U64 bytes = operand<U32>(lane, i, 0) | static_cast<U64>(operand<U32>(lane, i, 1)) << 32;
  const U32 selector = operand<U32>(lane, i, 2);
  U32 value = 0;
  for (unsigned k = 0; k < 4; ++k) {
    const unsigned chosen = selector >> (4 * k) & 15;
    U32 byte = static_cast<U32>(bytes >> (8 * (chosen & 7)) & 0xFF);
    if ((chosen & 8) != 0) byte = (byte & 0x80) != 0 ? 0xFF : 0;  // its sign, everywhere
    value |= byte << (8 * k);
  }
  lane.set(i.results[0], value);
}

template <class Word>
void insert_bits(Lane& lane, const Instruction& i) {
  constexpr unsigned width = 8 * sizeof(Word);
  const unsigned position = operand<U32>(lane, i, 2) & 0xFF, length = operand<U32>(lane, i, 3) & 0xFF;
  if (position >= width) return lane.set(i.results[0], operand<Word>(lane, i, 1));
  const Word mask = static_cast<Word>((length >= width ? ~Word{0} : (Word{1} << length) - 1) << position);
  const Word base = operand<Word>(lane, i, 1), inserted = static_cast<Word>(operand<Word>(lane, i, 0) << position);
  lane.set(i.results[0], static_cast<Word>((base & ~mask) | (inserted & mask)));
}

void extract_bits(Lane& lane, const Instruction& i) {
  const unsigned position = operand<U32>(lane, i, 1) & 0xFF, length = operand<U32>(lane, i, 2) & 0xFF;
  const U32 mask = length >= 32 ? 0xFFFFFFFFu : (U32{1} << length) - 1;
  lane.set(i.results[0], position >= 32 ? U32{0} : (operand<U32>(lane, i, 0) >> position) & mask);
}

// By the cache that is not told of writes: right for what nobody writes.
template <class T>
void load_constant(Lane& lane, const Instruction& i) {
  const auto* const from = from_bits<const std::byte*>(lane.get(i.operands[0]) + static_cast<U64>(i.offset));
  if (!lane.is_in_table(from)) throw Fault("what may be written is read as a constant: " + i.text);
  load<T, false>(lane, i);
}

template <class T>
void add_memory(Actions& actions, const std::string& type) {
  for (const char* vector : {"", "v2.", "v4."}) {
    actions[std::string("ld.global.nc.") + vector + type] = load_constant<T>;
    for (const char* space : {"", "local.", "global.", "param."}) {
      actions[std::string("ld.") + space + vector + type] = load<T, false>;
      actions[std::string("st.") + space + vector + type] = store<T, false>;
    }
    actions[std::string("ld.shared.") + vector + type] = load<T, true>;
    actions[std::string("st.shared.") + vector + type] = store<T, true>;
  }
}

template <class T>
void add_comparisons(Actions& actions, const std::string& type) {
  actions["setp.eq." + type] = binary<T, [](T a, T b) { return a == b; }>;
  actions["setp.ne." + type] = binary<T, [](T a, T b) { return a < b || b < a; }>;
  actions["setp.lt." + type] = binary<T, [](T a, T b) { return a < b; }>;
  actions["setp.le." + type] = binary<T, [](T a, T b) { return a <= b; }>;
  actions["setp.gt." + type] = binary<T, [](T a, T b) { return b < a; }>;
  actions["setp.ge." + type] = binary<T, [](T a, T b) { return b <= a; }>;
}

/// What is the same for signed and unsigned words. T is signed or not as the type says.
template <class T>
void add_integers(Actions& actions, const std::string& type) {
  using U = std::make_unsigned_t<T>;
  constexpr T bits = 8 * sizeof(T);
  actions["add." + type] = binary<U, [](U a, U b) { return static_cast<U>(a + b); }>;
  actions["sub." + type] = binary<U, [](U a, U b) { return static_cast<U>(a - b); }>;
  actions["mul.lo." + type] = binary<U, [](U a, U b) { return static_cast<U>(U64{a} * b); }>;
  actions["mad.lo." + type] = ternary<U, [](U a, U b, U c) { return static_cast<U>(U64{a} * b + c); }>;
  actions["neg." + type] = unary<U, [](U a) { return static_cast<U>(~a + 1); }>;
  actions["max." + type] = binary<T, [](T a, T b) { return a < b ? b : a; }>;
  actions["min." + type] = binary<T, [](T a, T b) { return a < b ? a : b; }>;
  actions["div." + type] = binary<T, [](T a, T b) { return static_cast<T>(a / b); }>;
  actions["rem." + type] = binary<T, [](T a, T b) { return static_cast<T>(a % b); }>;
  actions["shr." + type] = [](Lane& lane, const Instruction& i) {
    const T a = operand<T>(lane, i, 0);
    const U32 by = operand<U32>(lane, i, 1);
    lane.set(i.results[0], to_bits(static_cast<T>(by < bits ? a >> by : (a < T(0) ? T(-1) : T(0)))));
  };
  actions["selp." + type] = select<U>;
  add_comparisons<T>(actions, type);
}

template <class U>
void add_bits(Actions& actions, const std::string& type) {
  actions["and." + type] = binary<U, [](U a, U b) { return static_cast<U>(a & b); }>;
  actions["or." + type] = binary<U, [](U a, U b) { return static_cast<U>(a | b); }>;
  actions["xor." + type] = binary<U, [](U a, U b) { return static_cast<U>(a ^ b); }>;
  actions["not." + type] = unary<U, [](U a) { return static_cast<U>(~a); }>;
  actions["shl." + type] = [](Lane& lane, const Instruction& i) {
    const U32 by = operand<U32>(lane, i, 1);
    lane.set(i.results[0], by < 8 * sizeof(U) ? static_cast<U>(operand<U>(lane, i, 0) << by) : U(0));
  };
  actions["shr." + type] = [](Lane& lane, const Instruction& i) {
    const U32 by = operand<U32>(lane, i, 1);
    lane.set(i.results[0], by < 8 * sizeof(U) ? static_cast<U>(operand<U>(lane, i, 0) >> by) : U(0));
  };
  actions["selp." + type] = select<U>;
  actions["setp.eq." + type] = binary<U, [](U a, U b) { return a == b; }>;
  actions["setp.ne." + type] = binary<U, [](U a, U b) { return a != b; }>;
}

template <class To, class From>
void add_wide(Actions& actions, const std::string& type) {
  actions["mul.wide." + type] = binary<From, [](From a, From b) { return static_cast<To>(To{a} * To{b}); }>;
  actions["mad.wide." + type] = [](Lane& lane, const Instruction& i) {
    const To product = To{operand<From>(lane, i, 0)} * To{operand<From>(lane, i, 1)};
    lane.set(i.results[0], to_bits(static_cast<To>(product + operand<To>(lane, i, 2))));
  };
}

template <class From>
void add_conversions(Actions& actions, const std::string& from) {
  actions["cvt.u16." + from] = convert<U16, From>;
  actions["cvt.s16." + from] = convert<I16, From>;
  actions["cvt.u32." + from] = convert<U32, From>;
  actions["cvt.s32." + from] = convert<I32, From>;
  actions["cvt.u64." + from] = convert<U64, From>;
  actions["cvt.s64." + from] = convert<I64, From>;
  actions["cvt.rn.f64." + from] = convert<double, From>;
}

void add_doubles(Actions& actions) {
  using D = double;
  actions["add.rn.f64"] = binary<D, [](D a, D b) { return a + b; }>;
  actions["sub.rn.f64"] = binary<D, [](D a, D b) { return a - b; }>;
  actions["mul.rn.f64"] = binary<D, [](D a, D b) { return a * b; }>;
  actions["div.rn.f64"] = binary<D, [](D a, D b) { return a / b; }>;
  actions["rcp.rn.f64"] = unary<D, [](D a) { return 1 / a; }>;
  actions["sqrt.rn.f64"] = unary<D, [](D a) { return std::sqrt(a); }>;
  actions["fma.rn.f64"] = ternary<D, [](D a, D b, D c) { return std::fma(a, b, c); }>;
  actions["neg.f64"] = unary<D, [](D a) { return -a; }>;
  actions["abs.f64"] = unary<D, [](D a) { return std::fabs(a); }>;
  actions["copysign.f64"] = binary<D, [](D sign, D value) { return std::copysign(value, sign); }>;
  // A number beats a NaN, and -0 is below +0.
  actions["max.f64"] = binary<D, [](D a, D b) { return a != a || a < b || (a == b && std::signbit(a)) ? b : a; }>;
  actions["min.f64"] = binary<D, [](D a, D b) { return a != a || b < a || (a == b && std::signbit(b)) ? b : a; }>;
  actions["selp.f64"] = select<D>;
  actions["cvt.rzi.s32.f64"] = truncate<I32>;
  actions["cvt.rzi.s64.f64"] = truncate<I64>;
  add_comparisons<D>(actions, "f64");  // false with a NaN; those that end in u are true then
  actions["setp.equ.f64"] = binary<D, [](D a, D b) { return !(a < b || b < a); }>;
  actions["setp.neu.f64"] = binary<D, [](D a, D b) { return !(a == b); }>;
  actions["setp.ltu.f64"] = binary<D, [](D a, D b) { return !(b <= a); }>;
  actions["setp.leu.f64"] = binary<D, [](D a, D b) { return !(b < a); }>;
  actions["setp.gtu.f64"] = binary<D, [](D a, D b) { return !(a <= b); }>;
  actions["setp.geu.f64"] = binary<D, [](D a, D b) { return !(a < b); }>;
  actions["setp.num.f64"] = binary<D, [](D a, D b) { return a == a && b == b; }>;
  actions["setp.nan.f64"] = binary<D, [](D a, D b) { return a != a || b != b; }>;
}

void add_control(Actions& actions) {
  const auto nothing = [](Lane&, const Instruction&) {};
  for (const char* meeting :
       {"bar.warp.sync", "bar.sync", "barrier.sync", "shfl.sync.bfly.b32", "shfl.sync.idx.b32", "vote.sync.any.pred"})
    actions[meeting] = nothing;
  actions["bra"] = actions["bra.uni"] = [](Lane& lane, const Instruction& i) { lane.jump(i.target); };
  actions["call"] = actions["call.uni"] = [](Lane& lane, const Instruction& i) { lane.call(i); };
  actions["ret"] = [](Lane& lane, const Instruction&) { lane.end_call(); };
  for (const char* space : {"", ".global"}) actions[std::string("atom") + space + ".add.u32"] = fetch_and_add;
}

/// Words that only carry an address: all spaces but that of a block are the host's memory.
void add_addresses(Actions& actions) {
  for (const char* to : {"cvta.local.u64", "cvta.global.u64", "cvta.to.local.u64", "cvta.to.global.u64",
                         "cvta.param.u64", "cvta.to.param.u64"})
    actions[to] = move<U64, U32>;
  actions["cvta.shared.u64"] = [](Lane& lane, const Instruction& i) {
    lane.set(i.results[0], operand<U64>(lane, i, 0) + lane.shared());
  };
  actions["cvta.to.shared.u64"] = [](Lane& lane, const Instruction& i) {
    lane.set(i.results[0], operand<U64>(lane, i, 0) - lane.shared());
  };
}

void add_moves(Actions& actions) {
  for (const char* type : {"u16", "b16"}) actions[std::string("mov.") + type] = move<U16, U8>;
  for (const char* type : {"u32", "b32"}) actions[std::string("mov.") + type] = move<U32, U16>;
  for (const char* type : {"u64", "b64", "f64"}) actions[std::string("mov.") + type] = move<U64, U32>;
  using P = U8;  // of the lowest byte, 0 or 1
  actions["mov.pred"] = [](Lane& lane, const Instruction& i) { lane.set(i.results[0], operand<U64>(lane, i, 0) != 0); };
  actions["and.pred"] = binary<P, [](P a, P b) { return a != 0 && b != 0; }>;
  actions["or.pred"] = binary<P, [](P a, P b) { return a != 0 || b != 0; }>;
  actions["xor.pred"] = binary<P, [](P a, P b) { return (a != 0) != (b != 0); }>;
  actions["not.pred"] = unary<P, [](P a) { return a == 0; }>;
}

Actions all_actions() {
  Actions actions;
  add_memory<U8>(actions, "u8"), add_memory<U8>(actions, "b8"), add_memory<std::int8_t>(actions, "s8");
  add_memory<U16>(actions, "u16"), add_memory<U16>(actions, "b16"), add_memory<I16>(actions, "s16");
  add_memory<U32>(actions, "u32"), add_memory<U32>(actions, "b32"), add_memory<I32>(actions, "s32");
  add_memory<U64>(actions, "u64"), add_memory<U64>(actions, "b64"), add_memory<I64>(actions, "s64");
  add_memory<double>(actions, "f64");
  add_integers<I16>(actions, "s16"), add_integers<I32>(actions, "s32"), add_integers<I64>(actions, "s64");
  add_integers<U16>(actions, "u16"), add_integers<U32>(actions, "u32"), add_integers<U64>(actions, "u64");
  add_bits<U16>(actions, "b16"), add_bits<U32>(actions, "b32"), add_bits<U64>(actions, "b64");
  add_wide<U32, U16>(actions, "u16"), add_wide<I32, I16>(actions, "s16");
  add_wide<U64, U32>(actions, "u32"), add_wide<I64, I32>(actions, "s32");
  add_conversions<std::int8_t>(actions, "s8"), add_conversions<U8>(actions, "u8");
  add_conversions<I16>(actions, "s16"), add_conversions<U16>(actions, "u16");
  add_conversions<I32>(actions, "s32"), add_conversions<U32>(actions, "u32");
  add_conversions<I64>(actions, "s64"), add_conversions<U64>(actions, "u64");
  __extension__ using U128 = unsigned __int128;
  actions["mul.hi.s16"] = binary<I16, [](I16 a, I16 b) { return static_cast<I16>(I32{a} * b >> 16); }>;
  actions["mul.hi.s32"] = binary<I32, [](I32 a, I32 b) { return static_cast<I32>(I64{a} * b >> 32); }>;
  actions["mul.hi.u32"] = binary<U32, [](U32 a, U32 b) { return static_cast<U32>(U64{a} * b >> 32); }>;
  actions["mul.hi.u64"] = binary<U64, [](U64 a, U64 b) { return static_cast<U64>(U128{a} * b >> 64); }>;
  for (const char* type : {"s64", "u64"}) {
    actions[std::string("add.cc.") + type] = with_carry<false, false, true>;
    actions[std::string("addc.cc.") + type] = with_carry<false, true, true>;
    actions[std::string("addc.") + type] = with_carry<false, true, false>;
    actions[std::string("sub.cc.") + type] = with_carry<true, false, true>;
    actions[std::string("subc.cc.") + type] = with_carry<true, true, true>;
    actions[std::string("subc.") + type] = with_carry<true, true, false>;
  }
  actions["prmt.b32"] = permute_bytes;
  actions["bfi.b32"] = insert_bits<U32>;
  actions["bfi.b64"] = insert_bits<U64>;
  actions["bfe.u32"] = extract_bits;
  actions["shf.l.wrap.b32"] = ternary<U32, [](U32 low, U32 high, U32 by) {
    return static_cast<U32>(((U64{high} << 32 | low) << (by & 31)) >> 32);
  }>;
  add_doubles(actions), add_control(actions), add_addresses(actions), add_moves(actions);
  return actions;
}

}  // namespace

void (*action_of(const std::string& name))(Lane&, const Instruction&) {
  static const Actions actions = all_actions();
  const auto found = actions.find(name);
  if (found == actions.end()) throw Fault("unknown instruction " + name);
  return found->second;
}

Meeting meeting_of(const std::string& name) {
  static const std::map<std::string, Meeting> meetings = {
      {"bar.warp.sync", Meeting::warp_barrier},      {"shfl.sync.bfly.b32", Meeting::shuffle_xor},
      {"shfl.sync.idx.b32", Meeting::shuffle_index}, {"vote.sync.any.pred", Meeting::vote_any},
      {"bar.sync", Meeting::block_barrier},          {"barrier.sync", Meeting::block_barrier}};
  const auto found = meetings.find(name);
  return found != meetings.end() ? found->second : Meeting::none;
}

Rounded rounded_of(const std::string& name) {
  if (name == "div.rn.f64") return Rounded::quotient;
  if (name == "sqrt.rn.f64") return Rounded::root;
  return name == "rcp.rn.f64" ? Rounded::reciprocal : Rounded::no;
}

Access access_of(const std::string& name) {
  if (!name.starts_with("ld.") && !name.starts_with("st.") && !name.starts_with("atom.")) return Access::none;
  static const std::pair<const char*, Access> spaces[] = {{".local.", Access::local},
                                                          {".shared.", Access::shared},
                                                          {".global.", Access::global},
                                                          {".param.", Access::none}};
  for (const auto& [space, access] : spaces)
    if (name.find(space) != std::string::npos) return access;
  return Access::generic;
}

}  // namespace jostle::ptx
