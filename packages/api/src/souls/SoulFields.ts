import { soulFields } from "@agent-marketplace/core/souls/SoulFields"
import { SoulDocument } from "@agent-marketplace/core/souls/SoulDocument"
import { Result, Schema } from "effect"
import { createFields, patchFields } from "../wire/RecordSchemas.ts"

export const invalidFormat = "Invalid SOUL format - content should be a valid SOUL.md file"

/** For the documents only. The server decodes the body with `decodeSoulDraft`, which checks in the order of SOUL-24 and fails with the messages of SOUL-11. */
export const SoulCreate = Schema.Struct(createFields(soulFields, "soul")).annotate({
  identifier: "SoulCreate",
  description: "A soul to publish."
})

/** A PATCH reports a broken SOUL format (SOUL-19) together with everything else that is wrong. */
const content = soulFields.content.input.soul.schema.check(
  Schema.makeFilter((text: string) => (Result.isFailure(SoulDocument.parse(text)) ? invalidFormat : undefined), {
    toJsonSchema: () => ({})
  })
)

const patched = {
  ...soulFields,
  content: { ...soulFields.content, input: { soul: { ...soulFields.content.input.soul, schema: content } } }
} as const

export const SoulPatch = Schema.Struct(patchFields(patched, "soul")).annotate({
  identifier: "SoulPatch",
  description: "The fields to change; absent fields keep their values."
})
