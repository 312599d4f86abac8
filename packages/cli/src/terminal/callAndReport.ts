import type { Marketplace } from "@agent-marketplace/client"
import type { CallOptions } from "@agent-marketplace/client/requests/Send"
import { Effect } from "effect"
import { callMarket } from "../identity/session.ts"
import type { Page } from "./CliContext.ts"
import { report } from "./report.ts"

/** One call of the client with the user's key; prints the result as `text`, or as JSON with --json. */
export const callAndReport = <A>(
  call: (market: Marketplace, options: CallOptions) => Promise<A>,
  text: (page: Page, result: A) => string
) => Effect.flatMap(callMarket(call), (result) => report(result, (page) => text(page, result)))
