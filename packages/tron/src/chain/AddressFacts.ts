import type { Chain } from "@agent-marketplace/core/chain/Chain"
import { ChainUnavailable } from "@agent-marketplace/core/chain/Chain"
import { Effect } from "effect"
import { hexOf } from "../nodes/Base58Check.ts"
import { Account } from "../nodes/NodeAnswers.ts"
import { askSince } from "./FinalHeads.ts"
import { tokenBalance, transferRefusal } from "./TokenCalls.ts"
import type { TronConnection } from "./TronConnection.ts"

/**
 * What the chain says about an address. Without a known wallet, refusals are simulated as payments of the token's contract: what holds for every
 * sender is still found.
 */
export const addressFacts = (
  { contract, nodes }: Pick<TronConnection, "contract" | "nodes">,
  wallet: string | undefined
): Pick<Chain["Service"], "refusal" | "hasHistory"> => ({
  refusal: Effect.fnUntraced(function* (address) {
    const from = wallet ?? contract
    const refusal = yield* transferRefusal(nodes, contract, from, address)
    if (refusal === null) return null
    const general = yield* transferRefusal(nodes, contract, from, from)
    // A paused token, or a blacklisted wallet, says nothing about the address.
    return general === null ? refusal : yield* new ChainUnavailable({ reason: `the token pays nobody: ${general}` })
  }),
  hasHistory: Effect.fnUntraced(function* (address) {
    const account = yield* askSince(nodes, "walletsolidity", 0, "getaccount", { address: hexOf(address) }, Account)
    // A deposit address that was used holds what it received, or has sent it in a sweep.
    return account.latest_opration_time !== undefined || (yield* tokenBalance(nodes, contract, address)) > 0n
  })
})
