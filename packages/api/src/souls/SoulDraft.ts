import type { FieldInput } from "@agent-marketplace/core/fields/Field"
import { defaultsOf } from "@agent-marketplace/core/fields/Field"
import type { SoulDraft } from "@agent-marketplace/core/souls/Soul"
import { SoulDocument } from "@agent-marketplace/core/souls/SoulDocument"
import type { FrontMatter } from "@agent-marketplace/core/souls/SoulDocument"
import { soulFields } from "@agent-marketplace/core/souls/SoulFields"
import { Result, Schema } from "effect"
import { issuesOf } from "../errors/Issues.ts"
import { invalidFormat } from "./SoulFields.ts"

type Body = Readonly<Record<string, unknown>>

const inputs = Object.entries(soulFields).flatMap(([name, field]) =>
  "input" in field ? [{ name, ...(field.input.soul as FieldInput) }] : []
)

const required = inputs.filter((field) => field.required === true).map(({ name }) => name)

const missingFields = `Missing required fields: ${required.join(", ")}`

/** What the body does not say of these comes from the front matter, by the same rule (SOUL-21). */
const fromFrontMatter = ["price", "category", "tags"] as const satisfies ReadonlyArray<keyof FrontMatter>

const isGiven = (value: unknown): boolean => value !== undefined && value !== null && value !== ""

/** The fields that are given, each by its rule; the first that breaks one fails with `"<field>: <what is wrong>"`. */
const decodeGiven = (given: Body): Result.Result<Body, string> =>
  Result.gen(function* () {
    const decoded: Record<string, unknown> = {}
    for (const { name, schema } of inputs) {
      const value = given[name]
      if (!isGiven(value)) continue
      decoded[name] = yield* Result.mapError(
        Schema.decodeUnknownResult(schema)(value),
        ({ issue }) => `${name}: ${issuesOf(issue)[0]?.message ?? "is not valid"}`
      )
    }
    return decoded
  })

/**
 * The body of POST /api/v1/souls/create in the order of SOUL-24: required fields (null and "" count as missing: SOUL-13), field
 * rules, SOUL format. The failure is the message of SOUL-11, SOUL-19 or SOUL-23.
 */
export const decodeSoulDraft = (body: unknown): Result.Result<SoulDraft, string> =>
  Result.gen(function* () {
    const given: Body = typeof body === "object" && body !== null ? (body as Body) : {}
    if (!required.every((name) => isGiven(given[name]))) return yield* Result.fail(missingFields)
    const decoded = yield* decodeGiven(given)
    const matter = yield* Result.mapError(SoulDocument.parse(String(given.content)), () => invalidFormat)
    const unsaid = fromFrontMatter.filter((name) => !(name in decoded))
    const fromMatter = yield* decodeGiven(Object.fromEntries(unsaid.map((name) => [name, matter[name]])))
    // SOUL-16, SOUL-17, SOUL-31
    const { category, price, tags, visibility } = defaultsOf(soulFields)
    return { category, price, tags, visibility, ...fromMatter, ...decoded } as SoulDraft
  })
