import { Effect } from "effect"
import { Command } from "effect/cli"
import { report } from "../terminal/report.ts"
import { accountFields } from "./accountFields.ts"
import { ask, session } from "./session.ts"

const whoami = Effect.gen(function* () {
  const { baseUrl, source } = yield* session
  const account = yield* ask((market, options) => market.account.get(options))
  const from = source === "login" ? "kept by login" : "MARKETPLACE_API_KEY"
  yield* report({ baseUrl, keySource: source, account }, (page) =>
    accountFields(page, account, [
      ["market", baseUrl],
      ["key", from]
    ])
  )
})

export const whoamiCommand = Command.make("whoami", {}, () => whoami).pipe(
  Command.withDescription("Show the account that the key belongs to, and where the key comes from")
)
