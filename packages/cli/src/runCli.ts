import { Cause, Console, Effect, Exit, Layer } from "effect"
import { CliConfig, CliError, CliOutput, Command, GlobalFlag, TerminalCapabilities } from "effect/cli"
import { CommandFailure, exitCodes } from "./errors/CommandFailure.ts"
import { showFailure } from "./errors/showFailure.ts"
import { usageFailure } from "./errors/usageFailure.ts"
import { marketCommand } from "./marketCommand.ts"
import { asksForJson } from "./terminal/asksForJson.ts"
import { CompletionsFlag } from "./terminal/CompletionsFlag.ts"
import { Surroundings } from "./terminal/Surroundings.ts"
import { version } from "./version.ts"

type Around = (typeof Surroundings)["Service"]

/**
 * Help goes where results go; what is wrong with a call is told once, at its end. Whoever wants JSON has not asked for the help that a
 * command shows which only has others below it.
 */
const presenterOf = (json: boolean) =>
  CliOutput.layerPresenter({
    present: (event) =>
      event._tag === "InvalidInvocation" || (json && event._tag === "Help" && event.reason === "Implicit")
        ? Effect.void
        : CliOutput.defaultPresenter.present(event)
  })

const consoleOf = ({ write, writeError }: Around): Console.Console =>
  Object.assign(Object.create(globalThis.console) as Console.Console, {
    log: (...parts: ReadonlyArray<unknown>) => write(`${parts.join(" ")}\n`),
    error: (...parts: ReadonlyArray<unknown>) => writeError(`${parts.join(" ")}\n`)
  })

const layerOf = (around: Around, json: boolean) =>
  Layer.mergeAll(
    presenterOf(json),
    CliConfig.layer({ builtIns: [GlobalFlag.Help, GlobalFlag.Version, CompletionsFlag] }),
    Layer.succeed(Console.Console, consoleOf(around)),
    Layer.succeed(TerminalCapabilities.TerminalCapabilities, {
      canColor: around.page.canColor,
      canAnimate: around.page.isTerminal,
      canPrompt: around.canPrompt
    }),
    Layer.succeed(Surroundings, around)
  )

const usageOf = (error: CliError.CliError): CommandFailure => {
  if (error._tag !== "ShowHelp") return usageFailure(error.message)
  const hint = `\`${error.commandPath.join(" ")} --help\` shows how it is called.`
  const faults = error.errors.map(({ message }) => message).join("; ")
  return usageFailure(faults || `${error.commandPath.join(" ")} needs a subcommand`, hint)
}

/** Undefined where help is the answer. */
const failureOf = (error: unknown, json: boolean): CommandFailure | undefined => {
  if (error instanceof CommandFailure) return error
  if (CliError.isCliError(error))
    return !json && error._tag === "ShowHelp" && error.errors.length === 0 ? undefined : usageOf(error)
  const message = error instanceof Error ? error.message : String(error)
  const hint = "This is a fault of the command line: please report it."
  return new CommandFailure({ code: "DEFECT", message, hint, exitCode: exitCodes.failure })
}

/** Runs the command line; gives the code that the process ends with and never fails. */
export const runCli = (args: ReadonlyArray<string>, around: Around) => {
  const json = asksForJson(args)
  return Effect.gen(function* () {
    const command = yield* Effect.promise(() => marketCommand(args))
    const exit = yield* Effect.exit(Command.runWith(command, { version })(args))
    if (Exit.isSuccess(exit)) return 0
    if (Cause.hasInterruptsOnly(exit.cause)) return 130
    const failure = failureOf(Cause.squash(exit.cause), json)
    if (failure === undefined) return 0
    around.writeError(showFailure(failure, around.page, json))
    return failure.exitCode
  }).pipe(Effect.provide(layerOf(around, json)))
}
