import { afterAll, assert, beforeAll, describe, it } from "vitest"
import { cli, freshHome } from "../running/cli.ts"
import type { RunningMarket } from "../running/startMarket.ts"
import { startMarket } from "../running/startMarket.ts"

describe("licenses (CLI-19, PROOF-1, ACTIVATION-1)", () => {
  let market: RunningMarket
  let home: string
  beforeAll(async () => {
    market = await startMarket()
    home = freshHome()
  })
  afterAll(() => market.stop())

  const run = (...args: ReadonlyArray<string>) =>
    cli({ env: { HOME: home, MARKETPLACE_URL: market.baseUrl, MARKETPLACE_API_KEY: market.keys.buyer } }, ...args)
  const json = async (...args: ReadonlyArray<string>) => JSON.parse((await run(...args, "--json")).stdout)

  it("prints a proof and checks it; machines are activated, listed and released", async () => {
    const bought = await json("buy", "unit-converter", "--yes")
    const { stdout } = await run("licenses", "proof", bought.purchaseId)
    const proof = stdout.trim()
    const verified = await json("licenses", "verify", proof, "--item", bought.skillId)
    assert.deepInclude(verified, { sub: bought.purchaseId, item: bought.skillId, type: "free" })

    for (const [args, reason] of [
      [["--item", "lst_other"], "other_item"],
      [["--machine", "laptop"], "other_machine"]
    ] as const) {
      const refused = await run("licenses", "verify", proof, ...args)
      assert.strictEqual(refused.code, 1)
      assert.include(refused.stderr, `the license is not valid: ${reason}`)
    }
    assert.include((await run("licenses", "verify", "not a proof")).stderr, "malformed")

    const activated = await json("licenses", "activate", bought.licenseKey, "--machine", "laptop", "--label", "Work")
    assert.strictEqual((await run("licenses", "verify", activated.proof, "--machine", "laptop")).code, 0)
    assert.include((await run("licenses", "machines", bought.purchaseId)).stdout, "laptop")
    const released = await run("licenses", "deactivate", bought.licenseKey, "--machine", "laptop", "--yes")
    assert.include(released.stdout, "laptop is released.")
    assert.deepStrictEqual(await json("licenses", "machines", bought.purchaseId), [])
  })

  it("prints the market's public keys as a JWKS", async () => {
    const { keys } = await json("licenses", "keys")
    assert.lengthOf(keys, 1)
    assert.deepInclude(keys[0], { kty: "OKP", crv: "Ed25519", retiredAt: null })
  })
})
