import type { SkillDetail, SoulDetail } from "@agent-marketplace/client/wire/Endpoints"
import { Effect } from "effect"
import { CommandFailure, exitCodes } from "../errors/CommandFailure.ts"
import { usageFailure } from "../errors/usageFailure.ts"
import { ask } from "../identity/session.ts"

export type ItemType = "skill" | "soul"

/** A skill or a SOUL, and what both have. */
export type Item = {
  readonly id: string
  readonly name: string
  readonly slug: string
  /** With its currency: `12.50 USDT`. */
  readonly price: string
  /** The same without it, a decimal text. */
  readonly amount: string
  readonly isFree: boolean
  readonly seller: string
} & ({ readonly type: "skill"; readonly skill: SkillDetail } | { readonly type: "soul"; readonly soul: SoulDetail })

const ofSkill = (skill: SkillDetail): Item => ({
  type: "skill",
  skill,
  id: skill.id,
  name: skill.title,
  slug: skill.slug,
  price: `${skill.price} ${skill.currency}`,
  amount: skill.price,
  isFree: Number(skill.price) === 0,
  seller: skill.creator.name
})

const ofSoul = (soul: SoulDetail): Item => ({
  type: "soul",
  soul,
  id: soul.id,
  name: soul.name,
  slug: soul.slug,
  price: `${soul.price} USDC`,
  amount: soul.price,
  isFree: Number(soul.price) === 0,
  seller: soul.author
})

/** Nothing where there is no such thing. */
const orNothing = <R>(found: Effect.Effect<Item, CommandFailure, R>) =>
  Effect.map(found, (item): ReadonlyArray<Item> => [item]).pipe(
    Effect.catchIf(
      ({ statusCode }) => statusCode === 404,
      () => Effect.succeed<ReadonlyArray<Item>>([])
    )
  )

const skill = (name: string) =>
  orNothing(
    Effect.map(
      ask((market, options) => market.skills.get(name, options)),
      ofSkill
    )
  )

const soul = (slug: string) =>
  orNothing(
    Effect.map(
      ask((market, options) => market.souls.get(slug, options)),
      (found) => ofSoul(found.soul)
    )
  )

/** What is called so: a skill by its id or slug, a SOUL by its slug. */
export const findItem = (name: string, type: ItemType | undefined) =>
  Effect.gen(function* () {
    if (name.startsWith("soul_")) return yield* usageFailure("a SOUL is called by its slug, not by its id")
    const asked = [
      ...(type === "soul" ? [] : [skill(name)]),
      ...(type === "skill" || name.startsWith("lst_") ? [] : [soul(name)])
    ]
    const [item, other] = (yield* Effect.all(asked, { concurrency: 2 })).flat()
    if (item === undefined)
      return yield* new CommandFailure({
        code: "ITEM_NOT_FOUND",
        message: `there is no ${type ?? "skill or SOUL"} called ${name}`,
        hint: "`agent-marketplace search` finds what is on sale.",
        statusCode: 404,
        exitCode: exitCodes.failure
      })
    if (other === undefined) return item
    return yield* usageFailure(`a skill and a SOUL are called ${name}`, "Add --type skill or --type soul.")
  })
