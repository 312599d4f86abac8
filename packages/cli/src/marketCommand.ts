import { Command } from "effect/cli"
import { BaseUrlFlag } from "./identity/BaseUrlFlag.ts"
import { loginCommand } from "./identity/LoginCommand.ts"
import { logoutCommand } from "./identity/LogoutCommand.ts"
import { whoamiCommand } from "./identity/WhoamiCommand.ts"
import { JsonFlag } from "./terminal/JsonFlag.ts"

/** `agent-marketplace` with all that is under it. */
export const marketCommand = Command.make("agent-marketplace").pipe(
  Command.withDescription("The market on the command line: find, buy, publish, be paid."),
  Command.withSubcommands([{ group: "Identity", commands: [loginCommand, logoutCommand, whoamiCommand] }]),
  Command.withGlobalFlags([JsonFlag, BaseUrlFlag])
)
