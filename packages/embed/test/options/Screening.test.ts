import { MarketplaceError } from "@agent-marketplace/client/MarketplaceError"
import { mkdtemp, rm, writeFile } from "node:fs/promises"
import { tmpdir } from "node:os"
import { join } from "node:path"
import { afterAll, assert, beforeAll, describe, it } from "vitest"
import { createMarketplace } from "../../src/createMarketplace.ts"
import type { ScreenTransfer, TransferToScreen } from "../../src/options/MarketplaceOptions.ts"
import { memoryStorage } from "../../src/storage/memoryStorage.ts"
import { buyerOf, withMarket } from "../fixtures/market.ts"

const destinationAddress = "TMVQGm1qAQYVdetCeGRRkTWYYrLXuHK2HC"

const refusal = async (work: Promise<unknown>): Promise<MarketplaceError> => {
  const error = await work.then(
    () => assert.fail("it was accepted"),
    (cause: unknown) => cause
  )
  assert.instanceOf(error, MarketplaceError)
  return error as MarketplaceError
}

describe("the option screening (SCREENING-11)", () => {
  let folder = ""
  const file = (name: string) => join(folder, name)

  beforeAll(async () => {
    folder = await mkdtemp(join(tmpdir(), "deny-lists-"))
    await writeFile(file("list.txt"), `# Stolen\n${destinationAddress}\n`)
    await writeFile(file("wrong.txt"), `${destinationAddress}\nnobody\n\n${destinationAddress.toLowerCase()}`)
  })
  afterAll(() => rm(folder, { recursive: true }))

  it("a finding of the program's own function holds a deposit, until the operator releases it once", () => {
    const seen: Array<TransferToScreen> = []
    const screen: ScreenTransfer = async (transfer) => {
      seen.push(transfer)
      return transfer.kind === "deposit" ? { source: "my rules", reference: "case 9" } : null
    }
    return withMarket(
      async (market) => {
        const buyer = await buyerOf(market, "25")
        assert.deepInclude(await buyer.wallet.balance(), { availableBalance: 0, pendingBalance: 25 })
        assert.deepInclude(seen[0], { kind: "deposit", amount: "25.00", chain: "TRON" })
        const [deposit] = await market.operator.deposits.list({ status: "held" })
        if (deposit === undefined) return assert.fail("nothing is held")
        assert.deepStrictEqual(deposit.evidence, { source: "my rules", reference: "case 9" })
        assert.isTrue(
          (await market.operator.conditions.list({ status: "open" })).some(({ kind }) => kind === "deposits_held")
        )
        const release = () => market.operator.as("Grace").deposits.release(deposit.id, { reason: "Known to us" })
        const results = await Promise.allSettled([release(), release()])
        assert.sameMembers(
          results.map(({ status }) => status),
          ["fulfilled", "rejected"]
        )
        assert.deepInclude(await buyer.wallet.balance(), { availableBalance: 25, pendingBalance: 0 })
        const [action] = await market.operator.actions.list({ subject: deposit.id })
        assert.deepInclude(action, { actor: "Grace", action: "deposit.release", reason: "Known to us" })
        await market.simulation.advance(1)
        assert.isEmpty(await market.operator.conditions.list({ status: "open" }))
        assert.isTrue((await market.operator.ledger.audit()).balanced)
      },
      { screening: { screen } }
    )
  })

  it("a function that throws, or returns anything else, decides nothing; the deposit waits for its answer", () => {
    let answer: () => unknown = () => null
    return withMarket(
      async (market) => {
        answer = () => {
          throw new Error("a secret of the program")
        }
        const buyer = await buyerOf(market, "25")
        for (const each of [undefined, false, {}, "clean", { source: "x" }, { source: 1, reference: "x" }, []]) {
          answer = () => each
          await market.simulation.advance(31)
          assert.deepInclude(await buyer.wallet.balance(), { availableBalance: 0, pendingBalance: 25 }, String(each))
        }
        const open = await market.operator.conditions.list({ status: "open" })
        assert.deepStrictEqual(
          open.map(({ detail, kind }) => [kind, detail]),
          [["screening_unavailable", "the screening of the embedding program returned no valid finding"]]
        )
        answer = () => null
        await market.simulation.advance(31)
        assert.deepInclude(await buyer.wallet.balance(), { availableBalance: 25, pendingBalance: 0 })
        assert.isEmpty(await market.operator.conditions.list({ status: "open" }))
      },
      { screening: { screen: (() => answer()) as ScreenTransfer } }
    )
  })

  it("an address on a deny list is refused as the destination of a withdrawal (SCREENING-7)", () =>
    withMarket(
      async (market) => {
        const buyer = await buyerOf(market, "25")
        const { code, details } = await refusal(buyer.wallet.withdraw({ amount: 10, destinationAddress }))
        assert.deepStrictEqual([code, details], ["WITHDRAWAL_REFUSED", { rule: "screening" }])
        assert.strictEqual((await buyer.wallet.balance()).lockedBalance, 0)
      },
      { screening: { denyLists: [file("list.txt")] } }
    ))

  it("wrong options are refused at the start, and wrong lines are named by file and line (SCREENING-2)", async () => {
    const cases: ReadonlyArray<readonly [screening: unknown, message: RegExp]> = [
      [{ denyLists: [file("wrong.txt")] }, /wrong\.txt: line 2 must be a TRON address; line 4 must be a TRON address$/],
      [{ denyLists: [file("nothing.txt")] }, /nothing\.txt cannot be read$/],
      [{ denyLists: "list.txt" }, /denyLists must be a list of paths/],
      [{ denylists: [] }, /has no field denylists/],
      [{ screen: {} }, /screen must be a function/],
      [{ service: { url: "http://a.example", token: "0123456789abcdef" } }, /service must have an https/],
      [{ service: { url: "https://a.example", token: "short-secret" } }, /token, which must have 16/],
      ["on", /must be an object/]
    ]
    for (const [screening, message] of cases) {
      const error = await refusal(createMarketplace({ storage: memoryStorage(), screening: screening as never }))
      assert.match(error.message, message)
      assert.notInclude(error.message, "secret")
    }
  })
})
