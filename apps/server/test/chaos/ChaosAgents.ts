import { setTimeout } from "node:timers/promises"
import { assert } from "vitest"
import { dataOf, makeClient } from "../fixtures/Client.ts"
import type { Reply } from "../fixtures/Client.ts"
import type { IssuedKey, Member } from "../fixtures/Market.ts"

const dailyLimit = 5

const policy = {
  autoApprove: true,
  autoApproveThreshold: null,
  perTransactionLimit: null,
  dailyLimit,
  weeklyLimit: null,
  monthlyLimit: null,
  allowedCategories: null,
  blockedSellers: null
}

/** How many purchases an agent requests at once, which together are above its limit. */
const wishes = 10

/** An owner whose agents buy more at once than each of them may spend. */
export class ChaosAgents {
  readonly #owner: Member
  readonly #items: ReadonlyArray<string>
  #next = 0
  /** The agents whose limit was set. */
  readonly limited: Array<string> = []
  bought = 0

  constructor(owner: Member, items: ReadonlyArray<string>) {
    this.#owner = owner
    this.#items = items
  }

  /** `url` is another server with each call. */
  async run(url: () => string, isOver: () => boolean): Promise<void> {
    while (!isOver()) {
      const key = await this.#agent(url)
      if (key !== undefined) await this.#spend(key, url)
      await setTimeout(4000)
    }
  }

  /** The key of a new agent with a limit; undefined if a response was lost. */
  async #agent(url: () => string): Promise<string | undefined> {
    const lost = () => undefined
    const on = () => makeClient(url(), this.#owner.key)
    const made = await on().post("/api/v1/agents", { name: "Spender" }).catch(lost)
    if (made?.status !== 201) return undefined
    const { id } = dataOf<{ id: string }>(made, 201)
    const limited = await on().put(`/api/v1/agents/${id}/policy`, policy).catch(lost)
    if (limited?.status !== 200) return undefined
    this.limited.push(id)
    const issued = await on().post("/api/v1/keys", { name: "spender", scope: "BUYER", agentId: id }).catch(lost)
    return issued?.status === 201 ? dataOf<IssuedKey>(issued, 201).key : undefined
  }

  async #spend(key: string, url: () => string): Promise<void> {
    const from = this.#next
    this.#next += wishes
    const buy = (skillId: string): Promise<Reply | undefined> =>
      makeClient(url(), key)
        .post("/api/v1/purchases", { skillId })
        .catch(() => undefined)
    const replies = await Promise.all(this.#items.slice(from, this.#next).map(buy))
    this.bought += replies.filter((reply) => reply?.status === 201).length
  }

  /** No agent has spent more than its limit: all windows began before the run (POLICY-1). */
  async assertWithin(query: (text: string) => Promise<ReadonlyArray<Record<string, unknown>>>): Promise<void> {
    const rows = await query(
      `SELECT agent_id, sum(amount)::int AS spent FROM purchases WHERE agent_id IS NOT NULL AND status IN ('completed', 'pending') GROUP BY agent_id`
    )
    for (const { agent_id, spent } of rows) {
      assert.include(this.limited, String(agent_id))
      assert.isAtMost(Number(spent), dailyLimit * 1e6, `the limit of ${String(agent_id)}`)
    }
    assert.isAbove(rows.length, 0, "no agent has bought anything: the test proves nothing about limits")
  }
}
