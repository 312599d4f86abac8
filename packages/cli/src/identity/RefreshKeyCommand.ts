import { Effect } from "effect"
import { Command } from "effect/cli"
import { usageFailure } from "../errors/usageFailure.ts"
import { report } from "../terminal/report.ts"
import { graceFlag } from "./graceFlag.ts"
import { keyFile } from "./keyFile.ts"
import { ask, session } from "./session.ts"

export const refreshKeyCommand = Command.make("refresh", { graceSeconds: graceFlag }, ({ graceSeconds }) =>
  Effect.gen(function* () {
    const { baseUrl, source } = yield* session
    if (source === "environment")
      return yield* usageFailure(
        "the key comes from MARKETPLACE_API_KEY, where a new one cannot be kept",
        "`agent-marketplace keys rotate` makes a new one and shows it."
      )
    const kept = yield* keyFile.read
    const { key, ...record } = yield* ask((market, options) => market.keys.refresh({ graceSeconds }, options))
    yield* keyFile.write({ ...kept, markets: { ...kept.markets, [baseUrl]: { apiKey: key } } })
    return yield* report(record, () => `The key for ${baseUrl} is a new one: ${record.id}.`)
  })
).pipe(Command.withDescription("Put a new key in the place of the one that login keeps"))
