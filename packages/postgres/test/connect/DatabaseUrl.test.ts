import { assert, describe, it } from "@effect/vitest"
import { Redacted, Result } from "effect"
import { parseDatabaseUrl } from "../../src/connect/DatabaseUrl.ts"

const parse = (url: string) => parseDatabaseUrl(Redacted.make(url))
const hostsOf = (url: string) => Result.getOrThrow(parse(url)).hosts.map(({ host, port }) => `${host} ${port}`)
const ruleOf = (url: string) => Result.getOrThrow(Result.flip(parse(url)))

describe("parseDatabaseUrl", () => {
  it("lists several hosts, with 5432 as the default port (DATABASE-2)", () => {
    assert.deepStrictEqual(hostsOf("postgres://u:p@a:5433,b,[::1]:5434/market?sslmode=require"), [
      "a 5433",
      "b 5432",
      "::1 5434"
    ])
    assert.deepStrictEqual(hostsOf("postgresql://a,b/market?target_session_attrs=primary"), ["a 5432", "b 5432"])
    assert.deepStrictEqual(hostsOf("postgres://u:p,w@a,b/market"), ["a 5432", "b 5432"])
  })

  it("leaves a single host to the driver", () => {
    for (const url of [
      "postgres://u:p@a:5432/market",
      "postgres:///market?host=/run/postgresql",
      "postgres://u@%2Frun/m"
    ])
      assert.deepStrictEqual([hostsOf(url), Redacted.value(Result.getOrThrow(parse(url)).url)], [[], url])
  })

  it("the role of a single host is checked if target_session_attrs is set (DATABASE-2)", () => {
    assert.deepStrictEqual(hostsOf("postgres://u:p@a/market?target_session_attrs=read-write"), ["a 5432"])
    assert.deepStrictEqual(hostsOf("postgres:///market?host=/run/postgresql&target_session_attrs=primary"), [])
  })

  it("the driver's URL has the login and the first host", () => {
    const { url } = Result.getOrThrow(parse("postgres://u:p@a:5433,b:5434/market?sslmode=require"))
    assert.strictEqual(Redacted.value(url), "postgres://u:p@a:5433/market?sslmode=require")
  })

  it("refuses what it does not understand, without repeating the URL (DATABASE-2)", () => {
    for (const [url, rule] of [
      ["mysql://a/b", "must be a URL that starts"],
      ["postgres//a", "must be a URL that starts"],
      ["postgres://u:secret@a,:5432/m", "must separate hosts with commas"],
      ["postgres://u:secret@a,,b/m", "must separate hosts with commas"],
      ["postgres://u:secret@a,b:99999/m", "must separate hosts with commas"],
      ["postgres://u:secret@a,b:0/m", "must separate hosts with commas"],
      ["postgres://u:secret@a,b/m?target_session_attrs=standby", "must have target_session_attrs=read-write"],
      ["postgres://u:secret@a/m?target_session_attrs=any", "must have target_session_attrs=read-write"]
    ] as const) {
      assert.include(ruleOf(url), rule, url)
      assert.notInclude(ruleOf(url), "secret")
    }
  })
})
