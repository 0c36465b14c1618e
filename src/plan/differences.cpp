#include "differences.hpp"

#include <algorithm>

namespace abgate::plan {
namespace {

class Comparison {
 public:
  std::vector<Difference> take() { return std::move(found_); }

  void compare(const Json& a, const Json& b, const std::string& pointer) {
    if (a == b) return;
    if (a.is_object() && b.is_object()) {
      compare_objects(a, b, pointer);
    } else if (a.is_array() && b.is_array()) {
      compare_arrays(a, b, pointer);
    } else {
      found_.push_back({pointer, a, b});
    }
  }

 private:
  void compare_objects(const Json& a, const Json& b, const std::string& pointer) {
    if (is_renamed_entry(a, b, pointer)) {
      const Json::Member& left = a.members().front();
      const Json::Member& right = b.members().front();
      found_.push_back({pointer, left.key, right.key});
      compare(left.value, right.value, pointer_join(pointer, left.key));
      return;
    }
    for (const Json::Member& member : a.members()) {
      const Json* other = b.find(member.key);
      const std::string place = pointer_join(pointer, member.key);
      if (other == nullptr) {
        found_.push_back({place, member.value, std::nullopt});
      } else {
        compare(member.value, *other, place);
      }
    }
    for (const Json::Member& member : b.members()) {
      if (a.find(member.key) == nullptr) {
        found_.push_back({pointer_join(pointer, member.key), std::nullopt, member.value});
      }
    }
  }

  void compare_arrays(const Json& a, const Json& b, const std::string& pointer) {
    const std::size_t length = std::max(a.items().size(), b.items().size());
    for (std::size_t i = 0; i < length; ++i) {
      const std::string place = pointer_join(pointer, i);
      if (i >= b.items().size()) {
        found_.push_back({place, a.items()[i], std::nullopt});
      } else if (i >= a.items().size()) {
        found_.push_back({place, std::nullopt, b.items()[i]});
      } else {
        compare(a.items()[i], b.items()[i], place);
      }
    }
  }

  static bool is_renamed_entry(const Json& a, const Json& b, const std::string& pointer) {
    return (pointer == "/built_images" || pointer == "/built_models") && a.members().size() == 1 &&
           b.members().size() == 1 && a.members().front().key != b.members().front().key;
  }

  std::vector<Difference> found_;
};

}  // namespace

std::vector<Difference> differences(const Json& baseline, const Json& candidate) {
  Comparison comparison;
  comparison.compare(baseline, candidate, "");
  return comparison.take();
}

}  // namespace abgate::plan
