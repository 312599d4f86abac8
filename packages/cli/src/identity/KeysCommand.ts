import { Command } from "effect/cli"
import { createKeyCommand } from "./CreateKeyCommand.ts"
import { deactivateKeyCommand } from "./DeactivateKeyCommand.ts"
import { listKeysCommand } from "./ListKeysCommand.ts"
import { refreshKeyCommand } from "./RefreshKeyCommand.ts"
import { rotateKeyCommand } from "./RotateKeyCommand.ts"

export const keysCommand = Command.make("keys").pipe(
  Command.withDescription("API keys: make, list, renew and end them"),
  Command.withSubcommands([
    listKeysCommand,
    createKeyCommand,
    rotateKeyCommand,
    refreshKeyCommand,
    deactivateKeyCommand
  ])
)
