import type { SkillDetail, SoulDetail } from "@agent-marketplace/client/wire/Endpoints"
import { Effect } from "effect"
import { Argument, Flag } from "effect/cli"
import { CommandFailure, exitCodes, usageFailure } from "../errors/CommandFailure.ts"
import { callMarket } from "../identity/session.ts"

/** The kind of item. */
export const typeFlag = Flag.Literals("type", ["skill", "soul"]).pipe(Flag.withDescription("A skill or a SOUL"))

/** An item, and its kind if a skill and a SOUL have the same slug. */
export const itemArguments = {
  item: Argument.String("item").pipe(Argument.withDescription("A skill's id or slug, or a SOUL's slug")),
  type: Flag.optional(typeFlag)
}

export type ItemType = "skill" | "soul"

/** A skill or a SOUL, with the fields that both have. */
export type Item = {
  readonly id: string
  readonly name: string
  readonly slug: string
  /** With its currency, and for a subscription its period: `12.50 USDT`, `10.00 USDT every 30 days`. */
  readonly price: string
  /** The amount alone, a decimal text. */
  readonly amount: string
  readonly isFree: boolean
  readonly pricingModel: SkillDetail["pricingModel"]
  readonly seller: string
} & ({ readonly type: "skill"; readonly skill: SkillDetail } | { readonly type: "soul"; readonly soul: SoulDetail })

const priceText = ({ currency, price, pricingModel }: SkillDetail): string =>
  pricingModel === "subscription" ? `${price} ${currency} every 30 days` : `${price} ${currency}`

const ofSkill = (skill: SkillDetail): Item => ({
  type: "skill",
  skill,
  id: skill.id,
  name: skill.title,
  slug: skill.slug,
  price: priceText(skill),
  amount: skill.price,
  pricingModel: skill.pricingModel,
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
  pricingModel: Number(soul.price) === 0 ? "free" : "one_time",
  isFree: Number(soul.price) === 0,
  seller: soul.author
})

/** Empty if there is no such item. */
const orNothing = <R>(found: Effect.Effect<ReadonlyArray<Item>, CommandFailure, R>) =>
  Effect.catchIf(
    found,
    ({ statusCode }) => statusCode === 404,
    () => Effect.succeed<ReadonlyArray<Item>>([])
  )

const skill = (name: string) =>
  orNothing(
    Effect.map(
      callMarket((market, options) => market.skills.get(name, options)),
      // A SOUL also has a page as a skill; it is read as a SOUL, with its text.
      (found) => (found.kind === "soul" ? [] : [ofSkill(found)])
    )
  )

const soul = (slug: string) =>
  orNothing(
    Effect.map(
      callMarket((market, options) => market.souls.get(slug, options)),
      (found) => [ofSoul(found.soul)]
    )
  )

/** The item with this name: a skill's id or slug, or a SOUL's slug. */
export const findItem = (name: string, type: ItemType | undefined) =>
  Effect.gen(function* () {
    if (name.startsWith("soul_")) return yield* usageFailure("a SOUL is identified by its slug, not by its id")
    const lookups = [
      ...(type === "soul" ? [] : [skill(name)]),
      ...(type === "skill" || name.startsWith("lst_") ? [] : [soul(name)])
    ]
    const [item, other] = (yield* Effect.all(lookups, { concurrency: 2 })).flat()
    if (item === undefined)
      return yield* new CommandFailure({
        code: "ITEM_NOT_FOUND",
        message: `there is no ${type ?? "skill or SOUL"} named ${name}`,
        hint: "`agent-marketplace search` finds what is on sale.",
        statusCode: 404,
        exitCode: exitCodes.failure
      })
    if (other === undefined) return item
    return yield* usageFailure(`there is a skill and a SOUL named ${name}`, "Add --type skill or --type soul.")
  })
