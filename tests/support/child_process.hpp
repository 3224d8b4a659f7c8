#pragma once
#include <fcntl.h>
#include <spawn.h>
#include <sys/resource.h>
#include <sys/types.h>
#include <sys/wait.h>

#include <csignal>
#include <cstdint>
#include <string>
#include <vector>

namespace jostle::test {

/// Where a child runs and writes to.
struct ChildPlace {
  std::string out = "/dev/null";  ///< file for its stdout
  std::string err;                ///< file for its stderr; empty: that of this process
  std::string folder;             ///< where it is started; empty: here
};

/// A program started with its own arguments and, in front of the inherited ones, `variables` ("NAME=value").
/// Waited for at the latest when destroyed.
class ChildProcess {
 public:
  explicit ChildProcess(std::vector<std::string> arguments, std::vector<std::string> variables = {},
                        const ChildPlace& place = {}) {
    std::vector<char*> argv, envp;
    for (std::string& text : arguments) argv.push_back(text.data());
    for (std::string& text : variables) envp.push_back(text.data());
    for (char** variable = environ; *variable; ++variable) envp.push_back(*variable);
    argv.push_back(nullptr);
    envp.push_back(nullptr);
    posix_spawn_file_actions_t actions;
    posix_spawn_file_actions_init(&actions);
    constexpr int write_anew = O_WRONLY | O_CREAT | O_TRUNC;
    posix_spawn_file_actions_addopen(&actions, 1, place.out.c_str(), write_anew, 0644);
    if (!place.err.empty()) posix_spawn_file_actions_addopen(&actions, 2, place.err.c_str(), write_anew, 0644);
    if (!place.folder.empty()) posix_spawn_file_actions_addchdir_np(&actions, place.folder.c_str());
    if (posix_spawn(&process_, argv[0], &actions, nullptr, argv.data(), envp.data()) != 0) process_ = -1;
    posix_spawn_file_actions_destroy(&actions);
  }
  ChildProcess(const ChildProcess&) = delete;
  ChildProcess& operator=(const ChildProcess&) = delete;
  ~ChildProcess() {
    if (process_ > 0) wait();
  }

  void signal(int number) const { ::kill(process_, number); }

  /// Its exit status, or minus the signal that killed it.
  int wait() {
    int status = 0;
    if (process_ <= 0 || ::wait4(process_, &status, 0, &usage_) != process_) return -1000;
    process_ = -1;
    return WIFEXITED(status) ? WEXITSTATUS(status) : -WTERMSIG(status);
  }

  /// After wait(): the most memory that was resident, bytes.
  std::int64_t peak_memory() const { return std::int64_t{usage_.ru_maxrss} * 1024; }

 private:
  pid_t process_ = -1;
  rusage usage_ = {};
};

}  // namespace jostle::test
