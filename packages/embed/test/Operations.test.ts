import { readFileSync } from "node:fs"
import { assert, describe, it } from "vitest"
import { callsWithin } from "../src/calls/callsWithin.ts"
import { simulationCalls } from "../src/calls/simulationCalls.ts"
import { operatorCalls } from "../src/operator/operatorCalls.ts"
import { withMarket } from "./fixtures/market.ts"

const { paths } = JSON.parse(readFileSync(new URL("../../api/openapi.json", import.meta.url), "utf8")) as {
  readonly paths: Readonly<Record<string, Readonly<Record<string, { readonly operationId: string }>>>>
}

const documented = new Map(
  Object.entries(paths).flatMap(([path, methods]) =>
    Object.entries(methods).map(([method, { operationId }]) => [
      `${method.toUpperCase()} ${path.replaceAll(/\{\w+\}/g, ":id")}`,
      operationId
    ])
  )
)

/** Why an operation of the document, or a whole group, is not an operation of the embedded market. */
const reasons: Readonly<Record<string, string>> = {
  envelopedListings: "the same operations as listings, in another envelope",
  envelopedImages: "the same operations as images, in another envelope",
  envelopedReleases: "the same operations as releases, in another envelope",
  system: "probes and pages for other programs",
  passkeys: "a call in process has no browser",
  "sessions.current": "a call in process has no cookie",
  "sessions.endCurrent": "a call in process has no cookie",
  "live.socket": "a WebSocket, which needs a server",
  "wallets.depositQr": "an image, whose URL is part of the deposit information"
}

const reasonOf = (id: string): string | undefined => reasons[id] ?? reasons[id.split(".")[0] ?? ""]

/** The requests that the calls of a table send, by the document's names. */
const requestsOf = () => {
  const found = new Set<string>()
  const { as, sendAsOperator } = callsWithin((request) => {
    const { pathname } = new URL(request.url)
    found.add(`${request.method} ${pathname.replaceAll("the-id", ":id")}`)
    return Promise.resolve(Response.json({ success: true, data: [], souls: [], listings: [], reviews: [], skills: [] }))
  }, "http://localhost:3000")
  return { found, as, sendAsOperator }
}

type Call = (...args: ReadonlyArray<unknown>) => unknown

/** Calls every operation with an id, two ids, or an input alone. */
const callAll = async (table: object, except: ReadonlyArray<unknown> = []): Promise<void> => {
  for (const entry of Object.values(table) as ReadonlyArray<object>) {
    if (except.includes(entry)) continue
    if (typeof entry !== "function") {
      await callAll(entry, except)
      continue
    }
    const called = (entry as Call)("the-id", { id: "the-id" })
    if (typeof called === "object" && called !== null && Symbol.asyncIterator in called) {
      // Lists that are part of a record are absent from the responses of this test.
      await (called as AsyncGenerator).next().catch(() => undefined)
    } else await Promise.resolve(called).catch(() => undefined)
  }
}

describe("the embedded market and the OpenAPI document (EMBED-7)", () => {
  it("have the same operations, apart from those with a reason", async () => {
    const { as, found, sendAsOperator } = requestsOf()
    const user = as("amk_test")
    // These take bytes, or a version beside the id.
    await callAll(user, [
      user.releases.upload,
      user.releases.download,
      user.images.upload,
      user.images.download,
      user.soulImages.upload,
      user.soulImages.download
    ])
    for (const call of [
      user.images.download,
      user.images.delete,
      user.soulImages.download,
      user.soulImages.delete,
      user.releases.get,
      user.releases.download,
      user.releases.rescan,
      user.souls.version,
      user.souls.rescanVersion
    ]) {
      await call("the-id", "the-id").catch(() => undefined)
    }
    await user.releases.yank("the-id", "the-id", { reason: "A reason." }).catch(() => undefined)
    await user.souls.yankVersion("the-id", "the-id", { reason: "A reason." }).catch(() => undefined)
    await user.images.update("the-id", "the-id", { alt: "A cat." }).catch(() => undefined)
    await user.soulImages.update("the-id", "the-id", { alt: "A cat." }).catch(() => undefined)
    await user.soulImages.upload("the-id", new Uint8Array()).catch(() => undefined)
    await user.images.upload("the-id", new Uint8Array()).catch(() => undefined)
    await user.releases.upload("the-id", new Uint8Array()).catch(() => undefined)
    const operator = operatorCalls(sendAsOperator)
    await callAll(operator, [operator.as])
    const simulation = simulationCalls(sendAsOperator(), () => Promise.resolve())
    await simulation.deposit("an address", "1")
    await simulation.advance(1).catch(() => undefined)
    // The two operations that need no caller are methods of the market, which the next test calls.
    const withoutCaller = ["accounts.create", "agents.register", "sessions.start"]

    assert.deepStrictEqual(
      [...found].filter((request) => !documented.has(request)),
      []
    )
    const left = [...documented].filter(([request]) => !found.has(request)).map(([, id]) => id)
    assert.deepStrictEqual(
      left.filter((id) => reasonOf(id) === undefined),
      withoutCaller
    )
    assert.deepStrictEqual(
      Object.keys(reasons).filter((prefix) => !left.some((id) => id === prefix || id.startsWith(`${prefix}.`))),
      [],
      "a reason for what has an operation, or for what the document does not have"
    )
  })

  it("create an account, and register an agent that its owner claims, without a caller", () =>
    withMarket(async (market) => {
      const { account } = await market.createAccount({ name: "Ada" })
      assert.match(account.id, /^usr_/)
      const { agent, claimCode } = await market.registerAgent({ name: "Shopper" })
      assert.isFalse(agent.claimed)
      const owner = market.as({ id: "owner", name: "Owner" })
      assert.strictEqual((await owner.agents.claim({ claimCode })).agent.id, agent.id)
    }))
})
