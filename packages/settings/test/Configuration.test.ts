import { Result } from "effect"
import { assert, describe, it } from "vitest"
import { readConfiguration } from "../src/Configuration.ts"

const faultsOf = (env: Readonly<Record<string, string>>): ReadonlyArray<string> =>
  Result.match(readConfiguration(env), { onSuccess: () => [], onFailure: ({ faults }) => faults })

describe("the tokens that clients send in a header (CONFIG-30)", () => {
  it.each(["ADMIN_TOKEN", "METRICS_TOKEN"])("%s may contain only characters that a header can contain", (name) => {
    assert.deepStrictEqual(faultsOf({ [name]: "correct horse battery staple, and 32 characters" }), [])
    for (const wrong of ["é", "😀", "a\nb", "a\u0007b"]) {
      const faults = faultsOf({ [name]: `secret-token-of-more-than-32-characters-${wrong}-and-more` })
      assert.lengthOf(faults, 1)
      assert.match(faults[0] ?? "", new RegExp(`^${name} must consist of letters, digits and other visible characters`))
      assert.notInclude(faults[0] ?? "", "secret-token")
    }
  })
})

describe("REDIS_URL (CONFIG-30)", () => {
  it.each([
    ["redis://u:hidden@h:99999", "REDIS_URL must have a port from 1 to 65535 after its host"],
    ["redis://u:hid/den@h", "REDIS_URL must have the special characters of its user name and password percent-encoded"],
    [
      "redis://u:hidden%zz@h",
      "REDIS_URL must have the special characters of its user name and password percent-encoded"
    ],
    ["http://hidden", "REDIS_URL must be a URL that starts with redis:// or rediss://"]
  ])("%s is refused with the rule that it breaks, and without its secret", (value, rule) => {
    const [fault = "", ...others] = faultsOf({ REDIS_URL: value })
    assert.deepStrictEqual(others, [])
    assert.include(fault, rule)
    assert.notMatch(fault, /hidden|hid\/den/)
  })

  it("with a port, a login and a database is accepted", () => {
    for (const value of ["redis://h", "rediss://u:p%2Fw@h:6380/1", "redis://[::1]:6379", "redis://:p@h:6379"])
      assert.deepStrictEqual(faultsOf({ REDIS_URL: value }), [])
  })
})

describe("the variables of TRON on the simulated chain (CONFIG-29)", () => {
  it("are checked if they are set, and none is required", () => {
    const wrong = {
      TRON_FULL_NODE_URL: "node",
      TRON_USDT_CONTRACT: "USDT",
      TRON_DEPOSIT_XPUB: "xpub",
      TRON_HOT_WALLET_ADDRESS: "wallet",
      TRON_HOT_WALLET_KEY: "hidden",
      TRON_START_BLOCK: "first",
      TRON_QUORUM: "most",
      TRON_SIGNER_URL: "http://signer",
      TRON_KMS_REGION: "here",
      TRON_TRANSACTION_MINUTES: "1"
    }
    for (const [name, value] of Object.entries(wrong)) {
      const faults = faultsOf({ [name]: value })
      assert.lengthOf(faults, 1, name)
      assert.match(faults[0] ?? "", new RegExp(`^${name} must`))
      assert.notInclude(faults[0] ?? "", "hidden")
    }
    assert.lengthOf(faultsOf(wrong), Object.keys(wrong).length)
    assert.deepStrictEqual(faultsOf({ TRON_QUORUM: "2", TRON_START_BLOCK: "7", TRON_API_KEY: "key" }), [])
  })
})
