import { postOauthForm } from "@agent-marketplace/client/node/login/oauthForm"
import type { StoredKeys } from "@agent-marketplace/client/node/login/KeyFile"
import { Effect } from "effect"
import { Command } from "effect/cli"
import { notice, report } from "../terminal/report.ts"
import { baseUrl } from "./baseUrl.ts"
import { keyFile } from "./keyFile.ts"

/** Ends the grant of a login with the browser (OAUTH-19). False if the market did not confirm it. */
export const endLogin = (market: string, refreshToken: string): Promise<boolean> =>
  postOauthForm(market, "revoke", { token: refreshToken, token_type_hint: "refresh_token" }).then(
    ({ ok }) => ok,
    () => false
  )

type Outcome = "absent" | "key" | "ended" | "unconfirmed"

const sentence = (outcome: Outcome, url: string): string => {
  if (outcome === "absent") return `There was no key for ${url}.`
  return outcome === "key"
    ? `The key for ${url} is removed from this machine. It still works: \`agent-marketplace keys deactivate\` ends it.`
    : `Logged out of ${url}.`
}

const logout = Effect.gen(function* () {
  const url = yield* baseUrl
  let outcome: Outcome = "absent"
  // The tokens end while the file is locked, so that no other process refreshes them at the same time.
  yield* keyFile.change(async (kept): Promise<StoredKeys> => {
    const { [url]: removed, ...markets } = kept.markets
    if (removed === undefined) return kept
    if ("apiKey" in removed) outcome = "key"
    else outcome = (await endLogin(url, removed.refreshToken)) ? "ended" : "unconfirmed"
    return { current: kept.current === url ? Object.keys(markets)[0] : kept.current, markets }
  })
  const result = outcome as Outcome
  if (result === "unconfirmed")
    yield* notice(
      `warning: ${url} did not confirm that the access has ended: the owner ends it with \`agent-marketplace oauth grants end\`.`
    )
  yield* report({ baseUrl: url, forgotten: result !== "absent", revoked: result === "ended" }, () =>
    sentence(result, url)
  )
})

export const logoutCommand = Command.make("logout", {}, () => logout).pipe(
  Command.withDescription("Remove the stored key of a market; the access of a login with the browser ends")
)
