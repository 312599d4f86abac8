import { Effect, Option } from "effect"
import { Command } from "effect/cli"
import { callMarket } from "../identity/session.ts"
import { confirm, yesFlag } from "../terminal/confirm.ts"
import { report } from "../terminal/report.ts"
import { plain } from "../terminal/text.ts"
import { findItem, itemArguments } from "./findItem.ts"

export const unpublishCommand = Command.make("unpublish", { ...itemArguments, yes: yesFlag }, ({ item, type, yes }) =>
  Effect.gen(function* () {
    const { id, name, slug, type: kind } = yield* findItem(item, Option.getOrUndefined(type))
    yield* confirm(`Remove ${name} (${slug}) from the market for good?`, yes)
    const removed = yield* callMarket((market, options) =>
      kind === "soul" ? market.souls.delete(slug, options) : market.listings.delete(id, options)
    )
    yield* report(removed, () => `${plain.line(name)} is removed. Licenses that were sold stay valid.`)
  })
).pipe(Command.withDescription("Remove an item from the market for good; licenses stay valid"))
