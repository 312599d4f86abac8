import { assert, describe, it } from "@effect/vitest"
import { Result } from "effect"
import { readTron } from "../src/TronConfiguration.ts"

const xpub =
  "xpub6D1AabNHCupeiLM65ZR9UStMhJ1vCpyV4XbZdyhMZBiJXALQtmn9p42VTQckoHVn8WNqS7dqnJokZHAHcHGoaQgmv8D45oNUKx6DZMNZBCd"

const read = (more: Readonly<Record<string, string>>) => {
  const env: Readonly<Record<string, string>> = {
    TRON_FULL_NODE_URL: "https://one.example,https://two.example",
    TRON_DEPOSIT_XPUB: xpub,
    ...more
  }
  const faults: Array<string> = []
  const optional = <A>(name: string, check: (value: string) => Result.Result<A, string>): A | undefined => {
    const value = env[name]
    if (value === undefined) return undefined
    const result = check(value)
    if (Result.isSuccess(result)) return result.success
    faults.push(`${name} ${result.failure}`)
    return undefined
  }
  const { quorum } = readTron(optional, (fault) => void faults.push(fault), { gives: true, pays: false })
  return { quorum, faults }
}

describe("TRON_QUORUM (CHAIN-10)", () => {
  it("is at most the number of nodes that report final blocks", () => {
    assert.deepStrictEqual(read({ TRON_QUORUM: "2" }), { quorum: 2, faults: [] })
    assert.deepStrictEqual(read({}), { quorum: undefined, faults: [] })
    assert.deepStrictEqual(read({ TRON_QUORUM: "3" }).faults, [
      "TRON_QUORUM must be at most 2, the number of nodes that are configured"
    ])
    const three = { TRON_SOLIDITY_NODE_URL: "https://a.example,https://b.example,https://c.example" }
    assert.deepStrictEqual(read({ ...three, TRON_QUORUM: "3" }), { quorum: 3, faults: [] })
    for (const wrong of ["0", "-1", "1.5", "x"])
      assert.deepStrictEqual(read({ TRON_QUORUM: wrong }).faults, ["TRON_QUORUM must be a positive integer"])
  })

  it("counts each node once: a node that is listed twice is refused", () => {
    const twice = { TRON_FULL_NODE_URL: "https://one.example, https://one.example/" }
    assert.deepStrictEqual(read(twice).faults, ["TRON_FULL_NODE_URL must name each node once"])
  })
})
