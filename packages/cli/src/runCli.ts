import { Cause, Console, Effect, Exit, Layer } from "effect"
import { CliConfig, CliError, CliOutput, Command, GlobalFlag, TerminalCapabilities } from "effect/cli"
import { existsSync, readFileSync } from "node:fs"
import { CommandFailure, exitCodes, usageFailure } from "./errors/CommandFailure.ts"
import { showFailure } from "./errors/explain.ts"
import { marketCommand } from "./marketCommand.ts"
import { CliContext } from "./terminal/CliContext.ts"
import { CompletionsFlag } from "./terminal/CompletionsFlag.ts"
import { wantsJson } from "./terminal/JsonFlag.ts"

/** The package is described above its sources, and above what is bundled of them. */
const manifestAbove = (place: URL): { readonly version: string } => {
  const file = new URL("package.json", place)
  return existsSync(file) ? JSON.parse(readFileSync(file, "utf8")) : manifestAbove(new URL("..", file))
}

/** The package's. */
const version: string = manifestAbove(new URL(import.meta.url)).version

type CliContextShape = (typeof CliContext)["Service"]

/**
 * Help is printed where results are printed; usage errors are printed once, at the end. With --json, a
 * command that only groups others prints no help unless --help is given.
 */
const presenterOf = (json: boolean) =>
  CliOutput.layerPresenter({
    present: (event) =>
      event._tag === "InvalidInvocation" || (json && event._tag === "Help" && event.reason === "Implicit")
        ? Effect.void
        : CliOutput.defaultPresenter.present(event)
  })

const consoleOf = ({ write, writeError }: CliContextShape): Console.Console =>
  Object.assign(Object.create(globalThis.console) as Console.Console, {
    log: (...parts: ReadonlyArray<unknown>) => write(`${parts.join(" ")}\n`),
    error: (...parts: ReadonlyArray<unknown>) => writeError(`${parts.join(" ")}\n`)
  })

const layerOf = (context: CliContextShape, json: boolean) =>
  Layer.mergeAll(
    presenterOf(json),
    CliConfig.layer({ builtIns: [GlobalFlag.Help, GlobalFlag.Version, CompletionsFlag] }),
    Layer.succeed(Console.Console, consoleOf(context)),
    Layer.succeed(TerminalCapabilities.TerminalCapabilities, {
      canColor: context.page.canColor,
      canAnimate: context.page.isTerminal,
      canPrompt: context.canPrompt
    }),
    Layer.succeed(CliContext, context)
  )

const usageOf = (error: CliError.CliError): CommandFailure => {
  if (error._tag !== "ShowHelp") return usageFailure(error.message)
  const hint = `\`${error.commandPath.join(" ")} --help\` shows its usage.`
  const faults = error.errors.map(({ message }) => message).join("; ")
  return usageFailure(faults || `${error.commandPath.join(" ")} needs a subcommand`, hint)
}

/** Undefined if help was printed instead of a failure. */
const failureOf = (error: unknown, json: boolean): CommandFailure | undefined => {
  if (error instanceof CommandFailure) return error
  if (CliError.isCliError(error))
    return !json && error._tag === "ShowHelp" && error.errors.length === 0 ? undefined : usageOf(error)
  const message = error instanceof Error ? error.message : String(error)
  const hint = "This is a bug of the command line: please report it."
  return new CommandFailure({ code: "DEFECT", message, hint, exitCode: exitCodes.failure })
}

/** Runs the command line. Returns the exit code of the process and never fails. */
export const runCli = (args: ReadonlyArray<string>, context: CliContextShape) => {
  const json = wantsJson(args)
  return Effect.gen(function* () {
    const command = yield* Effect.promise(() => marketCommand(args))
    const exit = yield* Effect.exit(Command.runWith(command, { version })(args))
    if (Exit.isSuccess(exit)) return 0
    if (Cause.hasInterruptsOnly(exit.cause)) return 130
    const failure = failureOf(Cause.squash(exit.cause), json)
    if (failure === undefined) return 0
    context.writeError(showFailure(failure, context.page, json))
    return failure.exitCode
  }).pipe(Effect.provide(layerOf(context, json)))
}
