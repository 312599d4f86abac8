import type { Caller } from "@agent-marketplace/core/identity/Caller"
import { Identity } from "@agent-marketplace/core/identity/Identity"
import { Effect, Option, Redacted } from "effect"
import { mkdir, readFile, writeFile } from "node:fs/promises"
import { join } from "node:path"

const file = (dataDir: string): string => join(dataDir, "demo-key")

const kept = (dataDir: string): Effect.Effect<string | undefined> =>
  Effect.promise(() =>
    readFile(file(dataDir), "utf8").then(
      (text) => text.trim(),
      () => undefined
    )
  )

const keep = (dataDir: string, token: string): Effect.Effect<void> =>
  Effect.promise(async () => {
    await mkdir(dataDir, { recursive: true })
    await writeFile(file(dataDir), `${token}\n`, { mode: 0o600 })
  })

/** The key of an account to try the market with, made on the first start and kept in the data folder. */
export const demoKey = Effect.fn("DemoAccount.demoKey")(function* (dataDir: string) {
  const identity = yield* Identity
  const token = yield* kept(dataDir)
  const known: Option.Option<Caller> =
    token === undefined ? Option.none() : yield* Effect.option(identity.authenticate(token))
  if (token !== undefined && Option.isSome(known)) return Redacted.make(token)
  const { apiKey } = yield* identity.signUp({ name: "Demo", seller: true })
  yield* keep(dataDir, apiKey.token)
  return Redacted.make(apiKey.token)
})
