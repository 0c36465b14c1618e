// What the program finds when it starts, and what is told when it can't.

#include <cerrno>

#include <fcntl.h>
#include <sys/resource.h>
#include <sys/stat.h>

#include "support.hpp"

namespace abgate::process {
namespace {

TEST(StartTest, GivesTheEnvironmentExactly) {
  const auto run = record({{"/usr/bin/env"}, {{"A", "1"}, {"B", "two words\n="}}, ""});
  EXPECT_EQ(run.out, "A=1\nB=two words\n=\n");
  EXPECT_EQ(describe(run.outcome), "exited with status 0");
}

TEST(StartTest, LooksTheProgramUpInThePathOfTheEnvironment) {
  ScratchFolder scratch;
  std::ofstream(scratch / "sh") << "#!/bin/sh\necho mine \"$@\"\n";
  ::chmod((scratch / "sh").c_str(), 0755);
  EXPECT_EQ(record({{"sh", "x"}, {{"PATH", scratch.path()}}, ""}).out, "mine x\n");
}

TEST(StartTest, LeavesOnlyTheStandardStreamsOpen) {
  const int low = ::open("/dev/null", O_RDONLY);  // NOLINT(*-cloexec): it is to be inherited
  const int high = ::fcntl(low, F_DUPFD, 200);    // NOLINT(*-cloexec)
  const auto run = record(shell("exec ls /proc/self/fd"));
  EXPECT_EQ(run.out, "0\n1\n2\n3\n") << "3 is the folder that ls reads";
  ::close(low);
  ::close(high);
}

TEST(StartTest, TakesStdinFromNowhere) {
  const auto run = record(shell("readlink /proc/self/fd/0; cat; echo end"));
  EXPECT_EQ(run.out, "/dev/null\nend\n");
}

TEST(StartTest, TakesStdinFromAFile) {
  ScratchFolder scratch;
  std::ofstream(scratch / "in") << "one\ntwo\n";
  auto command = shell("cat; exec ls /proc/self/fd");
  command.input = scratch / "in";
  EXPECT_EQ(record(command).out, "one\ntwo\n0\n1\n2\n3\n") << "3 is the folder that ls reads";
  command.input = scratch / "absent";
  EXPECT_EQ(describe(record(command).outcome),
            "could not be started: input: No such file or directory");
}

TEST(StartTest, ResetsSignalsWhateverOursAre) {
  OtherProcess other([] {
    for (const int number : {SIGUSR1, SIGHUP, SIGPIPE, SIGQUIT})
      std::signal(number, SIG_IGN);
    sigset_t blocked;
    sigemptyset(&blocked);
    for (const int number : {SIGUSR2, SIGALRM})
      sigaddset(&blocked, number);
    pthread_sigmask(SIG_BLOCK, &blocked, nullptr);
    return record({{"grep", "-E", "Sig(Blk|Ign)", "/proc/self/status"}, {{"PATH", test_path}}, ""})
        .out;
  });
  EXPECT_EQ(other.result(), "SigBlk:\t0000000000000000\nSigIgn:\t0000000000000000\n");
}

TEST(StartTest, StartsInTheDirectoryWithOurUmask) {
  OtherProcess other([] {
    ::umask(0027);
    auto command = shell("pwd; umask");
    command.directory = "/usr";
    return record(command).out;
  });
  EXPECT_EQ(other.result(), "/usr\n0027\n");
}

TEST(StartTest, IsTheLeaderOfItsOwnGroupAwayFromOurSession) {
  pid_t group = 0;
  pid_t session = 0;
  Hooks hooks;
  hooks.on_started = [&](pid_t pid) {
    group = ::getpgid(pid);
    session = ::getsid(pid);
  };
  const auto run = record(shell("sleep 0.1"), {}, hooks);
  EXPECT_EQ(run.started, 1);
  EXPECT_EQ(group, run.pid);
  EXPECT_NE(session, ::getsid(0));
}

TEST(StartTest, WorksWhenOurOwnStandardStreamsAreClosed) {
  OtherProcess other([] {
    for (const int fd : {0, 1, 2})
      ::close(fd);
    const auto run = record(shell("ls /proc/self/fd; echo wrong >&2"));
    return run.out + run.err + describe(run.outcome);
  });
  EXPECT_EQ(other.result(), "0\n1\n2\n3\nwrong\nexited with status 0");
}

TEST(StartTest, SaysWhyAProgramCouldNotBeStarted) {
  ScratchFolder scratch;
  const auto file = [&](const std::string& name, const std::string& text, mode_t mode) {
    std::ofstream(scratch / name) << text;
    ::chmod((scratch / name).c_str(), mode);
    return scratch / name;
  };
  const std::string plain = file("plain", "text", 0644);
  const std::string unknown = file("unknown", "text without a loader", 0755);
  const std::string orphan = file("orphan", "#!/nowhere/interpreter\n", 0755);
  struct Case {
    std::vector<std::string> argv;
    std::string directory;
    std::string expected;
  };
  const std::vector<Case> cases{
      {{"no-such-program"}, "", "exec: No such file or directory"},
      {{scratch / "no-such-file"}, "", "exec: No such file or directory"},
      {{plain}, "", "exec: Permission denied"},
      {{"plain"}, "", "exec: Permission denied"},
      {{scratch.path()}, "", "exec: Permission denied"},
      {{unknown}, "", "exec: Exec format error"},
      {{orphan}, "", "exec: No such file or directory"},
      {{"sh"}, scratch / "gone", "chdir: No such file or directory"},
      {{"sh"}, plain, "chdir: Not a directory"},
      {{}, "", "exec: Invalid argument"},
      {{std::string("sh\0x", 4)}, "", "exec: Invalid argument"},
      {{"sh", std::string(3U << 20U, 'x')}, "", "exec: Argument list too long"},
  };
  for (const auto& c : cases) {
    const auto run = record({c.argv, {{"PATH", test_path + ":" + scratch.path()}}, c.directory});
    EXPECT_EQ(describe(run.outcome), "could not be started: " + c.expected);
    EXPECT_EQ(run.started, 0) << c.expected;
  }
  EXPECT_EQ(describe(record({{"sh"}, {{"A=B", "C"}}, ""}).outcome),
            "could not be started: exec: Invalid argument");
}

TEST(StartTest, SaysThatDescriptorsAreUsedUp) {
  OtherProcess other([] {
    const int next = ::open("/dev/null", O_RDONLY | O_CLOEXEC);
    const rlimit limit{static_cast<rlim_t>(next) + 3, static_cast<rlim_t>(next) + 3};
    ::setrlimit(RLIMIT_NOFILE, &limit);
    return describe(record(shell("exit 0")).outcome);
  });
  EXPECT_EQ(other.result(), "could not be started: pipe: Too many open files");
}

}  // namespace
}  // namespace abgate::process
