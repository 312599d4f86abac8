import { setTimeout } from "node:timers/promises"
import { assert } from "vitest"
import { dataOf, isRetryable, makeClient, makePatientClient } from "../fixtures/Client.ts"
import type { Reply } from "../fixtures/Client.ts"
import { onMarket } from "../fixtures/Market.ts"
import type { Member } from "../fixtures/Market.ts"
import { all } from "../fixtures/Traffic.ts"
import { waitFor } from "../fixtures/waitFor.ts"
import type { ChaosChain } from "./ChaosChain.ts"

interface Depositor extends Pick<Member, "key"> {
  readonly address: string
}

interface Withdrawal {
  readonly key: string
  readonly by: string
  /** Every withdrawal has a receiver of its own, who shows how often it was paid. */
  readonly receiver: string
  /** Undefined while it is unknown whether the request was executed. */
  answer?: Reply
}

interface WireWithdrawal {
  readonly id: string
  readonly status: string
  readonly destinationAddress: string
}

const amount = 5
const micro = (text: string): bigint => BigInt(Math.round(Number(text) * 1e6))

/** Deposits and withdrawals of a market on TRON, and the comparison of its ledger with the chain. */
export class ChaosTransfers {
  readonly #chain: ChaosChain
  readonly #depositors: ReadonlyArray<Depositor>
  readonly #withdrawals: Array<Withdrawal> = []
  #sent = 0

  private constructor(chain: ChaosChain, depositors: ReadonlyArray<Depositor>) {
    this.#chain = chain
    this.#depositors = depositors
  }

  static async prepare(baseUrl: string, chain: ChaosChain): Promise<ChaosTransfers> {
    const market = onMarket(baseUrl, { patient: true })
    const depositors = await Promise.all(
      Array.from({ length: 3 }, async () => {
        const member = await market.member()
        const { address } = dataOf<{ address: string }>(await member.get("/api/v1/wallet/deposit"))
        chain.deposit(address, 1_000_000_000n)
        await waitFor("the first deposit", async () => (await market.balanceOf(member)).availableBalance > 0, 120_000)
        return { key: member.key, address }
      })
    )
    return new ChaosTransfers(chain, depositors)
  }

  get withdrawals(): number {
    return this.#withdrawals.length
  }

  async run(url: () => string, isOver: () => boolean): Promise<void> {
    await Promise.all(this.#depositors.map((depositor) => this.#serve(depositor, url, isOver)))
  }

  async #serve({ address, key }: Depositor, url: () => string, isOver: () => boolean): Promise<void> {
    for (let n = 0; !isOver(); n++) {
      // Each amount is another one.
      this.#chain.deposit(address, 2_000_000n + BigInt(++this.#sent))
      if (n % 5 === 0) {
        const serial = this.#withdrawals.length
        const withdrawal = {
          key: `withdrawal-${serial}`,
          by: key,
          receiver: this.#chain.receiver(`receiver ${serial}`)
        }
        this.#withdrawals.push(withdrawal)
        await this.#ask(url(), withdrawal)
      }
      await setTimeout(700)
    }
  }

  async #ask(baseUrl: string, withdrawal: Withdrawal): Promise<void> {
    const { by, key, receiver } = withdrawal
    const body = { amount, destinationAddress: receiver }
    const reply = await makeClient(baseUrl, by)
      .post("/api/v1/wallet/withdrawals", body, { "idempotency-key": key })
      .catch(() => undefined)
    if (reply === undefined || isRetryable(reply)) return
    // An account may have ten open withdrawals.
    assert.oneOf(reply.status, [201, 402, 409], reply.text)
    withdrawal.answer = reply
  }

  /** Repeats each withdrawal whose response was lost until there is one. */
  async reconcile(baseUrl: string): Promise<void> {
    for (const withdrawal of this.#withdrawals) {
      await waitFor("an answer", async () => {
        if (withdrawal.answer === undefined) await this.#ask(baseUrl, withdrawal)
        return withdrawal.answer
      })
    }
  }

  /** Every deposit in a final block is credited once, and every withdrawal paid once (CHAIN-13, CHAIN-16, CHAIN-24, CHAIN-25). */
  async assertAgree(baseUrl: string): Promise<void> {
    const credited = () => this.#depositors.map((depositor) => this.#credited(baseUrl, depositor))
    const received = () => this.#depositors.map(({ address }) => this.#chain.received(address).toSorted())
    await waitFor(
      "every deposit is credited",
      async () => (await Promise.all(credited())).flat().length >= received().flat().length,
      300_000
    )
    assert.deepStrictEqual(await Promise.all(credited()), received())
    const settled = await waitFor("every withdrawal is settled", () => this.#settled(baseUrl), 300_000)
    const answered = this.#withdrawals.filter(({ answer }) => answer?.status === 201)
    assert.sameMembers(
      settled.map(({ id }) => id),
      answered.map(({ answer }) => dataOf<{ id: string }>(answer!, 201).id)
    )
    for (const { destinationAddress, id, status } of settled) {
      const paid = status === "completed" ? [micro(String(amount))] : []
      assert.deepStrictEqual(this.#chain.received(destinationAddress), paid, `what the chain paid for ${id}`)
    }
    const completed = settled.filter(({ status }) => status === "completed").length
    assert.isAbove(completed, 0, "nothing was paid: the test proves nothing about withdrawals")
    assert.strictEqual(this.#chain.paid, micro(String(amount)) * BigInt(completed))
  }

  async #credited(baseUrl: string, { key }: Depositor): Promise<ReadonlyArray<bigint>> {
    const on = makePatientClient(baseUrl, key)
    const lines = await all<{ id: string; type: string; amount: string }>(on, "/api/v1/wallet/transactions")
    return lines.flatMap((line) => (line.type === "deposit" ? [micro(line.amount)] : [])).toSorted()
  }

  /** All withdrawals, once none is open. */
  async #settled(baseUrl: string): Promise<ReadonlyArray<WireWithdrawal> | undefined> {
    const lists = this.#depositors.map(({ key }) =>
      all<WireWithdrawal>(makePatientClient(baseUrl, key), "/api/v1/wallet/withdrawals", "withdrawals")
    )
    const found = (await Promise.all(lists)).flat()
    return found.every(({ status }) => status === "completed" || status === "failed") ? found : undefined
  }
}
