import { Effect } from "effect"
import { Command } from "effect/cli"
import { report } from "../terminal/report.ts"
import { keyArgument } from "./keyArgument.ts"
import { ask } from "./session.ts"

export const deactivateKeyCommand = Command.make("deactivate", { id: keyArgument }, ({ id }) =>
  Effect.gen(function* () {
    const ended = yield* ask((market, options) => market.keys.deactivate(id, options))
    yield* report(ended, () => `${ended.id} is ${ended.status}.`)
  })
).pipe(Command.withDescription("End a key at once"))
