// Linked into a program, kills it by SIGKILL at the point that JOSTLE_FAULT names (fault_points.hpp).
#include <csignal>
#include <cstdlib>
#include <string>

#include "drivers/files/atomic_file.hpp"

namespace jostle::test {
namespace {

class Killer : public WriteListener {
 public:
  explicit Killer(const std::string& fault) : point_(fault.substr(0, fault.find(':'))) {
    if (point_.size() < fault.size()) passages_ = std::stol(fault.substr(point_.size() + 1));
    set_write_listener(this);
  }

  void passed(std::string_view file, std::string_view step) override {
    const std::string name = std::string(file) + "." + std::string(step);
    if (name == point_ && --passages_ == 0) std::raise(SIGKILL);
  }

 private:
  std::string point_;
  long passages_ = 1;  ///< the process dies at this one, counted from 1
};

const char* const fault = std::getenv("JOSTLE_FAULT");
const Killer killer(fault ? fault : "");

}  // namespace
}  // namespace jostle::test
