#include <csignal>

#include <gmock/gmock.h>
#include <unistd.h>

#include <abgate/runner/notify.hpp>

#include "fakes.hpp"

namespace abgate::runner {
namespace {

using testing::HasSubstr;

class Silent : public Observer {
 public:
  void on_event(const Event& event) override { said += event.text + "\n"; }
  std::string said;
};

class NotifyTest : public testing::Test {
 protected:
  std::string told(const std::string& script, std::chrono::milliseconds deadline) {
    Notification notification{{"sh", "-c", script}, "/dev/null", "", deadline};
    const auto failed =
        notify(notification, GateRecord{}, {{"PATH", "/usr/bin:/bin"}}, observer_, gate_);
    return failed ? failed->message : "ok";
  }
  Silent observer_;
  process::SignalGate gate_;
};

TEST_F(NotifyTest, NobodyIsToldWithoutAProgram) {
  EXPECT_FALSE(notify({}, GateRecord{}, {}, observer_, gate_));
}

TEST_F(NotifyTest, ADeadlineEndsTheProgramAndAllThatItStarted) {
  const auto begin = std::chrono::steady_clock::now();
  EXPECT_THAT(told("sleep 600 & sleep 600", std::chrono::milliseconds(300)),
              HasSubstr("did not end within 300 ms"));
  EXPECT_LT(std::chrono::steady_clock::now() - begin, std::chrono::seconds(30));
}

TEST_F(NotifyTest, WhatAFailedProgramSaidIsPassedOnOnce) {
  EXPECT_EQ(told("echo fine; exit 0", std::chrono::seconds(30)), "ok");
  EXPECT_EQ(observer_.said, "");
  EXPECT_THAT(told("printf 'one\\n\\ntwo\\n' >&2; kill -9 $$", std::chrono::seconds(30)),
              HasSubstr("signal 9"));
  EXPECT_EQ(observer_.said, "notify: one\nnotify: two\n");
}

TEST_F(NotifyTest, AfterASignalNobodyIsTold) {
  ::kill(::getpid(), SIGTERM);
  EXPECT_EQ(told("exit 0", std::chrono::seconds(30)),
            "sh was not told: the gate was stopped by a signal");
}

}  // namespace
}  // namespace abgate::runner
