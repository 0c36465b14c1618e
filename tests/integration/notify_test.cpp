// A gate tells a program how it ended; the helpers of docs/notify against a web server of our own.
#include <gmock/gmock.h>

#include <abgate/base/json.hpp>

#include "support/changed_phases.hpp"
#include "support/files.hpp"

namespace abgate::test {
namespace {

namespace fs = std::filesystem;
using testing::Contains;
using testing::HasSubstr;
using testing::Not;

class Notify : public ChangedPhases {
 protected:
  std::string script(const std::string& name, const std::string& body) const {
    const std::string path = directory_ / name;
    write_file(path, "#!/bin/sh\n" + body);
    fs::permissions(path, fs::perms::owner_all);
    return path;
  }
  GateRun tell(const std::vector<std::string>& more,
               const std::vector<std::string>& environment = {}) {
    const std::string phases = ABGATE_SOURCE_DIR "/tests/data/phases/";
    GateRun run;
    run.program =
        abgate(with({"score", "--workload", gptoss, "--format", "json", "--baseline",
                     phases + "gptoss-baseline", "--candidate", phases + "gptoss-candidate-slow"},
                    more),
               environment);
    if (auto record = parse_json(run.program.out, "score")) run.record = std::move(*record);
    return run;
  }
};

TEST_F(Notify, TheProgramGetsRecordAndReport) {
  const std::string program =
      script("tell", "cd \"" + directory_.path().string() +
                         "\"; cat > in.json; cp \"$ABGATE_REPORT\" report.txt\n"
                         "cp \"$ABGATE_RECORD\" record.json\n"
                         "echo \"$ABGATE_VERDICT $ABGATE_EXIT_CODE $# $1 $2\" > said\n");
  const auto run = tell(
      {"--notify-command", program, "--notify-arg", "a b", "--notify-arg", "--$(touch injected)"});
  EXPECT_EQ(run.program.exit, 1) << run.describe();
  EXPECT_EQ(read_file(directory_ / "said"), "REGRESSION 1 2 a b --$(touch injected)\n");
  EXPECT_EQ(read_file(directory_ / "in.json"), run.program.out);
  EXPECT_EQ(read_file(directory_ / "record.json"), run.program.out);
  EXPECT_THAT(read_file(directory_ / "report.txt"), HasSubstr("REGRESSION"));
  EXPECT_FALSE(run.has_reason("notify-failed"));
}

TEST_F(Notify, AFailureIsANoteAndNothingElse) {
  const std::string program = script("tell", "echo \"no route, token $HF_TOKEN\" >&2; exit 7\n");
  const auto run = tell({"--notify-command", program, "--results-dir", directory_ / "results"},
                        {"HF_TOKEN=hf_abcdefghijklmnopqrstuvwxyzabcdefgh"});
  EXPECT_EQ(run.program.exit, 1) << run.describe();
  EXPECT_EQ(run.verdict(), "REGRESSION");
  EXPECT_THAT(run.reason_text("notify-failed", "message"), HasSubstr("exited with status 7"));
  EXPECT_EQ(run.reason_text("notify-failed", "weight"), "note");
  EXPECT_THAT(run.program.err, HasSubstr("notify: no route, token [redacted]"));
  const auto runs = fs::directory_iterator(directory_ / "results" / "runs");
  ASSERT_NE(runs, fs::directory_iterator());
  EXPECT_THAT(read_file(runs->path() / "gate.json"), HasSubstr("notify-failed"));
}

TEST_F(Notify, ARunTellsToo) {
  const std::string program =
      script("tell", "cat > \"" + directory_.path().string() +
                         "/in.json\"; test -s \"$ABGATE_REPORT\" && test -s \"$ABGATE_RECORD\"\n");
  const auto good =
      run_gate(directory_ / "good", {"--cluster", "local", "--notify-command", program},
               {"ABGATE_STANDIN_FAULT=exit:3", "ABGATE_STANDIN_WORK=0.05"});
  EXPECT_EQ(good.program.exit, 3) << good.describe();
  EXPECT_EQ(read_file(directory_ / "in.json"), read_file(good.work_dir / "gate.json"));

  const auto bad = run_gate(
      directory_ / "bad",
      {"--cluster", "local", "--notify-command", "/bin/false", "--results-dir", directory_ / "r"},
      {"ABGATE_STANDIN_FAULT=exit:3", "ABGATE_STANDIN_WORK=0.05"});
  EXPECT_EQ(bad.program.exit, 3) << bad.describe();
  EXPECT_TRUE(bad.has_reason("notify-failed"));
  EXPECT_THAT(read_file(bad.work_dir / "summary.txt"), HasSubstr("notify-failed"));
}

TEST_F(Notify, AProgramThatIsNotThereIsKnownFirst) {
  const auto run = tell({"--notify-command", "curl -X POST"});
  EXPECT_EQ(run.program.exit, 2);
  EXPECT_THAT(run.program.err, HasSubstr("each of its arguments by --notify-arg"));
}

/// A web server that keeps what it was posted and answers with `status`.
class Listener {
 public:
  Listener(const fs::path& folder, int status)
      : program_({{"/usr/bin/python3", "-c", code, folder.string(), std::to_string(status)},
                  {},
                  folder}) {
    EXPECT_TRUE(program_.wait_for_output("\n", std::chrono::seconds(20)));
  }
  std::string url() const {
    const std::string port = program_.out();
    return "http://127.0.0.1:" + port.substr(0, port.find('\n')) + "/hook?a=b";
  }

 private:
  static constexpr const char* code = R"(
import http.server, sys
class Handler(http.server.BaseHTTPRequestHandler):
    def do_POST(self):
        body = self.rfile.read(int(self.headers['Content-Length']))
        open(sys.argv[1] + '/posted', 'wb').write(body)
        open(sys.argv[1] + '/posted.type', 'w').write(self.path + ' ' + self.headers['Content-Type'])
        self.send_response(int(sys.argv[2]))
        self.end_headers()
    def log_message(self, *arguments):
        pass
server = http.server.HTTPServer(('127.0.0.1', 0), Handler)
print(server.server_port, flush=True)
server.serve_forever()
)";
  RunningProgram program_;
};

const std::string webhook = ABGATE_SOURCE_DIR "/docs/notify/webhook.sh";

TEST_F(Notify, TheWebhookHelperPostsToSlackAndTeams) {
  const Listener listener(directory_.path(), 200);
  for (const char* kind : {"slack", "teams"}) {
    const auto run = tell({"--notify-command", webhook, "--notify-arg", kind},
                          {"ABGATE_WEBHOOK_URL=" + listener.url()});
    EXPECT_FALSE(run.has_reason("notify-failed")) << run.describe();
    const auto posted = parse_json(read_file(directory_ / "posted"), kind);
    ASSERT_TRUE(posted);
    EXPECT_THAT(posted->dump(), HasSubstr("REGRESSION - gpt-oss-120b-training on unknown"));
    EXPECT_NE(posted->find(std::string(kind) == "slack" ? "blocks" : "attachments"), nullptr);
    EXPECT_EQ(read_file(directory_ / "posted.type"), "/hook?a=b application/json");
  }
}

TEST_F(Notify, AWebhookThatRefusesIsANoteWithoutItsAddress) {
  const Listener listener(directory_.path(), 403);
  const auto run = tell({"--notify-command", webhook, "--notify-arg", "slack"},
                        {"ABGATE_WEBHOOK_URL=" + listener.url()});
  EXPECT_TRUE(run.has_reason("notify-failed")) << run.describe();
  EXPECT_THAT(run.program.out + run.program.err, Not(HasSubstr("/hook")));
}

TEST_F(Notify, NothingInARecordBecomesMarkup) {
  const std::string record =
      R"({"verdict":"PASS","run_id":"r","legs":[],"config":{"workload":{"name":"<!channel> *x*"}},)"
      R"("reasons":[{"code":"c","weight":"leg","message":"[a](http://b) \u001b[31m\n@all"}]})";
  write_file(directory_ / "record.json", record);
  const auto message = [&](const std::string& kind) {
    return run_program({"/bin/sh", "-c", "python3 \"$0\" \"$1\" < \"$2\"",
                        ABGATE_SOURCE_DIR "/docs/notify/message.py", kind,
                        directory_ / "record.json"})
        .out;
  };
  const auto slack = parse_json(message("slack"), "slack");
  ASSERT_TRUE(slack);
  EXPECT_THAT(slack->find("text")->as_string(), HasSubstr("&lt;!channel&gt;"));
  for (const Json& block : slack->find("blocks")->items())
    EXPECT_EQ(block.at({"text", "type"})->as_string(), "plain_text");
  EXPECT_THAT(message("teams"), Not(HasSubstr("TextBlock\", \"text")));
  EXPECT_THAT(message("text"), HasSubstr("[a](http://b)  [31m @all [c]"));
}

TEST_F(Notify, TheMailHelperSendsTheReport) {
  const std::string sendmail =
      script("sendmail", "echo \"$*\" > \"" + directory_.path().string() +
                             "/arguments\"; cat > \"" + directory_.path().string() + "/mail\"\n");
  const auto run = tell({"--notify-command", ABGATE_SOURCE_DIR "/docs/notify/mail.sh",
                         "--notify-arg", "team@example.org\nBcc: x@example.org"},
                        {"SENDMAIL=" + sendmail});
  EXPECT_FALSE(run.has_reason("notify-failed")) << run.describe();
  EXPECT_EQ(read_file(directory_ / "arguments"), "-oi -t\n");
  const std::string mail = read_file(directory_ / "mail");
  EXPECT_THAT(mail, testing::StartsWith("To: team@example.orgBcc: x@example.org\nSubject: abgate: "
                                        "REGRESSION - gpt-oss-120b-training on unknown\n"));
  EXPECT_THAT(mail, HasSubstr("\n\nREGRESSION  exit code 1"));
}

}  // namespace
}  // namespace abgate::test
