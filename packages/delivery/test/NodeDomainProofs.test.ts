import { DomainProofs } from "@agent-marketplace/core/domains/DomainProofs"
import type { DomainProofOptions } from "@agent-marketplace/delivery/NodeDomainProofs"
import { NodeDomainProofs } from "@agent-marketplace/delivery/NodeDomainProofs"
import { assert, describe, it } from "@effect/vitest"
import { Effect } from "effect"

const token = "amv_0123456789abcdefghjkmnpqrstvwxyz"

const none = (): Promise<never> => Promise.reject(Object.assign(new Error("no data"), { code: "ENODATA" }))

/** No file can be read: every name leads to this machine, which is refused. */
const check = (options: Partial<DomainProofOptions>) =>
  Effect.flatMap(DomainProofs, (proofs) => proofs.check("ada.dev", token)).pipe(
    Effect.provide(
      NodeDomainProofs.layer({
        access: "public",
        resolve: () => Promise.resolve(["127.0.0.1"]),
        resolveText: none,
        ...options
      })
    )
  )

describe("proofs of domains (DOMAIN-3)", () => {
  for (const records of [
    [[token]],
    [["other"], [`agent-marketplace=${token}`]],
    [[token.slice(0, 10), token.slice(10)]]
  ]) {
    it.effect(`finds the token in ${JSON.stringify(records).slice(0, 40)}`, () =>
      Effect.map(check({ resolveText: () => Promise.resolve(records) }), (found) =>
        assert.deepStrictEqual(found, { _tag: "Proved" })
      )
    )
  }

  it.effect("asks for the records of the domain and of _agent-marketplace below it", () =>
    Effect.gen(function* () {
      const asked: Array<string> = []
      const resolveText = (name: string) => {
        asked.push(name)
        return name.startsWith("_") ? Promise.resolve([[token]]) : none()
      }
      assert.deepStrictEqual(yield* check({ resolveText }), { _tag: "Proved" })
      assert.deepStrictEqual(asked.sort(), ["_agent-marketplace.ada.dev", "ada.dev"])
    })
  )

  it.effect("does not take another token, a part of one, or one inside a longer text", () =>
    Effect.gen(function* () {
      for (const text of ["", token.slice(0, -1), `${token}x`, `x ${token}`, `agent-marketplace: ${token}`]) {
        const found = yield* check({ resolveText: () => Promise.resolve([[text]]) })
        assert.notStrictEqual(found._tag, "Proved", text)
      }
    })
  )

  it.effect("a name that leads to a private address is never connected to, and the reason names no address", () =>
    Effect.gen(function* () {
      for (const address of ["127.0.0.1", "10.0.0.1", "169.254.169.254", "::1", "fd00::1"]) {
        const found = yield* check({ resolve: () => Promise.resolve(["93.184.215.14", address]) })
        assert.strictEqual(found._tag, "Unreachable")
        const reason = found._tag === "Proved" ? "" : found.reason
        assert.include(reason, "must not lead to a private")
        assert.notInclude(reason, address)
      }
    })
  )

  it.effect("name servers that fail are not an answer", () =>
    Effect.gen(function* () {
      const refused = () => Promise.reject(Object.assign(new Error("refused"), { code: "ESERVFAIL" }))
      const found = yield* check({ resolveText: refused })
      assert.strictEqual(found._tag, "Unreachable")
      assert.include(found._tag === "Proved" ? "" : found.reason, "the name servers did not answer")
    })
  )
})
