import * as fc from "fast-check"
import { assert, describe, it } from "vitest"
import { JsonRpc } from "../../src/protocol/JsonRpc.ts"

const codeOf = (text: string): unknown => {
  const message = JsonRpc.read(text)
  return message._tag === "Invalid" && "error" in message.answer ? message.answer.error.code : message._tag
}

const withId = (id: string): string => `{"jsonrpc":"2.0","id":${id},"method":"ping"}`

describe("JsonRpc.read", () => {
  it("distinguishes requests, notifications and responses", () => {
    const read = (value: object) => JsonRpc.read(JSON.stringify({ jsonrpc: "2.0", ...value }))
    assert.deepStrictEqual(read({ id: "a", method: "ping" }), {
      _tag: "Request",
      id: "a",
      method: "ping",
      params: undefined
    })
    assert.strictEqual(read({ method: "ping", params: {} })._tag, "Notification")
    assert.strictEqual(read({ id: 1, result: {} })._tag, "Response")
    assert.strictEqual(read({ id: 1, error: { code: 1, message: "no" } })._tag, "Response")
  })

  it("responds to invalid JSON with -32700 and to invalid messages with -32600, with their id if they have one", () => {
    for (const text of ["", "{", "\u0000", "undefined"]) assert.strictEqual(codeOf(text), -32700, text)
    for (const text of ["[]", "null", '"ping"', "{}", ...["null", "{}", "1e400"].map(withId)])
      assert.strictEqual(codeOf(text), -32600, text)
    const message = JsonRpc.read('{"jsonrpc":"1.0","id":7,"method":"ping"}')
    assert.deepInclude(message._tag === "Invalid" ? message.answer : {}, { id: 7 })
  })

  it("never throws, whatever the text", () => {
    fc.assert(
      fc.property(fc.oneof(fc.string(), fc.json()), (text) => {
        assert.include(["Request", "Notification", "Response", "Invalid"], JsonRpc.read(text)._tag)
      })
    )
  })
})
