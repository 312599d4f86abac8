import { changeKeyFile, keyFilePlace, readKeyFile } from "@agent-marketplace/client/node/login/KeyFile"
import type { StoredKeys } from "@agent-marketplace/client/node/login/KeyFile"
import { KeyFileError } from "@agent-marketplace/client/node/login/KeyFileError"
import { Effect } from "effect"
import { CommandFailure, exitCodes } from "../errors/CommandFailure.ts"
import { CliContext } from "../terminal/CliContext.ts"

const place = Effect.map(CliContext, ({ env }) => keyFilePlace(env))

const failing = (cause: unknown) => {
  if (cause instanceof CommandFailure) return cause
  return cause instanceof KeyFileError
    ? new CommandFailure({ code: cause.code, message: cause.message, hint: cause.hint, exitCode: exitCodes.key })
    : new CommandFailure({
        code: "KEY_FILE_UNUSABLE",
        message: cause instanceof Error ? cause.message : String(cause),
        exitCode: exitCodes.failure
      })
}

const change = (make: (kept: StoredKeys) => Promise<StoredKeys> | StoredKeys) =>
  Effect.flatMap(place, (file) => Effect.tryPromise({ try: () => changeKeyFile(file, make), catch: failing }))

/** The file with the user's keys: mode 0600 in a folder of mode 0700. */
export const keyFile = {
  place,
  /** Empty if there is no file. Fails if other users could have read or replaced it. */
  read: Effect.flatMap(place, (file) => Effect.tryPromise({ try: () => readKeyFile(file), catch: failing })),
  /** Changes the file while no other process does. */
  change,
  /** Stores the key or the tokens of a market, which becomes the default market. */
  keep: (market: string, stored: StoredKeys["markets"][string]) =>
    change(({ markets }) => ({ current: market, markets: { ...markets, [market]: stored } }))
} as const
