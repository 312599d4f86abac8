import { Effect, Redacted } from "effect"
import { usageFailure } from "../errors/CommandFailure.ts"
import { CliContext } from "../terminal/CliContext.ts"

/** DATABASE_URL, which holds a password. */
export const databaseUrl = Effect.gen(function* () {
  const { env } = yield* CliContext
  const url = env["DATABASE_URL"] ?? ""
  if (/^postgres(?:ql)?:\/\/./.test(url) && URL.canParse(url)) return Redacted.make(url)
  return yield* usageFailure(
    url === "" ? "DATABASE_URL is not set" : "DATABASE_URL must be a URL that starts with postgres:// or postgresql://"
  )
})
