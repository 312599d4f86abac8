import { it } from "@effect/vitest"
import { Effect, Logger, Schema } from "effect"
import type { McpSchema } from "effect/ai"
import { assert, describe } from "vitest"
import { Argument } from "../../src/tools/Argument.ts"
import { marketTool } from "../../src/tools/MarketTool.ts"
import { data, stubMarket } from "../fixtures/stubMarket.ts"

const market = stubMarket(() => data({}))

const textOf = ({ content }: McpSchema.CallToolResult): string => {
  const [first] = content
  return first?.type === "text" ? first.text : assert.fail("no text")
}

const echo = (call: () => Promise<{ readonly word: string }>) =>
  marketTool({
    name: "echo",
    title: "Echo",
    description: "Says a word.",
    effects: "reads",
    openWorld: false,
    input: {
      word: Argument.text(2, 4, "A word."),
      times: Argument.optional(Argument.whole(1, 3, "How often.")),
      tone: Argument.optional(Argument.choice(["low", "high"], "How high."))
    },
    output: { word: Schema.String },
    call
  })

const echoTool = echo(async () => ({ word: "hi" }))

const issuesOf = (tool: typeof echoTool, payload: unknown) =>
  Effect.map(tool.call(market, payload), (result) => {
    assert(!("_tag" in result))
    assert.isTrue(result.isError)
    return (JSON.parse(textOf(result)) as { error: { details: { issues: unknown } } }).error.details.issues
  })

describe("marketTool", () => {
  it("shows the bounds and descriptions of its arguments as JSON Schema", () => {
    assert.deepStrictEqual(JSON.parse(JSON.stringify(echoTool.descriptor.inputSchema)), {
      type: "object",
      properties: {
        word: { type: "string", minLength: 2, maxLength: 4, description: "A word." },
        times: { type: "integer", minimum: 1, maximum: 3, description: "How often." },
        tone: { type: "string", enum: ["low", "high"], description: "How high." }
      },
      required: ["word"],
      additionalProperties: false
    })
  })

  it.effect("counts characters as the market does, and treats null as absent", () =>
    Effect.gen(function* () {
      const result = yield* echoTool.call(market, { word: "🦀🦀🦀🦀", times: null, tone: null })
      assert(!("_tag" in result))
      assert.isNotTrue(result.isError, textOf(result))
      assert.deepStrictEqual(result.structuredContent, { word: "hi" })
      assert.strictEqual(textOf(result), '{"word":"hi"}')
    })
  )

  it.effect("names every wrong argument with the rule that it breaks (MCP-4)", () =>
    Effect.gen(function* () {
      assert.deepStrictEqual(yield* issuesOf(echoTool, { word: "x", times: 1.5, tone: "loud" }), [
        { path: "word", message: "must be 2 to 4 characters" },
        { path: "times", message: "must be a whole number from 1 to 3" },
        { path: "tone", message: "must be one of low, high" }
      ])
      assert.deepStrictEqual(yield* issuesOf(echoTool, {}), [{ path: "word", message: "is required" }])
      assert.deepStrictEqual(yield* issuesOf(echoTool, { word: 5, times: "1" }), [
        { path: "word", message: "must be a string" },
        { path: "times", message: "must be a number" }
      ])
      assert.deepStrictEqual(yield* issuesOf(echoTool, { word: "hey", volume: 11 }), [
        { path: "volume", message: "is not an argument of this tool" }
      ])
      for (const payload of [5, "word", []]) assert.isNotEmpty(yield* issuesOf(echoTool, payload))
    })
  )

  it.effect("reports an internal error without details, and logs the cause", () => {
    const logged: Array<string> = []
    const logger = Logger.make(({ message }) => void logged.push(JSON.stringify(message)))
    const broken = echo(() => Promise.reject(new TypeError("secret detail")))
    const strange = echo(async () => ({ word: 5 as unknown as string }))
    return Effect.gen(function* () {
      for (const tool of [broken, strange]) {
        const result = yield* tool.call(market, { word: "hey" })
        assert(!("_tag" in result))
        assert.isTrue(result.isError)
        const { error } = JSON.parse(textOf(result)) as { error: { code: string; message: string } }
        assert.strictEqual(error.code, "INTERNAL_ERROR")
        assert.notInclude(textOf(result), "secret")
      }
      assert.lengthOf(logged, 2)
    }).pipe(Effect.provide(Logger.layer([logger])))
  })
})
