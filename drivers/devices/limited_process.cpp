#include "drivers/devices/limited_process.hpp"

#include <fcntl.h>
#include <spawn.h>
#include <sys/wait.h>
#include <unistd.h>

#include <algorithm>
#include <array>
#include <csignal>
#include <thread>

namespace jostle {
namespace {

using Clock = std::chrono::steady_clock;
constexpr std::chrono::milliseconds between_looks{2};

/// A process and the pipe of its stdout. The destructor kills it and its group if it still runs.
class Child {
 public:
  explicit Child(std::vector<std::string>& words) {
    if (::pipe2(pipe_.data(), O_CLOEXEC | O_NONBLOCK) != 0) return;
    spawn(words);
    ::close(pipe_[1]);
  }
  Child(const Child&) = delete;
  Child& operator=(const Child&) = delete;
  ~Child() {
    if (process_ > 0) kill();
    if (pipe_[0] >= 0) ::close(pipe_[0]);
  }

  /// True also if it was never started.
  bool has_ended() {
    if (process_ > 0 && ::waitpid(process_, &status_, WNOHANG) != 0) process_ = -1;
    return process_ < 0;
  }

  /// Call after has_ended().
  ProcessEnd end() const {
    ProcessEnd end;
    end.how = WIFSIGNALED(status_) ? ProcessEnd::How::signalled : ProcessEnd::How::exited;
    end.number = WIFSIGNALED(status_) ? WTERMSIG(status_) : WEXITSTATUS(status_);
    end.out = output();
    return end;
  }

  /// What it has written to stdout so far.
  std::string output() const {
    std::string text;
    std::array<char, 4096> piece;
    for (ssize_t count; (count = ::read(pipe_[0], piece.data(), piece.size())) > 0;)
      text.append(piece.data(), static_cast<std::size_t>(count));
    return text;
  }

 private:
  void spawn(std::vector<std::string>& words) {
    std::vector<char*> arguments(words.size() + 1);
    std::transform(words.begin(), words.end(), arguments.begin(), [](std::string& word) { return word.data(); });
    posix_spawn_file_actions_t files;
    posix_spawn_file_actions_init(&files);
    posix_spawn_file_actions_addopen(&files, STDIN_FILENO, "/dev/null", O_RDONLY, 0);
    posix_spawn_file_actions_adddup2(&files, pipe_[1], STDOUT_FILENO);
    posix_spawn_file_actions_addopen(&files, STDERR_FILENO, "/dev/null", O_WRONLY, 0);
    posix_spawnattr_t group;
    posix_spawnattr_init(&group);
    posix_spawnattr_setflags(&group, POSIX_SPAWN_SETPGROUP);
    if (::posix_spawn(&process_, arguments[0], &files, &group, arguments.data(), environ) != 0) process_ = -1;
    posix_spawnattr_destroy(&group);
    posix_spawn_file_actions_destroy(&files);
  }

  /// A process that hangs in a driver may not die until the driver returns, so the wait is limited.
  void kill() {
    ::kill(-process_, SIGKILL);
    const Clock::time_point end = Clock::now() + std::chrono::seconds(1);
    while (!has_ended() && Clock::now() < end) std::this_thread::sleep_for(between_looks);
  }

  pid_t process_ = -1;
  int status_ = 127 << 8;  // of a process that could not be started
  std::array<int, 2> pipe_ = {-1, -1};
};

}  // namespace

ProcessEnd run_limited(std::vector<std::string> words, std::chrono::milliseconds limit, const std::atomic<bool>& stop) {
  const Clock::time_point end = Clock::now() + limit;
  Child child(words);
  while (!child.has_ended()) {
    if (stop) return {ProcessEnd::How::stopped, 0, child.output()};
    if (Clock::now() >= end) return {ProcessEnd::How::timed_out, 0, child.output()};
    std::this_thread::sleep_for(between_looks);
  }
  return child.end();
}

}  // namespace jostle
