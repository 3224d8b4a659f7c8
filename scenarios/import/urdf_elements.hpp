#pragma once
#include <tinyxml2.h>

#include <initializer_list>
#include <set>
#include <string>
#include <string_view>
#include <vector>

#include "scenarios/import/urdf_model.hpp"

namespace jostle::urdf {

/// Strict reading of elements and their attributes: nothing is passed over, everything read is noted.
class Elements {
 public:
  using XMLElement = tinyxml2::XMLElement;

  Elements(const std::string& file, std::vector<ImportNote>& notes) : file_(file), notes_(notes) {}

 protected:
  const std::string& file() const { return file_; }

  /// Throws ScenarioError with the line of the element.
  [[noreturn]] void fail(const XMLElement& element, const std::string& message) const;

  void note(const XMLElement& element, Fate fate, const std::string& item, const std::string& kind,
            const std::string& message = "");
  void refuse(const XMLElement& element, const std::string& item, const std::string& message = "not known");

  /// Notes attributes that are none of these, and text: they change motion in a way that nobody knows. Namespaces that
  /// are declared change nothing.
  void check_attributes(const XMLElement& element, const std::string& item, const std::set<std::string_view>& known);

  /// The same of an element in which URDF has no others: it notes those, too.
  void check_leaf(const XMLElement& element, const std::string& item, const std::set<std::string_view>& known);

  /// Notes text between the children of an element: URDF has none, so something else was meant.
  void check_text(const XMLElement& element, const std::string& item);

  static bool is_namespace(std::string_view attribute) {
    return attribute == "xmlns" || attribute.starts_with("xmlns:");
  }
  void note_namespace(const XMLElement& element, const std::string& item, const std::string& attribute) {
    note(element, Fate::ignored, item + " attribute '" + attribute + "'", attribute, "a namespace that is declared");
  }

  /// Fails at what xacro would have replaced: elements and attributes called xacro:..., ${...} and $(...).
  void check_no_xacro(const XMLElement& element) const;

  /// Its name in quotes, after a space; nothing if it has none.
  static std::string quoted(const XMLElement& element);

  std::string text_of(const XMLElement& element, const char* attribute) const;
  std::vector<double> numbers(const XMLElement& element, const char* attribute, std::size_t count) const;
  double number(const XMLElement& element, const char* attribute) const { return numbers(element, attribute, 1)[0]; }
  double number_or(const XMLElement& element, const char* attribute, double otherwise) const;
  Vec3 vector(const XMLElement& element, const char* attribute) const;

  /// Of the child `origin`.
  Frame origin_of(const XMLElement& parent, const std::string& item);

  /// Null if there is none. Fails at a second one.
  const XMLElement* only_child(const XMLElement& parent, const char* name) const;

  /// Fails at a second child of one of these names.
  void refuse_twins(const XMLElement& parent, std::initializer_list<const char*> names) const;

 private:
  const std::string& file_;
  std::vector<ImportNote>& notes_;
};

}  // namespace jostle::urdf
