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
    "postgres:///market",
    "postgres://market:p%2Fa%23b%25@db/market?sslmode=verify-full&connect_timeout=10&application_name=the%20market",
    "postgres:///market?host=/run/postgresql&port=5433",
    "postgres://market:a?b@db/market".replace("?", "%3F"),
    "postgres://market@db/market?sslmode=require&channel_binding=require&statement_timeout=5s"
  ])("accepts %s", (value) => {
    assert.strictEqual(faultOf(value), undefined)
  })

  it.each([
    ["", "must be a URL that starts with postgres://"],
    ["mysql://db/market", "must be a URL that starts with postgres://"],
    ["db:5432", "must be a URL that starts with postgres://"],
    ["postgres://db:70000/market", "must have a port from 1 to 65535 after its host"],
    ["postgres://u:hidden@db:99999/market", "must have a port from 1 to 65535 after its host"],
    ["postgres://u:hidden@db:0/market", "must have a port from 1 to 65535 after its host"],
    ["postgres://u:hidden@db:x/market", "must have a port from 1 to 65535 after its host"],
    ["postgres://u:hidden@d b/market", "must name a host"],
    [
      "postgres://u:hid/den@db/market",
      "must have the special characters of its user name and password percent-encoded"
    ],
    [
      "postgres://u:1/hidden@db/market",
      "must have the special characters of its user name and password percent-encoded"
    ],
    [
      "postgres://u:1#hidden@db/market",
      "must have the special characters of its user name and password percent-encoded"
    ],
    [
      "postgres://u:1?hidden@db/market",
      "must have the special characters of its user name and password percent-encoded"
    ],
    [
      "postgres://u:hidden%zz@db/market",
      "must have the special characters of its user name and password percent-encoded"
    ],
    [
      "postgres://u:hidden%E2@db/market",
      "must have the special characters of its user name and password percent-encoded"
    ],
    [
      "postgres://u@db/market?sslmode=hidden",
      "has a wrong parameter sslmode: it must be one of disable, allow, prefer"
    ],
    [
      "postgres://u@db/market?connect_timeout=hidden",
      "has a wrong parameter connect_timeout: it must be a whole number"
    ],
    ["postgres://u@db/market?port=hidden", "has a wrong parameter port: it must be a number from 1 to 65535"],
    ["postgres://u@db/market?sslrootcert=/hidden", "has a wrong parameter sslrootcert: it must be the path of a file"],
    ["postgres://u@db/market?application_name=%zz", "must write % in the parameter application_name as %25"],
    ["postgres://u@db/market?sslmod=require", "must not have the parameter sslmod,"],
    ["postgres://u:1?a=hidden&b=1@db/market", "must not have the parameter a,"],
    ["postgres://u@a,b/market?sslmode=hidden", "has a wrong parameter sslmode"],
    ["postgres://a,,b/market", "must separate hosts with commas"],
    ["postgres://a,/market", "must separate hosts with commas"],
    ["postgres://a:0,b/market", "must separate hosts with commas"],
    ["postgres://a:5432,b:x/market", "must separate hosts with commas"],
    ["postgres://a,b/market?target_session_attrs=standby", "must have target_session_attrs=read-write or primary"]
  ])("refuses %j with the rule, and repeats no secret (CONFIG-30)", (value, rule) => {
    for (const read of [databaseUrl, readDatabaseUrl]) {
      if (read === readDatabaseUrl && value.includes("target_session_attrs")) continue
      assert.include(faultOf(value, read) ?? "", rule)
      assert.notMatch(faultOf(value, read) ?? "", /hidden|hid\/den/)
    }
  })

  it("accepts any host for reads, and no other target", () => {
    assert.strictEqual(faultOf("postgres://a,b/market?target_session_attrs=any", readDatabaseUrl), undefined)
    assert.include(
      faultOf("postgres://a,b/market?target_session_attrs=primary", readDatabaseUrl) ?? "",
      "must have no target_session_attrs other than any"
    )
  })
})
