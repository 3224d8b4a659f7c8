// Keys, types and numbers that are not what the format says.
#include "tests/scenarios/error_case.hpp"

namespace jostle {
namespace {

using test::ErrorCase;
using test::ErrorCases;
using test::good_scenario;

const ErrorCase keys_cases[] = {
    {"UnknownInList",
     {{"friction:", "friciton:"}},
     "rod.yaml:14:20: unknown key 'friciton' in contacts[0] (did you mean 'friction'?)"},
    {"UnknownShapeWithTheKeyOfADistribution",
     {{"{half_space: {normal", "{halfspace: {normal"}},
     "rod.yaml:8:32: unknown key 'halfspace' in bodies.floor.shape (did you mean 'half_space'?)"},
    {"UnknownAtTop", {{"world:", "wrold:"}}, "rod.yaml:4:1: unknown key 'wrold' (did you mean 'world'?)"},
    {"UnknownWithoutNeighbour",
     {{"mass:", "colour: red\n    mass:"}},
     "rod.yaml:10:5: unknown key 'colour' in bodies.ball (known: copies, pattern, fixed, prescribed, mass, density, "
     "centre_of_mass, "
     "inertia, "
     "freedom, "
     "shape, "
     "shapes, "
     "position, "
     "rotation, velocity, spin)"},
    {"UnknownInShape",
     {{"radius:", "radios:"}},
     "rod.yaml:11:22: unknown key 'radios' in bodies.ball.shape.sphere (did you mean 'radius'?)"},
    {"UnknownDistribution",
     {{"mass: 1.0", "mass: {unifrom: [1, 2]}"}},
     "rod.yaml:10:12: unknown key 'unifrom' in bodies.ball.mass (did you mean 'uniform'?)"},
    {"Duplicate", {{"step: 0.0025", "step: 0.0025\n  step: 0.005"}}, "rod.yaml:6:3: duplicate key 'step'"},
    {"DuplicateBody", {{"  ball:\n", "  floor: {fixed: true}\n  ball:\n"}}, "rod.yaml:9:3: duplicate key 'floor'"},
    {"DuplicateInFlow",
     {{"friction: $mu", "friction: 0.1, friction: 0.2"}},
     "rod.yaml:14:35: duplicate key 'friction'"},
    {"MissingVersion",
     {{"jostle: 1\n", ""}},
     "rod.yaml:1:1: jostle is missing; write 'jostle: 1', the version of the format"},
    {"MissingStep", {{"  step: 0.0025\n", ""}}, "rod.yaml:5:3: world.step is missing"},
    {"MissingDuration", {{"  duration: 1.0\n", ""}}, "rod.yaml:5:3: world.duration is missing"},
    {"MissingWorld", {{"world:\n  step: 0.0025\n  duration: 1.0\n", ""}}, "rod.yaml:1:1: world is missing"},
    {"MissingMass",
     {{"    mass: 1.0\n", ""}},
     "rod.yaml:10:5: bodies.ball.mass is missing (or write density, or 'fixed: true')"},
    {"MassAndDensity",
     {{"mass: 1.0\n", "mass: 1.0\n    density: 700\n"}},
     "rod.yaml:10:11: bodies.ball.mass has no meaning, because bodies.ball.density is given"},
    {"InertiaAndDensity",
     {{"mass: 1.0\n", "density: 700\n    inertia: 0.1\n"}},
     "rod.yaml:11:14: bodies.ball.inertia has no meaning, because bodies.ball.density is given"},
    {"DensityOfAFixedBody",
     {{"fixed: true,", "fixed: true, density: 700,"}},
     "rod.yaml:8:33: bodies.floor.density has no meaning, because bodies.floor is fixed"},
    {"DensityWithoutAShape",
     {{"mass: 1.0\n    shape: {sphere: {radius: 0.1}}\n", "density: 700\n"}},
     "rod.yaml:10:14: bodies.ball.density needs a shape"},
    {"DensityWithoutAVolume",
     {{"mass: 1.0\n    shape: {sphere: {radius: 0.1}}",
       "density: 700\n    shape: {capsule: {length: 1, radius: 0, axis: x}}"}},
     "rod.yaml:10:14: bodies.ball.density needs shapes that have a volume"},
    {"DensityNegative", {{"mass: 1.0", "density: -700"}}, "rod.yaml:10:14: bodies.ball.density must be greater than 0"},
    {"MissingRadius", {{"{radius: 0.1}", "{}"}}, "rod.yaml:11:21: bodies.ball.shape.sphere.radius is missing"},
    {"MissingBetween", {{"between: any, ", ""}}, "rod.yaml:14:5: contacts[0].between is missing"},
    {"TwoShapes",
     {{"{sphere: {radius: 0.1}}", "{sphere: {radius: 0.1}, box: {size: [1, 1, 1]}}"}},
     "rod.yaml:11:12: bodies.ball.shape has both sphere and box, only one is allowed"},
    {"NoShape",
     {{"{sphere: {radius: 0.1}}", "{position: [0, 0, 0]}"}},
     "rod.yaml:11:12: bodies.ball.shape needs one of sphere, capsule, box, cylinder, polygon, hull, prism, surface, "
     "half_space, mesh"},
    {"ShapeAndShapes",
     {{"position: [0, 0, 1]", "shapes: []"}},
     "rod.yaml:10:5: bodies.ball has both shape and shapes, only one is allowed"},
    {"NotAWord", {{"mass: 1.0", "[1, 2]: 1.0"}}, "rod.yaml:10:5: a key must be a word (or a bracket is not closed)"},
    {"MergeKey", {{"mass: 1.0", "<<: {mass: 1}"}}, "rod.yaml:10:5: YAML merge keys ('<<') are not supported"},
};

// What a comma without quotes, or a ':' without a space, makes of text in braces.
const ErrorCase commas_cases[] = {
    {"QuantityInBraces",
     {{"at_end: ball.position.z < 0.2", "at_end: gap(ball, floor)"}},
     "rod.yaml:16:27: unknown key 'floor)' in outcomes.low (quote text that has a comma: 'gap(ball, floor)')"},
    {"FunctionsInBraces",
     {{"at_end: ball.position.z < 0.2", "at_end: min(energy, 1) + max(time, 2)"}},
     "rod.yaml:16:29: unknown key '1) + max(time' in outcomes.low (quote text that has a comma: 'min(energy, 1) + "
     "max(time, 2)')"},
    {"FunctionInAList",
     {{"position: [0, 0, 1]", "position: [0, 0, min(1, 2)]"}},
     "rod.yaml:12:15: bodies.ball.position must be a list of 3, not of 4 (quote text that has a comma: 'min(a, b)')"},
    {"DecimalInBraces",
     {{"{fixed: true", "{mass: 1,5"}},
     "rod.yaml:8:19: unknown key '5' in bodies.floor (write a decimal point: '1.5')"},
    {"DecimalAmongNames",
     {{"variables:\n  mu: {uniform: [0.3, 0.9]}", "variables: {mu: 1,5}"}},
     "rod.yaml:2:19: variable '5' must not begin with a digit (decimals have a point, not a comma)"},
    {"DecimalInALine",
     {{"mass: 1.0", "mass: 1,5"}},
     "rod.yaml:10:12: bodies.ball.mass: unexpected ',' (decimals have a point, not a comma)"},
    {"NoSpaceInBraces",
     {{"friction: $mu", "friction:$mu"}},
     "rod.yaml:14:20: unknown key 'friction:$mu' in contacts[0] (a space is missing after ':')"},
};

const ErrorCase units_cases[] = {
    {"Kilogram",
     {{"mass: 1.0", "mass: 1 kg"}},
     "rod.yaml:10:13: bodies.ball.mass: write no unit, this number is in kg"},
    {"Second",
     {{"duration: 1.0", "duration: 1s"}},
     "rod.yaml:6:14: world.duration: write no unit, this number is in s"},
    {"MetrePerSecond",
     {{"position: [0, 0, 1]", "velocity: [0, 0, -1 m/s]"}},
     "rod.yaml:12:25: bodies.ball.velocity[2]: write no unit, this number is in m/s"},
    {"Degree",
     {{"position: [0, 0, 1]", "rotation: {axis: [0, 0, 1], degrees: 30\u00B0}"}},
     "rod.yaml:12:44: bodies.ball.rotation.degrees: write no unit, this number is in deg"},
    {"InAnOutcome",
     {{"< 0.2", "< 20 cm"}},
     "rod.yaml:16:38: outcomes.low.at_end: write no unit, all numbers are in SI units"},
    {"OfAVariable",
     {{"mu: {uniform: [0.3, 0.9]}", "step: 2 m\n  mu: 1"}},
     "rod.yaml:3:11: variables.step: write no unit, all numbers are in SI units"},
    {"NoUnit", {{"mass: 1.0", "mass: 1 x"}}, "rod.yaml:10:13: bodies.ball.mass: an operator is missing before 'x'"},
};

const ErrorCase types_cases[] = {
    {"NumberIsAList", {{"mass: 1.0", "mass: [1]"}}, "rod.yaml:10:11: bodies.ball.mass must be a number, not a list"},
    {"NumberIsMissing", {{"mass: 1.0", "mass:"}}, "rod.yaml:10:5: bodies.ball.mass must be a number, not nothing"},
    {"NumberIsATruthValue",
     {{"mass: 1.0", "mass: 1 < 2"}},
     "rod.yaml:10:11: bodies.ball.mass must be a number, not a truth value"},
    {"NumberIsAWord", {{"mass: 1.0", "mass: heavy"}}, "rod.yaml:10:11: bodies.ball.mass: unknown name 'heavy'"},
    {"NumberIsABoolean",
     {{"mass: 1.0", "mass: true"}},
     "rod.yaml:10:11: bodies.ball.mass must be a number, not 'true'"},
    {"VectorIsANumber",
     {{"position: [0, 0, 1]", "position: 1"}},
     "rod.yaml:12:15: bodies.ball.position must be a list of 3, not '1'"},
    {"VectorIsTooShort",
     {{"position: [0, 0, 1]", "position: [0, 1]"}},
     "rod.yaml:12:15: bodies.ball.position must be a list of 3, not of 2"},
    {"FlagIsYes",
     {{"fixed: true", "fixed: yes"}},
     "rod.yaml:8:18: bodies.floor.fixed must be true or false, not 'yes'"},
    {"FlagIsQuoted",
     {{"fixed: true", "fixed: \"true\""}},
     "rod.yaml:8:18: bodies.floor.fixed must be true or false, not 'true'"},
    {"MapIsAList",
     {{"{sphere: {radius: 0.1}}", "[sphere]"}},
     "rod.yaml:11:12: bodies.ball.shape must be a map such as {sphere: ...}, not a list"},
    {"ListIsAMap",
     {{"- {between: any, friction: $mu}", "between: any"}},
     "rod.yaml:14:3: contacts must be a list, not a map"},
    {"BodiesIsAList", {{"bodies:\n", "bodies: [a]\nrecord:\n"}}, "rod.yaml:7:9: bodies must be a map, not a list"},
    {"FileIsAList", {{good_scenario, "- a\n- b\n"}}, "rod.yaml:1:1: the scenario must be a map, not a list"},
    {"WholeNumber",
     {{"0.2}\n", "0.2}\nsample: {count: 1.5}\n"}},
     "rod.yaml:17:17: sample.count must be a whole number, not '1.5'"},
    {"Seed",
     {{"0.2}\n", "0.2}\nsample: {seed: -1}\n"}},
     "rod.yaml:17:16: sample.seed must be a whole number from 0 to 2^64 - 1, not '-1'"},
    {"Version", {{"jostle: 1", "jostle: one"}}, "rod.yaml:1:9: jostle must be a whole number, not 'one'"},
    {"LaterVersion",
     {{"jostle: 1", "jostle: 2"}},
     "rod.yaml:1:9: jostle: 2 is a later format, this version reads format 1"},
    {"Tag", {{"mass: 1.0", "mass: !!float 1.0"}}, "rod.yaml:10:11: YAML tags are not supported"},
};

const ErrorCase numbers_cases[] = {
    {"Infinite", {{"mass: 1.0", "mass: .inf"}}, "rod.yaml:10:11: bodies.ball.mass must be finite: '.inf'"},
    {"NotANumber",
     {{"position: [0, 0, 1]", "position: [0, .nan, 1]"}},
     "rod.yaml:12:19: bodies.ball.position[1] must be finite: '.nan'"},
    {"TooLarge",
     {{"mass: 1.0", "mass: 1e400"}},
     "rod.yaml:10:11: bodies.ball.mass is too large or too small for a double: '1e400'"},
    {"TooSmall",
     {{"mass: 1.0", "mass: 1e-400"}},
     "rod.yaml:10:11: bodies.ball.mass is too large or too small for a double: '1e-400'"},
    {"Hexadecimal",
     {{"mass: 1.0", "mass: 0x10"}},
     "rod.yaml:10:11: bodies.ball.mass must be decimal, not hexadecimal: '0x10'"},
    {"Octal", {{"mass: 1.0", "mass: 0o17"}}, "rod.yaml:10:11: bodies.ball.mass must be decimal, not octal: '0o17'"},
    {"LeadingZero",
     {{"mass: 1.0", "mass: 017"}},
     "rod.yaml:10:11: bodies.ball.mass must not begin with 0 (octal in some YAML): '017'"},
    {"Underscore",
     {{"mass: 1.0", "mass: 1_000"}},
     "rod.yaml:10:12: bodies.ball.mass: an operator is missing before '_000'"},
    {"InfiniteExpression", {{"mass: 1.0", "mass: 1/0"}}, "rod.yaml:10:11: bodies.ball.mass must be finite: '1/0'"},
    {"ExpressionOffset",
     {{"position: [0, 0, 1]", "position: [0, 0, 2*(1 + ]"}},
     "rod.yaml:12:28: bodies.ball.position[2]: the expression ends where a number or a name is missing"},
    {"QuotedExpressionOffset",
     {{"position: [0, 0, 1]", "position: [0, 0, \"2 * foo\"]"}},
     "rod.yaml:12:27: bodies.ball.position[2]: unknown name 'foo'"},
    {"UndefinedVariable",
     {{"friction: $mu", "friction: 2*$muu"}},
     "rod.yaml:14:32: contacts[0].friction: unknown variable '$muu' (did you mean '$mu'?)"},
    {"TimeOutsideForces",
     {{"mass: 1.0", "mass: 1 + t"}},
     "rod.yaml:10:15: bodies.ball.mass: unknown name 't' (only forces, motors and prescribed motion may depend on the "
     "time)"},
    {"QuantityOutsideOutcomes",
     {{"mass: 1.0", "mass: ball.position.x"}},
     "rod.yaml:10:11: bodies.ball.mass: quantities such as 'rod.position.x' may stand in outcomes and forces only"},
};

INSTANTIATE_TEST_SUITE_P(Keys, ErrorCases, testing::ValuesIn(keys_cases), test::name_of);
INSTANTIATE_TEST_SUITE_P(Commas, ErrorCases, testing::ValuesIn(commas_cases), test::name_of);
INSTANTIATE_TEST_SUITE_P(Units, ErrorCases, testing::ValuesIn(units_cases), test::name_of);
INSTANTIATE_TEST_SUITE_P(Types, ErrorCases, testing::ValuesIn(types_cases), test::name_of);
INSTANTIATE_TEST_SUITE_P(Numbers, ErrorCases, testing::ValuesIn(numbers_cases), test::name_of);

}  // namespace
}  // namespace jostle
