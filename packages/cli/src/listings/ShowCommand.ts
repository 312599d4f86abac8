import type { ListingDetail } from "@agent-marketplace/client/wire/Endpoints"
import { Effect, Option } from "effect"
import { Command } from "effect/cli"
import { callMarket } from "../identity/session.ts"
import type { Page } from "../terminal/CliContext.ts"
import { when } from "../terminal/format.ts"
import { report } from "../terminal/report.ts"
import { fields } from "../terminal/table.ts"
import { plain } from "../terminal/text.ts"
import type { Item } from "./findItem.ts"
import { findItem, itemArguments } from "./findItem.ts"

const skillText = (page: Page, item: Item & { readonly type: "skill" }, listing: ListingDetail): string => {
  const { skill } = item
  const { rating, reviews, sales } = skill.stats
  const facts = fields(page, [
    ["name", skill.title],
    ["id", skill.id],
    ["slug", skill.slug],
    ["price", item.price],
    ["seller", skill.creator.name],
    ["category", skill.category],
    ["tags", skill.tags.join(", ")],
    ["rating", reviews === 0 ? "none yet" : `${rating.toFixed(1)} of 5, ${reviews} reviews`],
    ["sold", sales],
    ["status", skill.status],
    ["install from", listing.installUrl],
    ["documentation", listing.documentationUrl],
    ["since", when(skill.createdAt)]
  ])
  return [facts, plain.text(listing.longDescription ?? skill.description)].join("\n\n")
}

const soulText = (page: Page, item: Item & { readonly type: "soul" }): string => {
  const { soul } = item
  const facts = fields(page, [
    ["name", soul.name],
    ["id", soul.id],
    ["slug", soul.slug],
    ["price", item.price],
    ["author", soul.author],
    ["category", soul.category],
    ["tags", soul.tags.join(", ")],
    ["downloads", soul.downloads],
    ["updated", when(soul.updatedAt)]
  ])
  return [facts, plain.text(soul.description), plain.text(soul.content).trimEnd()].join("\n\n")
}

export const showCommand = Command.make("show", itemArguments, ({ item: name, type }) =>
  Effect.gen(function* () {
    const item = yield* findItem(name, Option.getOrUndefined(type))
    if (item.type === "soul") return yield* report({ type: item.type, soul: item.soul }, (page) => soulText(page, item))
    const listing = yield* callMarket((market, options) => market.listings.get(item.id, options))
    return yield* report({ type: item.type, skill: item.skill, listing }, (page) => skillText(page, item, listing))
  })
).pipe(Command.withDescription("Show a skill or a SOUL, with its text"))
