import { Console, Effect, Option } from "effect"
import { Command, Completions, GlobalFlag } from "effect/cli"
import { BaseUrlFlag } from "../identity/baseUrl.ts"
import { JsonFlag } from "./JsonFlag.ts"

/** The options that every command has, which a command's own description does not contain. */
const { flags: everywhere } = Completions.fromCommand(
  Command.make("everywhere", {
    json: JsonFlag.flag,
    baseUrl: BaseUrlFlag.flag,
    help: GlobalFlag.Help.flag,
    version: GlobalFlag.Version.flag
  })
)

const withThose = (command: Completions.CommandDescriptor): Completions.CommandDescriptor => ({
  ...command,
  flags: [...command.flags, ...everywhere],
  subcommands: command.subcommands.map(withThose)
})

/** Prints a shell's completion script, with the options that every command has. */
export const CompletionsFlag = GlobalFlag.Action({
  flag: GlobalFlag.Completions.flag,
  run: (shell, { command }) =>
    Option.isNone(shell)
      ? Effect.void
      : Console.log(Completions.generate(command.name, shell.value, withThose(Completions.fromCommand(command))))
})
