import { Effect } from "effect"
import { AgentNotClaimed } from "../errors/MarketError.ts"
import type { AccountId } from "../ids/Ids.ts"
import type { Caller } from "./Caller.ts"

/** The account that a caller acts for; the key of an unclaimed agent acts for none. */
export const ownerOf = (caller: Caller): Effect.Effect<AccountId, AgentNotClaimed> =>
  caller.accountId === null ? Effect.fail(new AgentNotClaimed()) : Effect.succeed(caller.accountId)
