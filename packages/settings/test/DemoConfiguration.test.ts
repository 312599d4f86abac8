import { readConfiguration } from "@agent-marketplace/settings/Configuration"
import { Result } from "effect"
import { assert, describe, it } from "vitest"

const read = (env: Readonly<Record<string, string>>, reader?: "worker") =>
  Result.match(readConfiguration(env, reader), {
    onSuccess: ({ demo }): boolean | ReadonlyArray<string> => demo,
    onFailure: ({ faults }) => faults
  })

const database = { DATABASE_URL: "postgres://market@db/market" }
const token = { ADMIN_TOKEN: "operator-token-for-tests-0123456789abcdef" }

describe("DEMO (CONFIG-27)", () => {
  it("is true by default on a new market of this machine", () => {
    assert.strictEqual(read({}), true)
    assert.strictEqual(read({ STORAGE: "memory", BASE_URL: "http://127.0.0.1:4000", HOST: "::1" }), true)
  })

  for (const [name, env] of Object.entries({
    "with a database of its operator": database,
    "in production": { NODE_ENV: "production", ...token },
    "where only the operator creates accounts": { SIGNUP: "admin" },
    "where another process runs the worker": { WORKER: "external" },
    "where several processes share the port": { PROCESSES: "2" },
    "for other machines": { HOST: "0.0.0.0" },
    "behind a public address": { BASE_URL: "https://market.example.com" },
    "where it is turned off": { DEMO: "false" }
  }))
    it(`is false ${name}`, () => assert.strictEqual(read(env), false))

  it("is true where it is requested, also with a database", () => {
    assert.strictEqual(read({ DEMO: "true", SIGNUP: "admin", ...database }), true)
    assert.strictEqual(read({ DEMO: "true", ...database }, "worker"), false)
  })

  for (const [reason, env] of Object.entries({
    "with CHAIN=tron": { CHAIN: "tron", TRON_FULL_NODE_URL: "https://node.example.com" },
    "in production": { NODE_ENV: "production", ...token },
    "with WORKER=external": { WORKER: "external" },
    "with PROCESSES above 1": { PROCESSES: "2" },
    "with a HOST or BASE_URL that other machines reach": { HOST: "192.168.1.4" }
  }))
    it(`refuses to start ${reason}`, () => {
      const faults = read({ DEMO: "true", ...env })
      assert.isTrue(
        Array.isArray(faults) && faults.some((fault) => fault.startsWith(`DEMO must not be true ${reason}`))
      )
    })

  it("reports any other value", () => {
    assert.deepStrictEqual(read({ DEMO: "perhaps" }), ["DEMO must be true or false"])
  })
})
