import type { Chain } from "@agent-marketplace/core/chain/Chain"
import type { Issue } from "@agent-marketplace/core/errors/MarketError"
import { Effect } from "effect"

/** What speaks against paying to that address on the simulated chain (OPERATOR-18), where it is given. */
export const receiverViolations = (
  chain: Chain["Service"],
  address: string | undefined
): Effect.Effect<ReadonlyArray<Issue>> =>
  address === undefined
    ? Effect.succeed([])
    : Effect.map(chain.isAddress(address), (valid) =>
        valid ? [] : [{ path: "address", message: `must be a valid ${chain.name} address` }]
      )
