import { it } from "@effect/vitest"
import { Effect } from "effect"
import { assert, describe } from "vitest"
import { McpEndpoint } from "../src/McpEndpoint.ts"
import { balance, data, stubMarket } from "./fixtures/stubMarket.ts"

const call = '{"jsonrpc":"2.0","id":1,"method":"tools/call","params":{"name":"wallet_balance"}}'

const post = (headers: Readonly<Record<string, string>>, body = call) =>
  new Request("http://host.test/mcp", { method: "POST", headers, body })

/** The keys that callers were connected with, in order. */
const recorder = () => {
  const keys: Array<string> = []
  return {
    keys,
    connect: (apiKey: string) => {
      keys.push(apiKey)
      return stubMarket((request) => data(balance(request.headers.get("authorization")?.length ?? 0)), apiKey)
    }
  }
}

describe("McpEndpoint", () => {
  it.effect("connects each request with the key that it carries, and asks no market without one", () =>
    Effect.gen(function* () {
      const { connect, keys } = recorder()
      const { answer } = yield* McpEndpoint.make({ origins: [] })
      for (const authorization of ["Bearer amk_a", "bearer  amk_bb"])
        assert.strictEqual((yield* answer(post({ authorization }), connect)).status, 200)
      for (const authorization of ["", "Bearer", "Basic amk_a", "Bearer a b", "Bearer a, Bearer b"]) {
        const refused = yield* answer(post({ authorization }), connect)
        assert.strictEqual(refused.status, 401, authorization)
        assert.strictEqual(refused.headers.get("www-authenticate"), "Bearer")
      }
      assert.deepStrictEqual(keys, ["amk_a", "amk_bb"])
    }).pipe(Effect.scoped)
  )

  it.effect("lets pages of its own origins call, and no others", () =>
    Effect.gen(function* () {
      const { connect } = recorder()
      const { answer } = yield* McpEndpoint.make({ origins: ["https://market.example.com"] })
      const from = (origin: string) =>
        Effect.map(answer(post({ authorization: "Bearer amk_a", origin }), connect), ({ status }) => status)
      assert.strictEqual(yield* from("https://market.example.com"), 200)
      for (const origin of ["http://market.example.com", "https://market.example.com.evil.test", "null", ""])
        assert.strictEqual(yield* from(origin), 403, origin)
    }).pipe(Effect.scoped)
  )

  it.effect("answers other methods with 405", () =>
    Effect.gen(function* () {
      const { answer } = yield* McpEndpoint.make({ origins: [] })
      for (const method of ["GET", "DELETE"]) {
        const response = yield* answer(new Request("http://host.test/mcp", { method }), recorder().connect)
        assert.strictEqual(response.status, 405)
        assert.strictEqual(response.headers.get("allow"), "POST")
      }
    }).pipe(Effect.scoped)
  )
})
