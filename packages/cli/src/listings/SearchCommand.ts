import type { SkillItem, SoulItem } from "@agent-marketplace/client/wire/Endpoints"
import { Effect, Option } from "effect"
import { Argument, Command, Flag } from "effect/cli"
import { usageFailure } from "../errors/CommandFailure.ts"
import { callMarket } from "../identity/session.ts"
import { searchSouls } from "../souls/searchSouls.ts"
import { list, moreFooter, pageFlags } from "../terminal/list.ts"
import { report } from "../terminal/report.ts"
import type { Column } from "../terminal/table.ts"
import { typeFlag } from "./findItem.ts"
import { optionalText } from "../terminal/optionalText.ts"

const skillColumns: ReadonlyArray<Column<SkillItem>> = [
  { title: "SLUG", value: ({ slug }) => slug },
  { title: "NAME", value: ({ title }) => title, yields: true },
  { title: "PRICE", value: ({ currency, price }) => `${price} ${currency}`, right: true },
  { title: "RATING", value: ({ rating }) => (rating === 0 ? "" : rating.toFixed(1)), right: true },
  { title: "CATEGORY", value: ({ category }) => category },
  { title: "WHAT IT DOES", value: ({ shortDesc }) => shortDesc, yields: true }
]

const soulColumns: ReadonlyArray<Column<SoulItem>> = [
  { title: "SLUG", value: ({ slug }) => slug },
  { title: "NAME", value: ({ name }) => name, yields: true },
  { title: "PRICE", value: ({ price }) => `${price} USDC`, right: true },
  { title: "AUTHOR", value: ({ author }) => author, yields: true },
  { title: "CATEGORY", value: ({ category }) => category },
  { title: "WHAT IT IS", value: ({ description }) => description, yields: true }
]

const flags = {
  words: Argument.String("words").pipe(
    Argument.withDescription("Words or prefixes to search for"),
    Argument.variadic()
  ),
  type: typeFlag.pipe(Flag.withDefault("skill" as const)),
  category: optionalText("category", "Only this category, by its slug"),
  tag: optionalText("tag", "Only SOULs with this tag"),
  minPrice: optionalText("min-price", "The lowest price of a skill"),
  maxPrice: optionalText("max-price", "The highest price of a skill"),
  sort: Flag.Literals("sort", ["price", "rating", "popular", "newest"]).pipe(
    Flag.withDescription("The order of skills; the best match first where absent"),
    Flag.optional
  ),
  order: Flag.Literals("order", ["asc", "desc"]).pipe(Flag.withDescription("Ascending or descending"), Flag.optional),
  ...pageFlags
}

type Wanted = Command.Command.Config.Infer<typeof flags>

const skills = ({ category, limit, maxPrice, minPrice, order, page, sort, words }: Wanted) =>
  Effect.gen(function* () {
    const query = {
      query: words.length === 0 ? undefined : words.join(" "),
      category: Option.getOrUndefined(category),
      minPrice: Option.getOrUndefined(minPrice),
      maxPrice: Option.getOrUndefined(maxPrice),
      sortBy: Option.getOrUndefined(sort),
      sortOrder: Option.getOrUndefined(order),
      page,
      limit
    }
    const found = yield* callMarket((market, options) => market.skills.list(query, options))
    const footer = moreFooter(page, found.skills.length, found.pagination.total, limit)
    yield* report(found, (page) =>
      list(page, { rows: found.skills, columns: skillColumns, empty: "No skill found.", footer })
    )
  })

const souls = ({ category, limit, maxPrice, minPrice, order, page, sort, tag, words }: Wanted) =>
  Effect.gen(function* () {
    if ([minPrice, maxPrice, sort, order].some(Option.isSome))
      return yield* usageFailure("--min-price, --max-price, --sort and --order are for skills")
    const filter = { category: Option.getOrUndefined(category), tags: Option.getOrUndefined(tag) }
    const found = yield* searchSouls(words, filter, page, limit)
    const footer = found.pagination.hasMore ? `--page ${page + 1} shows more.` : undefined
    return yield* report(found, (page) =>
      list(page, { rows: found.souls, columns: soulColumns, empty: "No SOUL found.", footer })
    )
  })

export const searchCommand = Command.make("search", flags, (wanted) =>
  wanted.type === "soul" ? souls(wanted) : skills(wanted)
).pipe(
  Command.withDescription("Find skills, or SOULs with --type soul"),
  Command.withExamples([
    { command: "agent-marketplace search mail --max-price 20 --sort rating", description: "Skills for mail" },
    { command: "agent-marketplace search --type soul --category personas", description: "All SOULs of a category" }
  ])
)
