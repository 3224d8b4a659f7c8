#pragma once
// What ties bodies to each other and to the world: joints and springs.
#include <string>

#include "core/model/model.hpp"
#include "scenarios/model/number.hpp"

namespace jostle {

/// What a joint or spring ties: two bodies, or a body and the world.
struct JointSides {
  std::string names[2];
  int bodies[2] = {world_body, world_body};
};

/// One point or two, world, at the start.
struct JointPoints {
  int count = 0;        ///< 0: not given
  Number points[2][3];  ///< m
};

struct MotorSpec {
  bool given = false;
  Number speed;  ///< rad/s or m/s, may use t
  Number limit;  ///< N m or N
};

/// Bounds of a speed, either of which may be absent.
struct SpeedLimits {
  bool has[2] = {false, false};  ///< lower, upper
  Number bounds[2];              ///< rad/s or m/s

  bool given() const { return has[0] || has[1]; }
};

struct JointSpec {
  std::string name;
  JointType type = JointType::ball;
  JointSides sides;
  JointPoints at;
  bool has_axis = false, has_length = false, has_limits = false;  ///< given
  Number axis[3];                                                 ///< world, at the start
  Number length;                                                  ///< m
  Number friction;                                                ///< N m or N; of a ball joint about every axis
  Number limits[2];                                               ///< rad or m
  Number restitution;
  MotorSpec motor;
  Number stiffness;  ///< N m/rad or N/m
  bool has_rest = false;
  Number rest;      ///< rad or m
  Number damping;   ///< N m s/rad or N s/m
  Number armature;  ///< kg m^2 or kg
  SpeedLimits speed_limits;
  Location where;

  bool has_spring() const { return !is_zero(stiffness) || !is_zero(damping); }
  bool has_coordinate() const { return type == JointType::revolute || type == JointType::prismatic; }
  bool has_friction() const { return !is_zero(friction); }
  bool has_ball_friction() const { return type == JointType::ball && has_friction(); }
};

struct SpringSpec {
  std::string name;
  JointSides sides;
  JointPoints at;
  Number stiffness;  ///< N/m
  Number damping;    ///< N s/m
  bool has_rest = false;
  Number rest;  ///< m
  Location where;
};

}  // namespace jostle
