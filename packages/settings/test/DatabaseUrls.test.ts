import { Result } from "effect"
import { assert, describe, it } from "vitest"
import { databaseUrl, readDatabaseUrl } from "../src/DatabaseUrls.ts"

const faultOf = (value: string, read = databaseUrl): string | undefined =>
  Result.match(read(value), { onFailure: (fault) => fault, onSuccess: () => undefined })

describe("DATABASE_URL and READ_DATABASE_URL (DATABASE-2, DATABASE-7)", () => {
  it.each([
    "postgres://market:secret@db/market",
    "postgresql://db:5432/market",
    "postgres://market@a:5432,b:5433/market",
    "postgres://market@10.0.0.1,[::1]:5433/market",
    "postgres://market@a,b/market?target_session_attrs=read-write",
    "postgres:///market"
  ])("accepts %s", (value) => {
    assert.strictEqual(faultOf(value), undefined)
  })

  it.each([
    ["", "must be a URL that starts with postgres://"],
    ["mysql://db/market", "must be a URL that starts with postgres://"],
    ["db:5432", "must be a URL that starts with postgres://"],
    ["postgres://db:70000/market", "must be a URL that starts with postgres://"],
    ["postgres://a,,b/market", "must separate hosts with commas"],
    ["postgres://a,/market", "must separate hosts with commas"],
    ["postgres://a:0,b/market", "must separate hosts with commas"],
    ["postgres://a:5432,b:x/market", "must separate hosts with commas"],
    ["postgres://a,b/market?target_session_attrs=standby", "must have target_session_attrs=read-write or primary"]
  ])("refuses %j with the rule", (value, rule) => {
    assert.include(faultOf(value) ?? "", rule)
  })

  it("accepts any host for reads, and no other target", () => {
    assert.strictEqual(faultOf("postgres://a,b/market?target_session_attrs=any", readDatabaseUrl), undefined)
    assert.include(
      faultOf("postgres://a,b/market?target_session_attrs=primary", readDatabaseUrl) ?? "",
      "must have no target_session_attrs other than any"
    )
  })
})
