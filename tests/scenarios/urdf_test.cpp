// URDF as scenarios: what becomes of each element, and that nothing is left out without a word.
#include "scenarios/import/urdf.hpp"

#include <gmock/gmock.h>
#include <gtest/gtest.h>
#include <tinyxml2.h>

#include <algorithm>
#include <fstream>
#include <functional>
#include <random>

#include "scenarios/ensemble.hpp"
#include "scenarios/reader/reader.hpp"

namespace jostle {
namespace {

using ::testing::HasSubstr;

std::string arm_text() {
  std::ifstream file(JOSTLE_SOURCE_DIR "/examples/arm.urdf");
  return {std::istreambuf_iterator<char>(file), {}};
}

std::string with_robot(const std::string& content) { return "<robot name='r'>\n" + content + "\n</robot>\n"; }

std::string error_of(const std::string& text) {
  try {
    import_urdf_text(text, "r.urdf");
  } catch (const ScenarioError& error) {
    return error.what();
  }
  return "no error";
}

const std::string mass =
    "<inertial><mass value='1'/><inertia ixx='1' ixy='0' ixz='0' iyy='1' iyz='0' izz='1'/></inertial>";

TEST(Urdf, AnArmIsAScenarioWithItsKinematics) {
  const Import arm = import_urdf_text(arm_text(), "arm.urdf");
  EXPECT_TRUE(arm.is_complete({}));
  const Scenario scenario = parse_scenario(arm.scenario, "arm.yaml");
  ASSERT_EQ(scenario.bodies.size(), 4u) << "the tool is a frame of the fore arm";
  EXPECT_EQ(scenario.bodies[1].name, "upper_arm");
  const auto number = [](const Number& n) { return n.constant; };
  // At 0 the arm lies along x at the height of the shoulder; the finger starts at its limit of 1 cm.
  EXPECT_NEAR(number(scenario.bodies[2].position[0]), 0.3, 1e-15);
  EXPECT_NEAR(number(scenario.bodies[2].position[2]), 0.2, 1e-15);
  EXPECT_NEAR(number(scenario.bodies[3].position[0]), 0.3 + 0.22 + 0.05 + 0.01, 1e-15);
  ASSERT_EQ(scenario.joints.size(), 3u);
  EXPECT_EQ(scenario.joints[0].type, JointType::revolute);
  EXPECT_NEAR(number(scenario.joints[0].limits[0]), -1.5, 0);
  EXPECT_NEAR(number(scenario.joints[0].damping), 0.05, 0);
  EXPECT_NEAR(number(scenario.joints[0].friction), 0.02, 0);
  EXPECT_FALSE(scenario.joints[1].has_limits);
  EXPECT_NEAR(number(scenario.joints[2].limits[0]), 0, 0);
  EXPECT_NEAR(number(scenario.joints[2].limits[1]), 0.02, 1e-17);
  // The inertia is turned from the frame of <inertial>, a quarter turn about y: its zz is xx of the link.
  EXPECT_THAT(arm.scenario, HasSubstr("centre_of_mass: [0.15, 0, 0]"));
  const std::size_t at = arm.scenario.find("inertia: [0.002");
  EXPECT_NE(at, std::string::npos) << arm.scenario;
  EXPECT_EQ(scenario.bodies[2].shapes.size(), 2u) << "its own and the tool's";
  EXPECT_NO_THROW(Ensemble{scenario});
}

TEST(Urdf, AJointWhoseLimitsLeaveNoRoomIsFixed) {
  std::string text = arm_text();
  const std::string limit = "lower=\"0.01\" upper=\"0.03\"";
  ASSERT_NE(text.find(limit), std::string::npos);
  text.replace(text.find(limit), limit.size(), "lower=\"0.01\" upper=\"0.01\"");
  const Import arm = import_urdf_text(text, "arm.urdf");
  EXPECT_TRUE(arm.is_complete({}));
  EXPECT_EQ(parse_scenario(arm.scenario, "arm.yaml").joints[2].type, JointType::fixed);
  EXPECT_TRUE(std::ranges::any_of(arm.notes, [](const ImportNote& note) {
    return note.fate == Fate::converted && note.message.find("leave no room") != std::string::npos;
  }));
}

TEST(Urdf, AWorldIsFixedWhateverItsMass) {
  const auto note_of = [](const std::string& inertial) {
    const Import import =
        import_urdf_text(with_robot("<link name='world'>" + inertial + "</link><link name='b'>" + mass +
                                    "</link><joint name='j' type='floating'><parent link='world'/>"
                                    "<child link='b'/></joint>"),
                         "r.urdf");
    EXPECT_TRUE(parse_scenario(import.scenario, "r.yaml").bodies[0].fixed);
    const auto note = std::ranges::find_if(
        import.notes, [](const ImportNote& own) { return own.fate == Fate::converted && own.kind == "link"; });
    return note == import.notes.end() ? "none" : note->item + " " + note->message;
  };
  EXPECT_EQ(note_of(""), "link 'world' fixed: it hangs on nothing and has no mass");
  EXPECT_EQ(note_of(mass), "link 'world' fixed, as its name says: its mass plays no part");
}

TEST(Urdf, EveryElementIsInOneOfTheLists) {
  const std::string text = arm_text();
  const Import arm = import_urdf_text(text, "arm.urdf");
  tinyxml2::XMLDocument document;
  document.Parse(text.c_str());
  // Elements below what is ignored as a whole are ignored with it.
  int elements = 0;
  const std::function<void(const tinyxml2::XMLElement*)> count = [&](const tinyxml2::XMLElement* element) {
    for (; element; element = element->NextSiblingElement()) {
      ++elements;
      const std::string name = element->Name();
      if (name != "visual" && name != "material") count(element->FirstChildElement());
    }
  };
  count(document.RootElement());
  const auto listed = std::ranges::count_if(arm.notes, [](const ImportNote& note) {
    return note.fate == Fate::used || note.fate == Fate::ignored || note.fate == Fate::refused;
  });
  EXPECT_EQ(listed, elements);
  EXPECT_EQ(std::ranges::count(arm.notes, Fate::ignored, &ImportNote::fate), 1 + 1 + 1)
      << "material, visual, transmission";
}

TEST(Urdf, WhatChangesMotionIsRefusedUnlessItIsAllowed) {
  const std::string pair = "<link name='a'/><link name='b'>" + mass + "</link>\n";
  const auto refused = [&](const std::string& content) {
    const Import import = import_urdf_text(with_robot(content), "r.urdf");
    std::string items;
    for (const ImportNote& note : import.notes)
      if (note.fate == Fate::refused) items += note.item + " (" + note.kind + ")";
    EXPECT_FALSE(import.is_complete({})) << items;
    return items;
  };
  const std::string joint = "<parent link='a'/><child link='b'/>";
  EXPECT_EQ(refused(pair + "<joint name='j' type='continuous'>" + joint + "<mimic joint='k'/></joint>"),
            "joint 'j' mimic (mimic)");
  EXPECT_EQ(refused(pair + "<joint name='j' type='planar'>" + joint + "</joint>"), "joint 'j' (planar)");
  EXPECT_EQ(refused(pair + "<gazebo reference='b'/>"), "gazebo (gazebo)");
  EXPECT_EQ(refused("<link name='a'><collision><geometry><mesh filename='a.stl'/></geometry></collision></link>"),
            "link 'a' collision mesh (mesh)");
  EXPECT_EQ(refused("<link name='a' weight='3'/>"), "link 'a' attribute 'weight' (weight)");
  const Import import = import_urdf_text(with_robot(pair + "<gazebo/>"), "r.urdf");
  EXPECT_TRUE(import.is_complete({"gazebo"}));
  EXPECT_FALSE(import.is_complete({"mimic"}));
}

TEST(Urdf, WhatIsNoUrdfGetsItsLine) {
  EXPECT_THAT(error_of(""), HasSubstr("r.urdf:1:1: this is no XML"));
  EXPECT_THAT(error_of("<robot>\n<link name='a'>\n</robot>"), HasSubstr("this is no XML"));
  EXPECT_THAT(error_of("<model/>"), HasSubstr("r.urdf:1:1: the first element is <model>, not <robot>"));
  EXPECT_THAT(error_of("<robot name='r'/>"), HasSubstr("the robot has no link"));
  EXPECT_THAT(error_of(with_robot("<link/>")), HasSubstr("r.urdf:2:1: <link> needs the attribute 'name'"));
  EXPECT_THAT(error_of(with_robot("<link name='a'/>\n<link name='a'/>")),
              HasSubstr("r.urdf:3:1: link 'a' is there twice"));
  EXPECT_THAT(
      error_of(with_robot("<link name='a'/><joint name='j' type='fixed'><parent link='a'/><child link='c'/></joint>")),
      HasSubstr("there is no link 'c'"));
  EXPECT_THAT(
      error_of(with_robot("<link name='a'/><joint name='j' type='fixed'><parent link='a'/><child link='a'/></joint>")),
      HasSubstr("link 'a' hangs on itself"));
  EXPECT_THAT(error_of(with_robot("<link name='a'/><joint name='j' type='hinge'/>")),
              HasSubstr("the type 'hinge', which URDF does not know"));
  EXPECT_THAT(error_of(with_robot("<link name='a'><inertial><mass value='heavy'/></inertial></link>")),
              HasSubstr("value of <mass> must be a finite number, not 'heavy'"));
  EXPECT_THAT(
      error_of(with_robot("<link name='a'><collision><geometry><box size='1 2'/></geometry></collision></link>")),
      HasSubstr("size of <box> must be 3 numbers, not '1 2'"));
  EXPECT_THAT(
      error_of(with_robot("<link name='a'><collision><geometry><sphere radius='-1'/></geometry></collision></link>")),
      HasSubstr("the sizes of a sphere must be greater than 0"));
  EXPECT_THAT(error_of(with_robot("<link name='a'/><link name='b'/><joint name='j' type='revolute'><parent "
                                  "link='a'/><child link='b'/></joint>")),
              HasSubstr("it needs <limit> with lower and upper"));
}

/// "line: item: message" of the notes of one list.
std::vector<std::string> listed(const Import& import, Fate fate) {
  std::vector<std::string> lines;
  for (const ImportNote& note : import.notes)
    if (note.fate == fate) lines.push_back(std::to_string(note.line) + ": " + note.item + ": " + note.message);
  return lines;
}

// A misplaced bracket or a key of another program: what hangs below an element that has nothing below it.
TEST(Urdf, WhatIsBelowALeafIsRefused) {
  const auto refused = [](const std::string& content) {
    const Import import = import_urdf_text(with_robot(content), "r.urdf");
    std::string items;
    for (const ImportNote& note : import.notes)
      if (note.fate == Fate::refused) items += std::to_string(note.line) + ": " + note.item + " (" + note.kind + ")";
    EXPECT_EQ(import.is_complete({}), items.empty());
    return items;
  };
  const auto joint = [&](const std::string& content) {
    return refused("<link name='a'/><link name='b'>" + mass + "</link>\n<joint name='j' type='revolute'>" + content +
                   "</joint>");
  };
  const std::string ends = "<parent link='a'/><child link='b'/>", limit = "<limit lower='0' upper='1'/>";
  EXPECT_EQ(joint(ends + limit), "");
  EXPECT_EQ(joint(ends + limit + "<dynamics damping='1'>\n<spring_stiffness/></dynamics>"),
            "4: joint 'j' dynamics spring_stiffness (spring_stiffness)");
  EXPECT_EQ(joint(ends + "<limit lower='0' upper='1'><stiffness/></limit>"),
            "3: joint 'j' limit stiffness (stiffness)");
  EXPECT_EQ(joint(ends + limit + "<axis xyz='0 0 1'><dynamics damping='4'/></axis>"),
            "3: joint 'j' axis dynamics (dynamics)");
  EXPECT_EQ(joint("<parent link='a'><x/></parent><child link='b'/>" + limit), "3: joint 'j' parent x (x)");
  EXPECT_EQ(joint("<origin xyz='0 0 1'><x/></origin>" + ends + limit), "3: joint 'j' origin x (x)");
  EXPECT_EQ(refused("<link name='a'><inertial><mass value='1'><x/></mass><inertia ixx='1' ixy='0' ixz='0' iyy='1' "
                    "iyz='0' izz='1'><y/></inertia></inertial></link>"),
            "2: link 'a' inertial mass x (x)2: link 'a' inertial inertia y (y)");
  for (const char* const shape : {"box size='1 1 1'", "cylinder radius='1' length='1'", "sphere radius='1'"}) {
    const std::string name(shape, std::find(shape, shape + 9, ' '));
    EXPECT_EQ(refused("<link name='a'>" + mass + "<collision><geometry><" + shape + "><x/></" + name +
                      "></geometry></collision></link>"),
              "2: link 'a' collision " + name + " x (x)");
  }
}

TEST(Urdf, AttributesOfTheRobotAreRefusedUnlessTheyAreKnown) {
  const auto with_attribute = [](const std::string& attribute) {
    return import_urdf_text("<robot name='r' " + attribute + "><link name='a'>" + mass + "</link></robot>", "r.urdf");
  };
  EXPECT_EQ(listed(with_attribute("scale='2'"), Fate::refused),
            std::vector<std::string>{"1: robot attribute 'scale': not known"});
  for (const std::string attribute : {"version", "xmlns", "xmlns:xacro"}) {
    const Import import = with_attribute(attribute + "='1.0'");
    EXPECT_TRUE(import.is_complete({}));
    ASSERT_EQ(listed(import, Fate::ignored).size(), 1u);
    EXPECT_THAT(listed(import, Fate::ignored)[0], HasSubstr("robot attribute '" + attribute + "'"));
  }
}

// Its square would be infinite, or 0.
TEST(Urdf, AnAxisMayBeOfAnyLength) {
  for (const char* const axis : {"0 3e307 4e307", "0 3e-200 4e-200", "0 3 4"}) {
    const Import import = import_urdf_text(
        with_robot("<link name='a'/><link name='b'>" + mass + "</link><joint name='j' type='continuous'>" +
                   "<parent link='a'/><child link='b'/><axis xyz='" + axis + "'/></joint>"),
        "r.urdf");
    const Scenario scenario = parse_scenario(import.scenario, "r.yaml");
    EXPECT_NEAR(scenario.joints[0].axis[1].constant, 0.6, 1e-15) << axis;
    EXPECT_NEAR(scenario.joints[0].axis[2].constant, 0.8, 1e-15) << axis;
  }
}

// Bytes exchanged, left out and doubled: an error in one line, or lists and a scenario; never a crash.
// Of two elements one would win without a word.
TEST(Urdf, NothingIsThereTwice) {
  const std::string links = "<link name='a'>" + mass + "</link>\n<link name='b'>" + mass + "</link>\n";
  const auto joint = [&](const std::string& content) {
    return with_robot(links + "<joint name='j' type='continuous'><parent link='a'/><child link='b'/>\n" + content +
                      "</joint>");
  };
  EXPECT_EQ(error_of(joint("<axis xyz='0 0 1'/>\n")), "no error");
  EXPECT_EQ(error_of(joint("<axis xyz='0 0 1'/>\n<axis xyz='0 1 0'/>")), "r.urdf:6:1: a second <axis>");
  EXPECT_EQ(error_of(joint("<dynamics damping='1'/>\n<dynamics friction='2'/>")), "r.urdf:6:1: a second <dynamics>");
  EXPECT_EQ(error_of(joint("<parent link='b'/>")), "r.urdf:5:1: a second <parent>");
  EXPECT_EQ(error_of(with_robot("<link name='a'><inertial><mass value='1'/>\n<mass value='2'/></inertial></link>")),
            "r.urdf:3:1: a second <mass>");
}

// Xacro leaves the declaration of its namespace in what it prints.
TEST(Urdf, OnlyWhatXacroWouldReplaceIsXacro) {
  const std::string robot = "<robot name='r' xmlns:xacro='http://ros.org/wiki/xacro'>\n";
  const Import expanded = import_urdf_text(robot + "<link name='a'>" + mass + "</link></robot>", "r.urdf");
  EXPECT_TRUE(expanded.is_complete({}));
  EXPECT_THAT(listed(expanded, Fate::ignored),
              testing::ElementsAre("1: robot attribute 'xmlns:xacro': a namespace that is declared"));
  for (const char* const content :
       {"<xacro:leg/>", "<link name='${prefix}a'/>", "<link xacro:name='a'/>", "<link name='a'><xacro:inertia/></link>",
        "<link name='a'><visual><geometry><mesh filename='$(find r)/a.stl'/></geometry></visual></link>"})
    EXPECT_EQ(error_of(robot + content + "</robot>"), "r.urdf:2:1: this is a xacro file: run xacro first") << content;
}

TEST(Urdf, WhatChangesNothingIsIgnored) {
  const std::string links = "<link name='a'>" + mass + "</link><link name='b'>" + mass + "</link>\n";
  for (const std::string type : {"fixed", "floating"}) {
    const Import import =
        import_urdf_text(with_robot(links + "<joint name='j' type='" + type +
                                    "'><parent link='a'/><child link='b'/><axis xyz='0 0 0'/></joint>"),
                         "r.urdf");
    EXPECT_TRUE(import.is_complete({}));
    EXPECT_THAT(listed(import, Fate::ignored),
                testing::ElementsAre("3: joint 'j' axis: a " + type + " joint has none"));
  }
  const Import import = import_urdf_text(
      with_robot("<link name='a'>" + mass +
                 "<collision><geometry name='g'><box size='1 1 1'/></geometry><material name='m'/></collision></link>"),
      "r.urdf");
  EXPECT_TRUE(import.is_complete({}));
  EXPECT_THAT(listed(import, Fate::ignored), testing::ElementsAre("2: link 'a' collision geometry attribute 'name': ",
                                                                  "2: link 'a' collision material: "));
}

std::string inertial(double mass, const std::string& xx, const std::string& zz) {
  return "<inertial><mass value='" + std::to_string(mass) + "'/><inertia ixx='" + xx + "' ixy='0' ixz='0' iyy='" + xx +
         "' iyz='0' izz='" + zz + "'/></inertial>";
}

// Only the moments of the body that fixed links make have to be those of a body.
TEST(Urdf, ALinkWithoutPhysicalMomentsIsAPartOfTheBodyItIsFixedTo) {
  const Import import = import_urdf_text(
      with_robot("<link name='a'>" + mass + "</link>\n<link name='b'>" + inertial(3, "0.1", "0.5") +
                 "</link>\n<link name='c'>" + inertial(0.5, "0", "0") + "</link>\n" +
                 "<joint name='j' type='fixed'><origin xyz='0 0 2'/><parent link='a'/><child link='b'/></joint>"
                 "<joint name='k' type='fixed'><origin xyz='0 0 -2'/><parent link='b'/><child link='c'/></joint>"),
      "r.urdf");
  EXPECT_TRUE(import.is_complete({}));
  EXPECT_THAT(
      listed(import, Fate::converted),
      testing::ElementsAre("3: link 'b' inertial inertia: no body has such moments: the link is a part of 'a', to "
                           "which its mass and moments are added",
                           "4: link 'c' inertial inertia: no body has such moments: the link is a part of 'a', to "
                           "which its mass and moments are added"));
  const Scenario scenario = parse_scenario(import.scenario, "r.yaml");
  ASSERT_EQ(scenario.bodies.size(), 1u);
  // 1.5 kg at 0 and 3 kg at 2 m: 4.5 kg at 4/3 m, which adds 4 kg m^2 across to the moments of the links.
  EXPECT_THAT(import.scenario, HasSubstr("mass: 4.5\n    centre_of_mass: [0, 0, 1.33333333333333]\n    "
                                         "inertia: [5.1, 5.1, 1.5, 0, 0, 0]"));
  EXPECT_NO_THROW(Ensemble{scenario});
}

// Many robots have a first link with moments of 0, which has the trunk on a fixed joint.
TEST(Urdf, LinksFixedToOneWithoutPhysicalMomentsArePartOfIt) {
  const std::string joint =
      "<joint name='j' type='fixed'><origin xyz='0 0 2'/><parent link='a'/><child link='b'/></joint>";
  const Import import = import_urdf_text(
      with_robot("<link name='a'>" + inertial(1, "0", "0") + "</link>\n<link name='b'>" + mass + "</link>" + joint),
      "r.urdf");
  EXPECT_TRUE(import.is_complete({}));
  EXPECT_THAT(listed(import, Fate::converted),
              testing::ElementsAre("3: link 'b': its mass and moments are added to those of 'a', which no body has"));
  EXPECT_THAT(import.scenario, HasSubstr("mass: 2\n    centre_of_mass: [0, 0, 1]\n    inertia: [3, 3, 1, 0, 0, 0]"));
  EXPECT_EQ(parse_scenario(import.scenario, "r.yaml").bodies.size(), 1u);
  const Import fixed = import_urdf_text(
      with_robot("<link name='a'/><link name='b'>" + mass + "</link>" + joint + "<link name='c'>" + mass + "</link>"),
      "r.urdf");
  EXPECT_EQ(parse_scenario(fixed.scenario, "r.yaml").bodies.size(), 3u);
}

TEST(Urdf, MomentsThatNoBodyHasAreListedAndReplacedIfAllowed) {
  const Import import = import_urdf_text(
      with_robot("<link name='a'>" + inertial(1, "1", "2.1") + "</link>\n<link name='b'>" + inertial(2, "0", "0") +
                 "</link>\n<link name='c'/>\n<joint name='j' type='continuous'><parent link='a'/><child link='b'/>"
                 "</joint><joint name='k' type='fixed'><parent link='b'/><child link='c'/></joint>"),
      "r.urdf");
  const std::string why =
      " must be greater than 0, and no moment greater than the sum of the others; allowed, they become the nearest "
      "that a "
      "body can have";
  EXPECT_THAT(listed(import, Fate::refused), testing::ElementsAre("2: link 'a' inertial inertia: its moments" + why,
                                                                  "3: link 'b' inertial inertia: its moments" + why));
  EXPECT_TRUE(import.is_complete({"inertial"}));
  // An extent of -0.05 along z becomes a thousandth of that across, 1.05.
  EXPECT_THAT(import.scenario, HasSubstr("inertia: [1.05105, 1.05105, 2.1, 0, 0, 0]"));
  EXPECT_THAT(import.scenario, HasSubstr("inertia: [4e-06, 4e-06, 4e-06, 0, 0, 0]"));
  EXPECT_NO_THROW(Ensemble{parse_scenario(import.scenario, "r.yaml")});
}

TEST(Urdf, ASphereMayBeAPoint) {
  const Import import = import_urdf_text(
      with_robot("<link name='a'>" + mass + "<collision><geometry><sphere radius='0'/></geometry></collision></link>"),
      "r.urdf");
  EXPECT_NO_THROW(Ensemble{parse_scenario(import.scenario, "r.yaml")});
}

TEST(Urdf, NamesAreThoseThatAScenarioMayHave) {
  std::string links;
  for (const char* const name : {"gap", "t", "null", "world_2", "sin"})
    links += "<link name='" + std::string(name) + "'>" + mass + "</link>\n";
  const Import robot = import_urdf_text(with_robot(links), "r.urdf");
  const Scenario scenario = parse_scenario(robot.scenario, "r.yaml");
  std::vector<std::string> names;
  for (const BodySpec& body : scenario.bodies) names.push_back(body.name);
  EXPECT_THAT(names, testing::ElementsAre("gap_", "t_", "null_", "world_2", "sin_"));
}

TEST(Urdf, AMassOfZeroNeedsNoInertia) {
  const std::string none =
      "<inertial><mass value='0'/><inertia ixx='0' ixy='0' ixz='0' iyy='0' iyz='0' izz='0'/></inertial>";
  EXPECT_EQ(error_of(with_robot("<link name='a'>" + mass + "</link><link name='b'>" + none +
                                "</link><joint name='j' type='fixed'><parent link='a'/><child link='b'/></joint>")),
            "no error");
}

// Theirs are those of a rotor, say.
TEST(Urdf, MomentsOfALinkWithoutMassAreAddedToTheBodyItIsFixedTo) {
  const auto robot = [](const std::string& moments) {
    return import_urdf_text(with_robot("<link name='a'/><link name='b'>" + mass + "</link>\n<link name='c'>" +
                                       inertial(0, moments, moments) +
                                       "</link><joint name='j' type='continuous'><parent link='a'/><child link='b'/>"
                                       "</joint><joint name='k' type='fixed'><origin xyz='0 0 2'/><parent link='b'/>"
                                       "<child link='c'/></joint>"),
                            "r.urdf");
  };
  const Import import = robot("5");
  EXPECT_TRUE(import.is_complete({}));
  EXPECT_THAT(import.scenario, HasSubstr("mass: 1\n    inertia: [6, 6, 6, 0, 0, 0]"));
  EXPECT_THAT(listed(import, Fate::converted),
              testing::Contains("3: link 'c': a frame without mass: its shapes and moments are of 'b'"));
  EXPECT_THAT(listed(robot("-2"), Fate::refused),
              testing::ElementsAre(HasSubstr("its moments, with those of the links that are part of it,")));
}

TEST(Urdf, AMassNeedsMoments) {
  EXPECT_EQ(error_of(with_robot("<link name='a'>\n<inertial><mass value='1'/></inertial></link>")),
            "r.urdf:3:1: link 'a' inertial has a mass, but needs an <inertia>, too");
  EXPECT_EQ(error_of(with_robot("<link name='a'>\n<inertial><origin xyz='0 0 0'/></inertial></link>")),
            "r.urdf:3:1: link 'a' inertial needs a <mass>");
}

TEST(Urdf, ALinkWithoutMassIsLeftOutWithItsJointsIfThatIsAllowed) {
  const std::string text =
      with_robot("<link name='a'/><link name='b'/><link name='c'>" + mass +
                 "</link><joint name='j' type='continuous'><parent link='a'/><child link='b'/></joint>"
                 "<joint name='k' type='continuous'><parent link='b'/><child link='c'/></joint>");
  const Import import = import_urdf_text(text, "r.urdf");
  EXPECT_FALSE(import.is_complete({}));
  EXPECT_TRUE(import.is_complete({"massless"}));
  const Scenario scenario = parse_scenario(import.scenario, "r.yaml");
  EXPECT_EQ(scenario.bodies.size(), 2U);
  EXPECT_TRUE(scenario.joints.empty());
}

TEST(Urdf, SomethingCanMove) {
  for (const char* links : {"<link name='a'/>",
                            "<link name='a'/><link name='b'/><joint name='j' type='continuous'><parent link='a'/>"
                            "<child link='b'/></joint>"})
    EXPECT_EQ(error_of(with_robot(links)), "r.urdf:2:1: no link of the robot can move: one that moves needs a mass");
}

// A bracket that is missing makes text of an element.
TEST(Urdf, TextIsRefused) {
  const auto refused = [](const std::string& content) {
    const Import robot = import_urdf_text(with_robot(content), "r.urdf");
    EXPECT_TRUE(robot.is_complete({"text"}));
    std::vector<std::string> texts;
    for (const ImportNote& note : robot.notes)
      if (note.fate == Fate::refused) texts.push_back(std::to_string(note.line) + ": " + note.item);
    return texts;
  };
  using testing::ElementsAre;
  EXPECT_THAT(refused("<link name='a'>" + mass + "\n  collision>\n</link>"),
              ElementsAre("3: link 'a' text 'collision>'"));
  EXPECT_THAT(refused("<link name='a'>" + mass + "</link>joint name='j'"),
              ElementsAre("2: robot text 'joint name='j''"));
  EXPECT_THAT(refused("<link name='a'>" + mass + "</link><transmission><type>Simple</type></transmission>"),
              ElementsAre());
}

TEST(Urdf, OtherCodesThanUtf8AreRefused) {
  EXPECT_EQ(error_of("<robot name='r'>\n<link name='\xe4'>" + mass + "</link></robot>"),
            "r.urdf:2:1: this is not UTF-8: save the file in it");
}

TEST(Urdf, ThousandsOfMutatedFilesAreReadOrRefused) {
  std::mt19937_64 random(5);
  const std::string good = arm_text();
  int errors = 0;
  for (int k = 0; k < 4000; ++k) {
    std::string text = good;
    for (std::uint64_t edits = 1 + random() % 3; edits > 0 && !text.empty(); --edits) {
      const std::size_t at = random() % text.size();
      const std::uint64_t kind = random() % 3;
      if (kind == 0) text[at] = static_cast<char>(random());
      if (kind == 1) text.erase(at, 1 + random() % 30);
      if (kind == 2) text.insert(at, text.substr(at, 1 + random() % 30));
    }
    const std::string error = error_of(text);
    errors += error != "no error";
    EXPECT_EQ(error.find('\n'), std::string::npos) << error;
  }
  EXPECT_GT(errors, 1500);
  EXPECT_LT(errors, 4000);
}

}  // namespace
}  // namespace jostle
