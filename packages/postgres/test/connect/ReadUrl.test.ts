import { assert, describe, it } from "@effect/vitest"
import { Redacted, Result } from "effect"
import { parseReadUrl } from "../../src/connect/DatabaseUrl.ts"

const parse = (url: string) => parseReadUrl(Redacted.make(url))

describe("parseReadUrl", () => {
  it("each host is a replica, also a single one (CONFIG-14, DATABASE-7)", () => {
    const hostsOf = (url: string) => Result.getOrThrow(parse(url)).hosts.map(({ host, port }) => `${host} ${port}`)
    assert.deepStrictEqual(hostsOf("postgres://u:p@a:5433,b/market"), ["a 5433", "b 5432"])
    assert.deepStrictEqual(hostsOf("postgres://u:p@a/market?target_session_attrs=any"), ["a 5432"])
  })

  it("names the rule that a wrong URL breaks, and not the URL", () => {
    const ruleOf = (url: string) => Result.getOrThrow(Result.flip(parse(url)))
    assert.include(ruleOf("postgres://u:word@a/market?target_session_attrs=primary"), "target_session_attrs")
    assert.include(ruleOf("mysql://u:word@a/market"), "postgres://")
    assert.include(ruleOf("postgres://u:word@a,,b/market"), "separate hosts with commas")
    assert.include(ruleOf("postgres:///market?host=/run"), "separate hosts with commas")
    assert.notInclude(ruleOf("postgres://u:word@a,,b/market"), "word")
  })
})
