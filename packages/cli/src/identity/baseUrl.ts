import { isMarketUrl } from "@agent-marketplace/client/requests/isMarketUrl"
import { Effect, Option } from "effect"
import { CommandFailure, exitCodes } from "../errors/CommandFailure.ts"
import { usageFailure } from "../errors/usageFailure.ts"
import { Surroundings } from "../terminal/Surroundings.ts"
import { BaseUrlFlag } from "./BaseUrlFlag.ts"
import { keyFile } from "./keyFile.ts"

/** The market that is named by the option, the environment or the last login, in this order; without a slash at its end. */
export const baseUrl = Effect.gen(function* () {
  const { env } = yield* Surroundings
  const given = Option.getOrUndefined(yield* BaseUrlFlag)
  const named = given ?? (env["MARKETPLACE_URL"] || undefined) ?? (yield* keyFile.read).current
  if (named === undefined)
    return yield* new CommandFailure({
      code: "NO_MARKET",
      message: "no market is named",
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
