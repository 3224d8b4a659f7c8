#pragma once
// What an outcome can observe, and how its values over the steps become one number.
#include <cstdint>

namespace jostle {

/// A number that can be read from a system's state.
struct Quantity {
  enum class Kind : std::uint8_t {
    position,  ///< of the origin of the body's frame, m, world
    velocity,  ///< of that origin, m/s, world
    spin,      ///< rad/s, world
    axis_x,
    axis_y,
    axis_z,            ///< world components of the body's axes
    angle,             ///< planar body, rad, unwrapped
    normal_impulse,    ///< N s, sum over the contacts of the last step
    normal_force,      ///< N, the same without impacts, mean of the last step
    friction_impulse,  ///< N s, sum of the contacts' tangential magnitudes in the last step
    contacts,          ///< number of contacts with a positive normal impulse in the last step
    kinetic_energy,    ///< J, of one body
    gap,               ///< m, least signed distance between the shapes of two bodies
    energy,            ///< J, kinetic and potential, of all bodies and springs
    time,              ///< s
    held,              ///< steps so far in which a jam was held
    energy_gained,     ///< J, of all steps so far, beyond the work of forces
    energy_gain_max,   ///< J, the most of a step so far
    pointedness,      ///< how far the friction cones of the last computed step are from one that is not pointed; 0 to 1
    joint_position,   ///< since the start; of a revolute joint rad, unwrapped, of a prismatic one m
    joint_speed,      ///< rad/s or m/s
    joint_impulse,    ///< N m s or N s, of friction, motor and limits in the last step, along the free axis
    joint_effort,     ///< N m or N, the same without impacts, mean of the last step
    joint_impact,     ///< N m s or N s, what of joint_impulse is of impacts
    joint_reaction,   ///< N s, magnitude of joint_force
    joint_force,      ///< N s, world: what the equations of a joint have given its second body in the last step
    reaction_impact,  ///< N s, world: what of joint_force is of impacts
    joint_moment,     ///< N m s, world: its moment about the joint's point there
    spring_length,    ///< m
    spring_force,     ///< N, positive if it pulls
    spring_energy,    ///< J
    given_impulse,    ///< N s, world, of a body with prescribed motion: on all others in the last step
    given_force,      ///< N, world: the same without impacts, mean of the last step
    given_impact,     ///< N s, world: what of given_impulse is of impacts
    contact_force,    ///< N, world: of all contacts of a body on it, mean of the last step without impacts
    contact_torque,   ///< N m, world: the same about its centre of mass
    contact_impact,   ///< N s, world: of all contacts of a body on it in impacts of the last step
    resting_face,     ///< the number of the face of a hull that looks most along gravity
  };
  Kind kind = Kind::time;
  int body = 0;       ///< also the first body of a gap, a joint, or a spring
  int other = 0;      ///< second body of a gap; the shape of a resting face
  int component = 0;  ///< 0, 1, 2 for x, y, z

  /// Whether it is of the motion of one body, as a force may use it.
  bool is_of_motion() const { return kind <= Kind::angle; }
  /// Whether it is of the motion of a joint, as a force may use it, too.
  bool is_of_joint_motion() const { return kind == Kind::joint_position || kind == Kind::joint_speed; }
  /// Whether it is read from the impulses of joints as vectors.
  bool is_of_joint_wrench() const {
    return kind == Kind::joint_reaction || kind == Kind::joint_force || kind == Kind::reaction_impact ||
           kind == Kind::joint_moment;
  }
  /// Whether it is read from the impulses of contacts as vectors.
  bool is_of_contact_wrench() const {
    return kind == Kind::contact_force || kind == Kind::contact_torque || kind == Kind::contact_impact;
  }
  /// Whether it tells impulses of impacts and of motions apart.
  bool is_of_impacts() const {
    return is_of_contact_wrench() || kind == Kind::normal_force || kind == Kind::joint_effort ||
           kind == Kind::joint_impact || kind == Kind::reaction_impact || kind == Kind::given_force ||
           kind == Kind::given_impact;
  }
  /// Whether it is read from the contact tallies of a body.
  bool is_of_contacts() const {
    return kind == Kind::normal_impulse || kind == Kind::normal_force || kind == Kind::friction_impulse ||
           kind == Kind::contacts;
  }
};

enum class Reducer : std::uint8_t { at_end, minimum, maximum, first_time, mean, at_first };

}  // namespace jostle
