#include "cairn/lower/exchange_choice.hpp"

#include <utility>

namespace cairn::lower {

Feasible<std::vector<ExchangeChoice>> choose_exchanges(std::span<const CollectiveKey> keys,
                                                       const plan::Mesh& mesh,
                                                       const comm::GroupLayout& all,
                                                       comm::Realizer& realizer) {
  std::vector<ExchangeChoice> chosen;
  for (const CollectiveKey& key : keys) {
    comm::Request request = plan::request_of(key.kind, key.size, mesh, all);
    auto choice = realizer.choose(request);
    if (!choice) {
      return choice.reason();
    }
    chosen.push_back({key, std::move(request), std::move(choice).value()});
  }
  return chosen;
}

}  // namespace cairn::lower
