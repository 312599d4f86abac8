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

/** Fields that are taken from the front matter if the body lacks them, under the same rules (SOUL-21). */
const fromFrontMatter = ["price", "category", "tags"] as const satisfies ReadonlyArray<keyof FrontMatter>

const isGiven = (value: unknown): boolean => value !== undefined && value !== null && value !== ""

/** Decodes the fields that are given. The first that breaks its rule fails with `"<field>: <what is wrong>"`. */
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

/** Why a body is refused, and which required fields it lacks (SOUL-12). */
export interface SoulDraftFailure {
  readonly message: string
  readonly missing: ReadonlyArray<string>
}

const broken = (message: string): SoulDraftFailure => ({ message, missing: [] })

/**
 * The body of POST /api/v1/souls/create in the order of SOUL-24: required fields (null and "" count as missing: SOUL-13), field
 * rules, SOUL format. The failure is the message of SOUL-11, SOUL-19 or SOUL-23.
 */
export const decodeSoulDraft = (body: unknown): Result.Result<SoulDraft, SoulDraftFailure> =>
  Result.gen(function* () {
    const given: Body = typeof body === "object" && body !== null ? (body as Body) : {}
    const missing = required.filter((name) => !isGiven(given[name]))
    if (missing.length > 0) return yield* Result.fail({ message: missingFields, missing })
    const decoded = yield* Result.mapError(decodeGiven(given), broken)
    const matter = yield* Result.mapError(SoulDocument.parse(String(given.content)), () => broken(invalidFormat))
    const unsaid = fromFrontMatter.filter((name) => !(name in decoded))
    const fromMatter = yield* Result.mapError(
      decodeGiven(Object.fromEntries(unsaid.map((name) => [name, matter[name]]))),
      broken
    )
    // SOUL-16, SOUL-17, SOUL-31
    const { category, price, tags, visibility } = defaultsOf(soulFields)
    return { category, price, tags, visibility, ...fromMatter, ...decoded } as SoulDraft
  })

/** The body that a SOUL.md is equivalent to: every field but `content` comes from its front matter (SOUL-22). */
export const bodyOfMarkdown = (content: string): Result.Result<unknown, SoulDraftFailure> =>
  Result.mapBoth(SoulDocument.frontMatter(content), {
    onFailure: () => broken(invalidFormat),
    onSuccess: ({ category, description, name, price, tags }) => ({ name, description, content, price, category, tags })
  })
