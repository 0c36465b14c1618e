#pragma once

#include "arguments.hpp"

namespace abgate::standin {

/// `run`: what madengine does with a manifest (FORMATS 2). Returns the exit status.
int run_engine(const Arguments& arguments);

}  // namespace abgate::standin
