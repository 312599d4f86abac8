import { AccountFrozen, AgentFrozen } from "../errors/MarketError.ts"
import type { AccountId, AgentId } from "../ids/Ids.ts"
import type { MarketState } from "./MarketState.ts"

/** The refusal of a change by a frozen account or by its frozen agent; undefined if neither is frozen. */
export const frozenOf = (
  { frozen }: MarketState,
  account: AccountId,
  agent: AgentId | null = null
): AccountFrozen | AgentFrozen | undefined => {
  const ofAccount = frozen.get(account)
  if (ofAccount !== undefined) return new AccountFrozen(ofAccount)
  const ofAgent = agent === null ? undefined : frozen.get(agent)
  return ofAgent === undefined ? undefined : new AgentFrozen(ofAgent)
}
