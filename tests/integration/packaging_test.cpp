// The release binary runs when it is copied alone, and finds its configs wherever it is installed.
#include <cstring>

#include <elf.h>
#include <gtest/gtest.h>
#include <unistd.h>

#include "support/files.hpp"
#include "support/run_program.hpp"
#include "support/temp_dir.hpp"

namespace abgate::test {
namespace {

namespace fs = std::filesystem;

const fs::path binary = fs::path(ABGATE_BINARY_DIR) / "abgate";
const fs::path configs = fs::path(ABGATE_SOURCE_DIR) / "configs";

struct Linkage {
  bool interpreter = false;
  int needed_libraries = 0;
};

template <typename T>
T at(const std::string& bytes, std::size_t offset) {
  T value{};
  if (offset + sizeof value > bytes.size()) {
    ADD_FAILURE() << "the file ends inside a header";
    return value;
  }
  std::memcpy(&value, bytes.data() + offset, sizeof value);
  return value;
}

Linkage linkage_of(const fs::path& file) {
  const std::string bytes = read_file(file);
  Linkage linkage;
  const auto header = at<Elf64_Ehdr>(bytes, 0);
  EXPECT_EQ(std::memcmp(header.e_ident, ELFMAG, SELFMAG), 0) << file;
  for (std::size_t i = 0; i < header.e_phnum; ++i) {
    const auto segment = at<Elf64_Phdr>(bytes, header.e_phoff + i * header.e_phentsize);
    if (segment.p_type == PT_INTERP) linkage.interpreter = true;
    if (segment.p_type != PT_DYNAMIC) continue;
    for (std::size_t entry = 0; entry < segment.p_filesz; entry += sizeof(Elf64_Dyn)) {
      const auto dynamic = at<Elf64_Dyn>(bytes, segment.p_offset + entry);
      if (dynamic.d_tag == DT_NEEDED) ++linkage.needed_libraries;
    }
  }
  return linkage;
}

// In a root that holds nothing else: no loader, no library, no /proc, no /etc.
ProgramResult run_in_root(const fs::path& root, const std::string& program,
                          const std::vector<std::string>& arguments) {
  std::vector<std::string> argv{"chroot", root, program};
  if (::geteuid() != 0) argv.insert(argv.begin(), {"unshare", "-r"});
  argv.insert(argv.end(), arguments.begin(), arguments.end());
  return run_program(argv);
}

const std::vector<std::string> plan_of_demo{
    "plan",      "--workload",      "demo",
    "--cluster", "local",           "--nodes",
    "2",         "--candidate-env", "ABGATE_STANDIN_SLOWDOWN=1"};

void expect_all_configs(const ProgramResult& listed) {
  EXPECT_EQ(listed.exit, 0) << listed.describe();
  for (const auto* name :
       {"demo", "gpt-oss-120b-training", "llama-3.1-70b-training", "local", "ruby"}) {
    EXPECT_NE(listed.out.find(name), std::string::npos) << name << '\n' << listed.describe();
  }
}

TEST(Packaging, TheReaderSeesADynamicExecutable) {
  const auto linkage = linkage_of("/usr/bin/env");
  EXPECT_TRUE(linkage.interpreter);
  EXPECT_GE(linkage.needed_libraries, 1);
}

TEST(Packaging, TheBinaryIsNoDynamicExecutable) {
  const auto linkage = linkage_of(binary);
  EXPECT_FALSE(linkage.interpreter);
  EXPECT_EQ(linkage.needed_libraries, 0);
}

TEST(Packaging, StartsInAnEmptyRootWithOnlyItsConfigs) {
  const TempDir root;
  fs::copy_file(binary, root / "abgate");
  fs::copy(configs, root / "configs", fs::copy_options::recursive);

  const auto version = run_in_root(root.path(), "/abgate", {"--version"});
  EXPECT_EQ(version.exit, 0) << version.describe();
  EXPECT_EQ(version.out.rfind("abgate ", 0), 0U) << version.out;
  expect_all_configs(run_in_root(root.path(), "/abgate", {"configs"}));
  const auto plan = run_in_root(root.path(), "/abgate", plan_of_demo);
  EXPECT_EQ(plan.exit, 0) << plan.describe();
  EXPECT_NE(plan.out.find("baseline"), std::string::npos) << plan.describe();
  // `plan` writes nothing.
  EXPECT_EQ(std::distance(fs::directory_iterator(root.path()), fs::directory_iterator()), 2);
}

TEST(Packaging, AloneItStillSaysWhatItLacks) {
  const TempDir root;
  fs::copy_file(binary, root / "abgate");
  const auto plan = run_in_root(root.path(), "/abgate", plan_of_demo);
  EXPECT_EQ(plan.exit, 2) << plan.describe();
  EXPECT_NE(plan.err.find("--config-dir"), std::string::npos) << plan.describe();
}

TEST(Packaging, InstalledAndMovedItFindsItsConfigs) {
  const TempDir directory;
  const auto prefix = directory / "prefix";
  const auto installed =
      run_program({ABGATE_CMAKE, "--install", ABGATE_BUILD_DIR, "--prefix", prefix});
  ASSERT_EQ(installed.exit, 0) << installed.describe();
  EXPECT_TRUE(fs::exists(prefix / "share/abgate/configs/workloads/demo.json"));
  expect_all_configs(run_program({prefix / "bin/abgate", "configs"}, {}, "/"));
  EXPECT_EQ(read_file(prefix / "share/man/man1/abgate.1"),
            run_program({binary, "man"}, {}, "/").out);
  EXPECT_EQ(read_file(prefix / "share/bash-completion/completions/abgate"),
            run_program({binary, "completion", "bash"}, {}, "/").out);

  const auto moved = directory / "else where";
  fs::rename(prefix, moved);
  expect_all_configs(run_program({moved / "bin/abgate", "configs"}, {}, "/"));
  expect_all_configs(run_program(
      {"/usr/bin/env", "PATH=" + (moved / "bin").string(), "abgate", "configs"}, {}, "/"));
  fs::create_symlink(moved / "bin/abgate", directory / "link");
  expect_all_configs(run_program({directory / "link", "configs"}, {}, "/"));
}

}  // namespace
}  // namespace abgate::test
