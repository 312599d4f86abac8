import { defaultsOf } from "@agent-marketplace/core/fields/Field"
import type { ListingDraft } from "@agent-marketplace/core/listings/Listing"
import { categoryByName, listingFields } from "@agent-marketplace/core/listings/ListingFields"
import { Schema } from "effect"
import { withBodyRule } from "../wire/BodyRule.ts"
import { field } from "../wire/Field.ts"
import { optional } from "../wire/Input.ts"
import { createFields, patchFields } from "../wire/RecordSchemas.ts"

const categoryId = field(optional(categoryByName), "The category's slug, if `category` is absent.", "data")

/** The body that creates a skill (SKILL-5, SKILL-6, SKILL-8). */
export const SkillCreate = Schema.Struct({ ...createFields(listingFields, "skill"), categoryId })
  .annotate({
    identifier: "SkillCreate",
    description: "A skill to submit for review."
  })
  .pipe(withBodyRule("price"))

export const SkillPatch = Schema.Struct({ ...patchFields(listingFields, "skill"), categoryId })
  .annotate({
    identifier: "SkillPatch",
    description: "The fields to change; absent fields keep their values."
  })
  .pipe(withBodyRule("listingChange"))

const defaults = defaultsOf(listingFields, "skill")

export const toSkillDraft = ({ categoryId, ...body }: typeof SkillCreate.Type): ListingDraft => ({
  ...defaults,
  ...body,
  category: body.category ?? categoryId ?? defaults.category
})

export const toSkillPatch = ({ categoryId, ...patch }: typeof SkillPatch.Type): Partial<ListingDraft> =>
  categoryId === undefined || patch.category !== undefined ? patch : { ...patch, category: categoryId }
