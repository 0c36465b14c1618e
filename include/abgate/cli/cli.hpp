#pragma once

namespace abgate::cli {

/// The whole program: parses the command line, runs one subcommand and returns the exit code of
/// DESIGN 2.
int main(int argc, char** argv);

}  // namespace abgate::cli
