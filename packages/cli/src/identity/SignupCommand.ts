import type { NewAccount } from "@agent-marketplace/client/wire/Endpoints"
import { makeSend } from "@agent-marketplace/client/requests/makeSend"
import { Effect, Option } from "effect"
import { Argument, Command } from "effect/cli"
import { CommandFailure, exitCodes } from "../errors/CommandFailure.ts"
import { explain } from "../errors/explain.ts"
import { optionalText } from "../terminal/optionalText.ts"
import { report } from "../terminal/report.ts"
import { switchFlag } from "../terminal/switchFlag.ts"
import { plain } from "../terminal/text.ts"
import { baseUrl } from "./baseUrl.ts"
import { keyFile } from "./keyFile.ts"
import { warnOfPlainHttp } from "./LoginCommand.ts"

/** Refuses to replace a stored key of the market, because its account would then be unreachable. */
const refuseToReplace = (url: string) =>
  new CommandFailure({
    code: "LOGGED_IN",
    message: `there is a key for ${url} already`,
    hint: "`agent-marketplace whoami` shows its account; `agent-marketplace logout` removes it.",
    exitCode: exitCodes.usage
  })

/** Creates the first account and stores its key, as `login` does (CLI-16). */
export const signupCommand = Command.make(
  "signup",
  {
    name: Argument.String("name").pipe(Argument.withDescription("Shown as author and creator")),
    email: optionalText("email", "Never shown to others"),
    seller: switchFlag("seller", "Allow the account to sell")
  },
  ({ email, name, seller }) =>
    Effect.gen(function* () {
      const url = yield* baseUrl
      const kept = yield* keyFile.read
      if (kept.markets[url] !== undefined) return yield* refuseToReplace(url)
      yield* warnOfPlainHttp(url)
      const send = makeSend({
        apiKey: "anonymous",
        baseUrl: url,
        agentId: undefined,
        timeout: 20_000,
        maxRetries: 0,
        fetch: globalThis.fetch
      })
      const body = { name, email: Option.getOrUndefined(email), seller }
      const { account, apiKey } = yield* Effect.tryPromise({
        try: (signal) =>
          send({ method: "POST", path: "/api/v1/accounts", body, options: { signal } }) as Promise<NewAccount>,
        catch: explain
      })
      yield* keyFile.keep(url, { apiKey: apiKey.key })
      const file = yield* keyFile.place
      const { key: _, ...stored } = apiKey
      return yield* report({ baseUrl: url, account, apiKey: stored, file }, () =>
        [
          `Created ${account.id} on ${url}, and logged in as ${plain.line(account.name)}.`,
          `Its key is in ${file}.`,
          "Next: `agent-marketplace wallet deposit`, or `agent-marketplace console`."
        ].join("\n")
      )
    })
).pipe(Command.withDescription("Create an account where sign-up is open, and store its FULL key on this machine"))
