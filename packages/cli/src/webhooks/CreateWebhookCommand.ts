import { Effect } from "effect"
import { Argument, Command } from "effect/cli"
import { ask } from "../identity/session.ts"
import { fields } from "../terminal/fields.ts"
import { report } from "../terminal/report.ts"
import { eventsFlag } from "./eventsFlag.ts"

export const createWebhookCommand = Command.make(
  "create",
  { url: Argument.String("url").pipe(Argument.withDescription("An HTTPS URL that others reach")), events: eventsFlag },
  ({ events, url }) =>
    Effect.gen(function* () {
      const made = yield* ask((market, options) => market.webhooks.create({ url, events }, options))
      yield* report(made, (page) => {
        const facts = fields(page, [
          ["webhook", made.id],
          ["url", made.url],
          ["events", made.events.join(", ")],
          ["secret", made.secret]
        ])
        return page.isTerminal ? `${facts}\n\nThe secret is shown this once: receivers verify with it.` : facts
      })
    })
).pipe(Command.withDescription("Have events sent to a URL; shows the secret, this once"))
