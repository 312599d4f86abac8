import { Cause, Console, Effect, Exit, Layer } from "effect"
import { CliConfig, CliError, CliOutput, Command, GlobalFlag, TerminalCapabilities } from "effect/cli"
import { CommandFailure, exitCodes } from "./errors/CommandFailure.ts"
import { showFailure } from "./errors/showFailure.ts"
import { usageFailure } from "./errors/usageFailure.ts"
import { marketCommand } from "./marketCommand.ts"
import { CompletionsFlag } from "./terminal/CompletionsFlag.ts"
import { Surroundings } from "./terminal/Surroundings.ts"
import { version } from "./version.ts"

type Around = (typeof Surroundings)["Service"]

/** Help goes where results go; what is wrong with a call is told once, at its end. */
const presenter = CliOutput.layerPresenter({
  present: (event) => (event._tag === "InvalidInvocation" ? Effect.void : CliOutput.defaultPresenter.present(event))
})

const consoleOf = ({ write, writeError }: Around): Console.Console =>
  Object.assign(Object.create(globalThis.console) as Console.Console, {
    log: (...parts: ReadonlyArray<unknown>) => write(`${parts.join(" ")}\n`),
    error: (...parts: ReadonlyArray<unknown>) => writeError(`${parts.join(" ")}\n`)
  })

const layerOf = (around: Around) =>
  Layer.mergeAll(
    presenter,
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
  return usageFailure(error.errors.map(({ message }) => message).join("; "), hint)
}

/** Undefined where only help was asked for. */
const failureOf = (error: unknown): CommandFailure | undefined => {
  if (error instanceof CommandFailure) return error
  if (CliError.isCliError(error))
    return error._tag === "ShowHelp" && error.errors.length === 0 ? undefined : usageOf(error)
  const message = error instanceof Error ? error.message : String(error)
  const hint = "This is a fault of the command line: please report it."
  return new CommandFailure({ code: "DEFECT", message, hint, exitCode: exitCodes.failure })
}

const asksForJson = (args: ReadonlyArray<string>): boolean => {
  const end = args.indexOf("--")
  return (end === -1 ? args : args.slice(0, end)).includes("--json")
}

/** Runs the command line; gives the code that the process ends with and never fails. */
export const runCli = (args: ReadonlyArray<string>, around: Around) =>
  Effect.gen(function* () {
    const command = yield* Effect.promise(() => marketCommand(args))
    const exit = yield* Effect.exit(Command.runWith(command, { version })(args))
    if (Exit.isSuccess(exit)) return 0
    if (Cause.hasInterruptsOnly(exit.cause)) return 130
    const failure = failureOf(Cause.squash(exit.cause))
    if (failure === undefined) return 0
    around.writeError(showFailure(failure, around.page, asksForJson(args)))
    return failure.exitCode
  }).pipe(Effect.provide(layerOf(around)))
