import type { OwnRoutes } from "@agent-marketplace/http/mount/OwnRoutes"
import { assert, it } from "@effect/vitest"
import { GraphQLError } from "graphql"
import { makeCalls } from "../src/Calls.ts"
import { makeCatalogueTexts } from "../src/CatalogueTexts.ts"
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

/** Routes that answer every call with the data. */
const answering = (data: () => unknown): OwnRoutes => ({
  call: () => Promise.resolve({ status: 200, text: JSON.stringify({ success: true, data: data() }) }),
  fetch: () => Promise.reject(new Error("not used"))
})

const codeOf = async (call: Call): Promise<unknown> => {
  const { call: send } = makeCalls(
    answering(() => null),
    makeCatalogueTexts(),
    new AbortController().signal
  )
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

it("a page of the catalogue is parsed again only when it has changed, and pages of an account always are (GRAPHQL-2)", async () => {
  let name = "before"
  const list = { method: "GET", path: "/api/v1/listings", parameters: [] } as unknown as Operation
  const { call } = makeCalls(
    answering(() => [{ name }]),
    makeCatalogueTexts(),
    new AbortController().signal
  )
  const read = async (isCatalogue: boolean) => (await call(list, { parameters: {}, isCatalogue })).data
  const first = await read(true)
  assert.strictEqual(await read(true), first)
  assert.notStrictEqual(await read(false), first)
  name = "after"
  assert.deepStrictEqual(await read(true), [{ name }])
  name = "before"
  assert.deepStrictEqual(await read(true), [{ name }])
})

it("a process remembers few pages of the catalogue", () => {
  const parse = makeCatalogueTexts()
  const first = parse("0", "[0]")
  assert.strictEqual(parse("0", "[0]"), first)
  for (let n = 1; n <= 16; n++) parse(String(n), "[0]")
  assert.notStrictEqual(parse("0", "[0]"), first)
})
