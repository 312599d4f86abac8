import { Marketplace } from "@agent-marketplace/client"
import { MarketplaceError } from "@agent-marketplace/client/MarketplaceError"
import type { Agent, SkillDetail } from "@agent-marketplace/client/wire/Endpoints"
import { queryOptions } from "@tanstack/react-query"
import { connection, market } from "../market.ts"

/** The agent of the tour, its limit, and what it wants. */
export interface Errand {
  readonly agent: Agent
  /** The price in USDT up to which it buys by itself. */
  readonly threshold: number
  readonly item: SkillDetail
}

/** Null where the agent or the item of the tour is gone. */
export const errandQuery = queryOptions({
  queryKey: ["demonstration", "errand"],
  queryFn: async (): Promise<Errand | null> => {
    const agents = await market.agents.list({ limit: 100 })
    const agent = agents.find(({ name, retiredAt }) => name === "Research agent" && retiredAt === null)
    if (agent === undefined) return null
    try {
      const [policy, item] = await Promise.all([
        market.agents.policy.get(agent.id),
        market.skills.get("contract-reader")
      ])
      return { agent, threshold: policy.autoApproveThreshold ?? 0, item }
    } catch (error) {
      if (error instanceof MarketplaceError && error.statusCode === 404) return null
      throw error
    }
  },
  staleTime: 0
})

/** The id in the details of a purchase that was made before. */
const earlier = (error: unknown): string | undefined =>
  error instanceof MarketplaceError && error.code === "ALREADY_PURCHASED"
    ? String(error.details["purchaseId"])
    : undefined

/**
 * Buys as the agent, over the API: with a key of its own, which is deactivated afterwards. Returns the id of the purchase. A purchase that waits
 * already is returned instead of a second one.
 */
export const buyAsAgent = async ({ agent, item }: Errand): Promise<string> => {
  const waiting = await market.approvals.list({ status: "pending", limit: 100 })
  const found = waiting.find(({ agentId, skill }) => agentId === agent.id && skill.id === item.id)
  if (found !== undefined) return found.purchaseId
  const expiresAt = new Date(Date.now() + 600_000).toISOString()
  const key = await market.keys.create({ name: "Tour", scope: "BUYER", agentId: agent.id, expiresAt })
  try {
    const asAgent = new Marketplace({
      apiKey: key.key,
      baseUrl: connection.baseUrl,
      fetch: (url, init) => fetch(url, { ...init, credentials: "omit" })
    })
    return (await asAgent.skills.buy({ skillId: item.id })).purchaseId
  } catch (error) {
    const before = earlier(error)
    if (before === undefined) throw error
    return before
  } finally {
    await market.keys.deactivate(key.id)
  }
}
