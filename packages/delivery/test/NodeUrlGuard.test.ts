import { UrlGuard } from "@agent-marketplace/core/webhooks/UrlGuard"
import { assert, describe, it } from "@effect/vitest"
import { Effect, Fiber } from "effect"
import { TestClock } from "effect/testing"
import type { NameResolver } from "../src/NameResolver.ts"
import type { TargetAccess } from "../src/ReceiverAddressRules.ts"
import { NodeUrlGuard } from "../src/NodeUrlGuard.ts"

const reasonOf = (url: string, resolve: NameResolver, access: TargetAccess = "public") =>
  UrlGuard.pipe(
    Effect.flatMap((guard) => Effect.flip(guard.check(url))),
    Effect.map(({ reason }) => reason),
    Effect.orElseSucceed(() => "passed"),
    Effect.provide(NodeUrlGuard.layer({ access, resolve }))
  )

const names: Readonly<Record<string, ReadonlyArray<string>>> = {
  "outside.example": ["8.8.8.8", "2606:4700::1111"],
  "inside.example": ["10.0.0.7"],
  "both.example": ["8.8.8.8", "192.168.1.1"],
  "six.example": ["fd00::1"]
}

const resolve: NameResolver = (name) => {
  const found = names[name]
  return found === undefined ? Promise.reject(new Error("ENOTFOUND")) : Promise.resolve(found)
}

describe("whether a URL may be a receiver (WEBHOOK-9)", () => {
  it.effect("names that resolve to private addresses are refused, and the reason contains no address", () =>
    Effect.gen(function* () {
      for (const name of ["inside.example", "both.example", "six.example", "inside.example."]) {
        const reason = yield* reasonOf(`https://${name}/hook`, resolve)
        assert.match(reason, /^must not lead to a private/, name)
        assert.notMatch(reason, /\d/)
      }
    })
  )

  it.effect(
    "public names are accepted, and so are names that do not resolve now, because each connection is checked again",
    () =>
      Effect.gen(function* () {
        assert.strictEqual(yield* reasonOf("https://outside.example/hook", resolve), "passed")
        assert.strictEqual(yield* reasonOf("https://nowhere.example/hook", resolve), "passed")
      })
  )

  it.effect("a name server that does not answer delays a request by at most two seconds", () =>
    Effect.gen(function* () {
      const waiting = yield* Effect.forkChild(reasonOf("https://slow.example/hook", () => new Promise(() => {})))
      yield* TestClock.adjust("2 seconds")
      assert.strictEqual(yield* Fiber.join(waiting), "passed")
    })
  )

  it.effect("if loopback is allowed, `localhost` is not looked up, but public names are (WEBHOOK-11)", () =>
    Effect.gen(function* () {
      assert.strictEqual(yield* reasonOf("http://localhost:3000/", resolve, "loopback"), "passed")
      assert.match(yield* reasonOf("https://inside.example/", resolve, "loopback"), /^must not lead to a private/)
    })
  )

  it.effect("if private targets are allowed, nothing is looked up", () =>
    Effect.gen(function* () {
      const never: NameResolver = () => Promise.reject(new Error("looked up"))
      for (const url of ["http://inside.example/hook", "http://127.0.0.1:1/", "https://localhost/"]) {
        assert.strictEqual(yield* reasonOf(url, never, "any"), "passed", url)
      }
    })
  )
})
