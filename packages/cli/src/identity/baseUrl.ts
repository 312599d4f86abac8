import { isMarketUrl } from "@agent-marketplace/client/requests/isMarketUrl"
import { Effect, Option } from "effect"
import { Flag, GlobalFlag } from "effect/cli"
import { CommandFailure, exitCodes, usageFailure } from "../errors/CommandFailure.ts"
import { CliContext } from "../terminal/CliContext.ts"
import { keyFile } from "./keyFile.ts"

/** The market's address. */
export const BaseUrlFlag = GlobalFlag.Setting("base-url")({
  flag: Flag.String("base-url").pipe(
    Flag.withDescription("The market's address; default: MARKETPLACE_URL, then the last login"),
    Flag.withMetavar("url"),
    Flag.optional
  )
})

/** The market's address from the option, the environment or the last login, in this order, without a trailing slash. */
export const baseUrl = Effect.gen(function* () {
  const { env } = yield* CliContext
  const given = Option.getOrUndefined(yield* BaseUrlFlag)
  const named = given ?? (env["MARKETPLACE_URL"] || undefined) ?? (yield* keyFile.read).current
  if (named === undefined)
    return yield* new CommandFailure({
      code: "NO_MARKET",
      message: "no market is configured",
      hint: "Give --base-url, set MARKETPLACE_URL, or run `agent-marketplace login --base-url <url>` once.",
      exitCode: exitCodes.usage
    })
  const url = named.replace(/\/+$/, "")
  if (isMarketUrl(url)) return url
  const where = given === undefined ? "MARKETPLACE_URL" : "--base-url"
  return yield* usageFailure(
    `${where}: must be a URL that starts with http:// or https://, such as https://market.example.com`
  )
})
