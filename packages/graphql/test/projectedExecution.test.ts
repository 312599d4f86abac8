import { MarketApi } from "@agent-marketplace/api/MarketApi"
import { assert, describe, it } from "@effect/vitest"
import { Effect } from "effect"
import { OpenApi } from "effect/http-api"
import * as fc from "fast-check"
import { buildSchema, execute, parse } from "graphql"
import type { ExecutionArgs, GraphQLFieldConfig } from "graphql"
import type { GraphQLContext } from "../src/GraphQLContext.ts"
import type { OpenApiDocument } from "../src/JsonSchema.ts"
import { makeGraphql } from "../src/makeGraphql.ts"
import { makePlainQueries } from "../src/plainQueries.ts"
import { makeProjectedExecution } from "../src/projectedExecution.ts"

const { signal } = new AbortController()

const schema = buildSchema(`
  type Query { item: Item items(first: Int): [Item!] sure: Item! word: String }
  type Mutation { change: Item }
  type Item {
    id: ID! name: String count: Int price: Float! on: Boolean tags: [String!] matrix: [[Int]]
    child: Item children: [Item!] withArgument(x: Int): String computed: String
  }
`)

/** How often the executor resolved a field below the root. */
let resolved = 0

const item = schema.getType("Item") as unknown as {
  getFields: () => Record<string, GraphQLFieldConfig<unknown, unknown>>
}
item.getFields()["computed"]!.resolve = () => {
  resolved++
  return "computed"
}

const failure = new Error("refused")

/** Root fields have the values of the context; they fail where there is none. */
const context = (values: Readonly<Record<string, unknown>>, calls: Array<string> = []) =>
  ({ values, calls, root: { values: new Map(), hasMisfit: false } }) as unknown as GraphQLContext

for (const root of [schema.getQueryType(), schema.getMutationType()]) {
  for (const field of Object.values(root?.getFields() ?? {})) {
    field.resolve = async (
      _source,
      _args,
      { calls, values }: { readonly calls: Array<string>; readonly values: Readonly<Record<string, unknown>> }
    ) => {
      calls.push(field.name)
      if (!(field.name in values)) throw failure
      return values[field.name]
    }
  }
}

const projected = makeProjectedExecution(schema)(execute as (args: ExecutionArgs) => unknown)

const texts = async (query: string, values: Readonly<Record<string, unknown>>) => {
  const document = parse(query)
  const run = (by: (args: ExecutionArgs) => unknown) =>
    by({ schema, document, variableValues: { yes: true }, contextValue: context(values) })
  // The order of errors of fields that fail at the same time is not defined.
  const text = (result: unknown) => {
    const { data, errors = [] } = result as { data?: unknown; errors?: ReadonlyArray<unknown> }
    return JSON.stringify({ data, errors: errors.map((error) => JSON.stringify(error)).toSorted() })
  }
  return {
    expected: text(await run(execute as (args: ExecutionArgs) => unknown)),
    found: text(await run(projected)),
    again: text(await run(projected))
  }
}

const odd = fc.constantFrom<unknown>(null, undefined, {}, [], "text", Number.NaN, true, 2 ** 40, () => "made", failure)

/** Values that mostly fit. */
const fitting = (value: fc.Arbitrary<unknown>) =>
  fc.oneof({ weight: 30, arbitrary: value }, { weight: 1, arbitrary: odd })

const { value } = fc.letrec<{ value: unknown }>((tie) => ({
  value: fc.record(
    {
      id: fitting(fc.string()),
      name: fitting(fc.option(fc.string())),
      count: fitting(fc.integer()),
      price: fitting(fc.double({ noNaN: true, noDefaultInfinity: true })),
      on: fitting(fc.boolean()),
      tags: fitting(fc.array(fc.string(), { maxLength: 3 })),
      matrix: fitting(fc.array(fc.array(fc.option(fc.integer()), { maxLength: 2 }), { maxLength: 2 })),
      child: fitting(fc.option(tie("value"), { depthSize: "small", maxDepth: 3 })),
      children: fitting(fc.array(tie("value"), { maxLength: 3, depthIdentifier: "value" }))
    },
    { requiredKeys: ["id", "price"] }
  )
}))

const leafs = fc.constantFrom(
  "id",
  "name",
  "count",
  "price",
  "on",
  "tags",
  "matrix",
  "a: name",
  "a: name",
  "name",
  "...Part",
  "...Part",
  "rare: __typename",
  "withArgument(x: 1)",
  "computed",
  "id @include(if: $yes)"
)

/** Mostly selections of plain properties, with and without fragments. */
const { selection } = fc.letrec<{ selection: string }>((tie) => ({
  selection: fc
    .array(
      fc.oneof(
        { maxDepth: 3, depthIdentifier: "selection" },
        { weight: 6, arbitrary: leafs },
        { weight: 1, arbitrary: tie("selection").map((inner) => `child { ${inner} }`) },
        { weight: 1, arbitrary: tie("selection").map((inner) => `children { ${inner} }`) },
        { weight: 1, arbitrary: tie("selection").map((inner) => `... on Item { ${inner} }`) }
      ),
      { minLength: 1, maxLength: 6 }
    )
    .map((fields) => fields.join(" "))
}))

const documentOf = (inner: string): string =>
  `query($yes: Boolean) { item { ${inner} } items(first: 3) { id ${inner} } again: item { name } sure { ${inner} } word __typename }
  fragment Part on Item { count child { id } }`

/** A selection, and the values of the root fields; one of them may fail. */
const operations = fc
  .tuple(selection, fc.array(value, { maxLength: 3 }), value, fc.boolean())
  .map(([inner, items, sure, fails]) => ({
    inner,
    values: { items, sure, word: "word", ...(fails ? {} : { item: items[0] ?? null }) }
  }))

describe("a query that is repeated", () => {
  const repeatable = (inner: string): string =>
    `query Items($yes: Boolean) { item { ${inner} } items(first: 3) { id ${inner} } again: item { name } sure { ${inner} } word }
    fragment Part on Item { count child { id } }`

  const remembering = () => {
    const { answer, remember } = makePlainQueries(schema)
    const by = makeProjectedExecution(schema, remember)(execute as (args: ExecutionArgs) => unknown)
    /** Decodes the results. */
    const plain = {
      answer: async (...request: Parameters<typeof answer>) => {
        const result = await answer(...request)
        return result === undefined ? undefined : new TextDecoder().decode(result)
      }
    }
    return { plain, by }
  }

  it("has the same result without the server, byte for byte, and none if there is an error (GRAPHQL-3)", async () => {
    let answered = 0
    await fc.assert(
      fc.asyncProperty(operations, async ({ inner, values }) => {
        const query = repeatable(inner)
        const { by, plain } = remembering()
        const body = JSON.stringify({ query, variables: { yes: true }, operationName: "Items" })
        assert.isUndefined(await plain.answer(body, context(values)), "a document that the server has not executed")
        const args = { schema, document: parse(query), variableValues: { yes: true }, contextValue: context(values) }
        const expected = (await by(args)) as { data: unknown; errors?: ReadonlyArray<unknown> }
        const found = await plain.answer(body, context(values))
        if (found !== undefined) answered++
        if (expected.errors !== undefined) assert.isUndefined(found)
        else assert.include([undefined, JSON.stringify({ data: expected.data })], found)
      }),
      { numRuns: 150 }
    )
    assert.isAbove(answered, 10)
  })

  it("is answered only as a request with a query, its variables and its own name", async () => {
    const { by, plain } = remembering()
    const query = "query Word { word }"
    const answer = (body: unknown) =>
      plain.answer(typeof body === "string" ? body : JSON.stringify(body), context({ word: "said" }))
    await by({ schema, document: parse(query), contextValue: context({ word: "said" }) })
    for (const more of [{}, { variables: null }, { variables: {} }, { operationName: null }, { operationName: "Word" }])
      assert.strictEqual(await answer({ query, ...more }), `{"data":{"word":"said"}}`)
    for (const more of [{ operationName: "Other" }, { operationName: 1 }, { variables: [] }, { extensions: {} }])
      assert.isUndefined(await answer({ query, ...more }), JSON.stringify(more))
    for (const body of ["", "null", "[]", `"${query}"`, "{", { query: 1 }, [{ query }], { query: `${query} ` }])
      assert.isUndefined(await answer(body), JSON.stringify(body))
  })

  it("with wrong variables or without a required one is left to the server", async () => {
    const { by, plain } = remembering()
    const query = "query($first: Int!) { items(first: $first) { id } }"
    const values = { items: [{ id: "1" }] }
    await by({ schema, document: parse(query), variableValues: { first: 1 }, contextValue: context(values) })
    const answer = (variables: unknown) => plain.answer(JSON.stringify({ query, variables }), context(values))
    assert.strictEqual(await answer({ first: 1 }), `{"data":{"items":[{"id":"1"}]}}`)
    for (const variables of [{}, { first: null }, { first: "1" }, { first: 1.5 }, null])
      assert.isUndefined(await answer(variables), JSON.stringify(variables))
  })

  it("returns the current value, even if the last result was of another value", async () => {
    const { by, plain } = remembering()
    const query = "query Items { items(first: 3) { id } }"
    const pages = ["a", "b"].map((id) => [{ id }])
    await by({ schema, document: parse(query), contextValue: context({ items: pages[0] }) })
    for (const page of [0, 0, 1, 1, 0, 0, 0])
      assert.strictEqual(
        await plain.answer(JSON.stringify({ query }), context({ items: pages[page] })),
        JSON.stringify({ data: { items: pages[page] } })
      )
    // The result is reused: an object that was already projected is not projected again.
    Object.assign(pages[0]![0]!, { id: "c" })
    assert.include(await plain.answer(JSON.stringify({ query }), context({ items: pages[0] })), `"a"`)
  })

  it("mutations are not remembered, and only 200 documents are", async () => {
    const { by, plain } = remembering()
    const run = (query: string) =>
      by({ schema, document: parse(query), contextValue: context({ word: "w", change: null }) })
    const isKnown = async (query: string) =>
      (await plain.answer(JSON.stringify({ query }), context({ word: "w", change: null }))) !== undefined
    await run("mutation { change { id } }")
    assert.isFalse(await isKnown("mutation { change { id } }"))
    const queries = Array.from({ length: 201 }, (_, n) => `{ word${n}: word }`)
    for (const query of queries) await run(query)
    assert.isFalse(await isKnown("{ word0: word }"))
    for (const query of queries.slice(1)) assert.isTrue(await isKnown(query))
    const long = `{ word ${" ".repeat(4000)} }`
    await run(long)
    assert.isFalse(await isKnown(long))
  })
})

describe("an operation that is executed by projections", () => {
  it("has the same result and the same errors as by the executor, byte for byte (GRAPHQL-3)", async () => {
    await fc.assert(
      fc.asyncProperty(operations, async ({ inner, values }) => {
        const { again, expected, found } = await texts(documentOf(inner), values)
        assert.strictEqual(found, expected)
        assert.strictEqual(again, expected)
      }),
      { numRuns: 150 }
    )
  })

  const plain = { item: { id: "1", price: 2, children: [{ id: "2", price: 3 }] } }

  it("the compared operations are projected, and include ones with values that do not fit", async () => {
    const schemas: Array<boolean> = []
    const counting = makeProjectedExecution(schema)((args) => {
      schemas.push(args.schema === schema)
      return execute(args)
    })
    for (const price of [2, "two"]) {
      const contextValue = context({ item: { id: "1", price }, items: [], sure: { id: "2", price: 1 }, word: "word" })
      await counting({ schema, document: parse(documentOf("id rare: __typename price ...Part")), contextValue })
    }
    assert.deepStrictEqual(schemas, [false, false, true])
  })

  it("resolves no field below the root, unless it has a resolver", async () => {
    let executed = 0
    const counting = makeProjectedExecution(schema)((args) => {
      executed++
      assert.notStrictEqual(args.schema, schema)
      return execute(args)
    })
    await counting({ schema, document: parse("{ item { id children { id price } } }"), contextValue: context(plain) })
    assert.strictEqual(executed, 1)
    resolved = 0
    await projected({ schema, document: parse("{ item { computed } }"), contextValue: context(plain) })
    assert.strictEqual(resolved, 1)
  })

  it("a name that would set a prototype is only a name", async () => {
    const { expected, found } = await texts("{ item { __proto__: id } }", plain)
    assert.strictEqual(found, expected)
    assert.strictEqual(found, `{"data":{"item":{"__proto__":"1"}},"errors":[]}`)
  })

  it("a list that its operation returns as a whole is cut to `first` (GRAPHQL-7)", async () => {
    const graphql = makeGraphql({
      document: OpenApi.fromApi(MarketApi) as unknown as OpenApiDocument,
      catalogue: { creators: () => Effect.succeed(new Map()), itemFacts: () => Effect.succeed(new Map()) },
      run: (effect) => Effect.runPromise(effect),
      onFault: () => undefined
    })
    const data = ["a", "b", "c"].map((name) => ({ name, count: 1 }))
    const own = {
      call: () => Promise.resolve({ status: 200, text: JSON.stringify({ success: true, data }) }),
      fetch: () => Promise.reject(new Error("not used"))
    }
    for (const first of [1, 2, 3, 4]) {
      const body = JSON.stringify({ query: `{ categories(first: ${first}) { nodes { count } } }` })
      const response = await graphql({ accept: "application/json", body, own, requestId: "req_1", signal })
      assert.isFalse("result" in response)
      const { data: shown } = (await (response as Response).json()) as {
        readonly data: { readonly categories: { readonly nodes: ReadonlyArray<object> } }
      }
      assert.lengthOf(shown.categories.nodes, Math.min(first, 3))
    }
  })

  it("a result that does not fit is reported, and its mutation is not repeated (GRAPHQL-2)", async () => {
    const [faults, calls]: [Array<unknown>, Array<string>] = [[], []]
    const graphql = makeGraphql({
      document: OpenApi.fromApi(MarketApi) as unknown as OpenApiDocument,
      catalogue: { creators: () => Effect.succeed(new Map()), itemFacts: () => Effect.succeed(new Map()) },
      run: (effect) => Effect.runPromise(effect),
      onFault: (error) => faults.push(error)
    })
    const response = await graphql({
      accept: "application/json",
      body: JSON.stringify({ query: `mutation { buy(input: { skillId: "lst_1" }) { purchaseId } }` }),
      own: {
        call: ({ url }) => {
          calls.push(url)
          const text = JSON.stringify({ success: true, data: { purchaseId: { is: "no text" } } })
          return Promise.resolve({ status: 200, text })
        },
        fetch: () => Promise.reject(new Error("not used"))
      },
      requestId: "req_1",
      signal
    })
    assert.isFalse("result" in response, "a plain result")
    const { errors } = (await (response as Response).json()) as {
      readonly errors: ReadonlyArray<{ readonly path: unknown }>
    }
    assert.deepStrictEqual(errors[0]?.path, ["buy", "purchaseId"])
    assert.lengthOf(faults, 1)
    assert.lengthOf(calls, 1)
  })
})
