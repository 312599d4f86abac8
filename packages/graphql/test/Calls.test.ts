import { assert, it } from "@effect/vitest"
import { GraphQLError } from "graphql"
import { makeCalls } from "../src/Calls.ts"
import type { Call } from "../src/GraphQLContext.ts"
import type { Operation } from "../src/JsonSchema.ts"

const operation = {
  method: "POST",
  path: "/api/v1/approvals/{id}/approve",
  parameters: [
    { name: "id", in: "path", schema: {} },
    { name: "search", in: "query", schema: {} }
  ]
} as unknown as Operation

const codeOf = async (call: Call): Promise<unknown> => {
  const { call: send } = makeCalls(() => Promise.resolve(Response.json({ success: true, data: null })))
  try {
    await send(operation, call)
    return "sent"
  } catch (error) {
    return error instanceof GraphQLError ? [error.extensions["code"], error.extensions["details"]] : error
  }
}

it("an argument that a request cannot carry is refused by name, and none is a fault (GRAPHQL-13)", async () => {
  const cases: ReadonlyArray<readonly [Call, string]> = [
    [{ parameters: { id: "a\ud800" } }, "id"],
    [{ parameters: { id: ".." } }, "id"],
    [{ parameters: { id: "." } }, "id"],
    [{ parameters: { id: "" } }, "id"],
    [{ parameters: { id: "apr_1", search: "\udc00" } }, "search"],
    [{ parameters: { id: "apr_1" }, idempotencyKey: "\u{E0041}" }, "idempotencyKey"],
    [{ parameters: { id: "apr_1" }, idempotencyKey: "a\r\nb" }, "idempotencyKey"]
  ]
  for (const [call, field] of cases) {
    const [code, details] = (await codeOf(call)) as [string, { issues: ReadonlyArray<{ path: string }> }]
    assert.strictEqual(code, "VALIDATION_ERROR")
    assert.deepStrictEqual(
      details.issues.map(({ path }) => path),
      [field]
    )
  }
  assert.strictEqual(await codeOf({ parameters: { id: "..a", search: ".." }, idempotencyKey: "order 1" }), "sent")
})
