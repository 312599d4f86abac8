import type { SoulDraft } from "@agent-marketplace/core/souls/Souls"
import { SoulDocument } from "@agent-marketplace/core/souls/SoulDocument"
import type { FrontMatter } from "@agent-marketplace/core/souls/SoulDocument"
import { Usdt } from "@agent-marketplace/core/money/Usdt"
import { Result, Schema } from "effect"
import { issuesOf } from "../errors/Issues.ts"
import { invalidFormat, soulFields } from "./SoulFields.ts"

const missingFields = "Missing required fields: name, description, content"

type Fields = typeof soulFields
type Body = Readonly<Record<string, unknown>>

const isGiven = (value: unknown): boolean => value !== undefined && value !== null && value !== ""

/** The value by its field's rule, or `"<field>: <what is wrong>"`. */
const decodeField = <K extends keyof Fields>(key: K, value: unknown): Result.Result<Fields[K]["Type"], string> =>
  Result.mapError(
    Schema.decodeUnknownResult(soulFields[key] as Schema.Codec<Fields[K]["Type"]>)(value),
    ({ issue }) => {
      const first = issuesOf(issue)[0]
      return `${key}: ${first?.message ?? "is not valid"}`
    }
  )

/** The body's value, decoded where it is given. */
const fromBody = <K extends keyof Fields>(body: Body, key: K): Result.Result<Fields[K]["Type"] | undefined, string> =>
  isGiven(body[key]) ? decodeField(key, body[key]) : Result.succeed(undefined)

/** What the body does not say comes from the front matter, by the same rule (SOUL-21). */
const fromFrontMatter = <K extends "price" | "category" | "tags">(
  said: Fields[K]["Type"] | undefined,
  matter: FrontMatter,
  key: K,
  otherwise: Fields[K]["Type"]
): Result.Result<Fields[K]["Type"], string> => {
  if (said !== undefined) return Result.succeed(said)
  return isGiven(matter[key]) ? decodeField(key, matter[key]) : Result.succeed(otherwise)
}

/**
 * The body of POST /api/v1/souls/create in the order of SOUL-24: required fields (null and "" count as missing: SOUL-13), field
 * rules, SOUL format. The failure is the message of SOUL-11, SOUL-19 or SOUL-23.
 */
export const decodeSoulDraft = (body: unknown): Result.Result<SoulDraft, string> =>
  Result.gen(function* () {
    const given: Body = typeof body === "object" && body !== null ? (body as Body) : {}
    if (![given.name, given.description, given.content].every(isGiven)) return yield* Result.fail(missingFields)
    const name = yield* decodeField("name", given.name)
    const description = yield* decodeField("description", given.description)
    const content = yield* decodeField("content", given.content)
    const price = yield* fromBody(given, "price")
    const category = yield* fromBody(given, "category")
    const tags = yield* fromBody(given, "tags")
    const matter = yield* Result.mapError(SoulDocument.parse(content), () => invalidFormat)
    return {
      name,
      description,
      content,
      price: yield* fromFrontMatter<"price">(price, matter, "price", Usdt.zero),
      category: yield* fromFrontMatter<"category">(category, matter, "category", "personas"),
      tags: yield* fromFrontMatter<"tags">(tags, matter, "tags", [])
    }
  })
