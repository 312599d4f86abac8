import type { Caller } from "@agent-marketplace/core/identity/Caller"
import type { StoreUnavailable } from "@agent-marketplace/core/errors/MarketError"
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

/** The key of a demo account, and the file that stores it. */
export interface DemoKey {
  readonly file: string
  /** The key if this start created it; undefined if an earlier one did. */
  readonly made: Redacted.Redacted | undefined
}

/** Creates the demo account on the first start. Its key is printed then and stored in the data folder. */
export const demoKey = Effect.fn("DemoAccount.demoKey")(function* (
  dataDir: string
): Effect.fn.Return<DemoKey, StoreUnavailable, Identity> {
  const identity = yield* Identity
  const token = yield* kept(dataDir)
  const known: Option.Option<Caller> =
    token === undefined ? Option.none() : yield* Effect.option(identity.authenticate(token))
  if (Option.isSome(known)) return { file: file(dataDir), made: undefined }
  const { apiKey } = yield* identity.signUp({ name: "Demo", seller: true })
  yield* keep(dataDir, apiKey.token)
  return { file: file(dataDir), made: Redacted.make(apiKey.token) }
})
