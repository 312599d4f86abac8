import { Effect } from "effect"
import { Command } from "effect/cli"
import { report } from "../terminal/report.ts"
import { switchFlag } from "../terminal/switchFlag.ts"
import { openBrowser } from "./openBrowser.ts"
import { callMarket } from "./session.ts"

/** The link is a secret for two minutes, so it is opened only on this machine and printed only to this terminal (CLI-15). */
export const consoleCommand = Command.make(
  "console",
  { noOpen: switchFlag("no-open", "Only print the link") },
  ({ noOpen }) =>
    Effect.gen(function* () {
      const link = yield* callMarket((market, options) => market.sessions.createLink(options))
      const opened = noOpen ? false : yield* openBrowser(link.url)
      const sentence = opened ? "Opened in the browser:" : "Open this link in a browser:"
      yield* report(link, ({ isTerminal }) =>
        isTerminal ? `${sentence}\n${link.url}\n\nIt signs in once, within two minutes.` : link.url
      )
    })
).pipe(Command.withDescription("Print and open a link that signs in to the market's pages. Needs an owner's FULL key"))
