#include <abgate/cli/cli.hpp>

int main(int argc, char** argv) {
  return abgate::cli::main(argc, argv);
}
