#include "support/temp_dir.hpp"

#include <cstdlib>
#include <iostream>
#include <stdexcept>
#include <system_error>

#include <gtest/gtest.h>

namespace abgate::test {
namespace {

// Outside of a test (a fixture shared by all) the failure of any of them counts.
bool test_failed() {
  const auto* unit = ::testing::UnitTest::GetInstance();
  const auto* current = unit->current_test_info();
  return current != nullptr ? current->result()->Failed() : unit->Failed();
}

}  // namespace

TempDir::TempDir() {
  std::string name = std::filesystem::temp_directory_path() / "abgate-XXXXXX";
  if (::mkdtemp(name.data()) == nullptr) {
    throw std::system_error(errno, std::generic_category(), "mkdtemp " + name);
  }
  path_ = name;
}

TempDir::~TempDir() {
  if (test_failed()) {
    std::cerr << "kept for a look: " << path_.string() << '\n';
    return;
  }
  std::error_code error;
  std::filesystem::remove_all(path_, error);
}

}  // namespace abgate::test
