import { Effect } from "effect"
import { Argument, Command } from "effect/cli"
import { callMarket } from "../identity/session.ts"
import { report } from "../terminal/report.ts"
import { fields } from "../terminal/table.ts"
import { findItem } from "./findItem.ts"

export const installSourceCommand = Command.make(
  "install-source",
  { skill: Argument.String("skill").pipe(Argument.withDescription("A skill's id or slug")) },
  ({ skill }) =>
    Effect.gen(function* () {
      const { id } = yield* findItem(skill, "skill")
      const source = yield* callMarket((market, options) => market.listings.install(id, options))
      yield* report(source, (page) =>
        fields(page, [
          ["kind", source.kind],
          ["url", source.url],
          ["version", source.version],
          ["sha256", source.sha256]
        ])
      )
    })
).pipe(Command.withDescription("Show where a skill is installed from, without installing it"))
