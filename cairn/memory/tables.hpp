// Embedding tables in the backing store: rows are fetched to the device and written back.
#pragma once

#include <optional>
#include <vector>

#include "cairn/memory/liveness.hpp"
#include "cairn/memory/policy.hpp"

namespace cairn::memory {

// By storage: bytes of the rows that a step looks up, for tables in the backing store and their
// optimizer states; nothing for all others.
std::vector<std::optional<Bytes>> looked_up_rows(const plan::Plan& plan, const Policy& policy);

// The operator's tensors with rows in `rows`: tables in the backing store.
std::vector<Id<model::Tensor>> stored_tables(const plan::Plan& plan,
                                             const std::vector<std::optional<Bytes>>& rows,
                                             const model::Operator& op);

}  // namespace cairn::memory
