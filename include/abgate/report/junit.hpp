#pragma once

#include <string>

#include <abgate/model/record.hpp>

namespace abgate::report {

/// JUnit XML as Jenkins and GitLab read it: one test case a leg. A regression is a failure; NO
/// VERDICT and INFRA are errors, of the legs, and of a test case `gate` when no leg shows it.
/// Shape: the junit-10 schema of Jenkins' xUnit plugin.
std::string render_junit(const GateRecord& record);

}  // namespace abgate::report
