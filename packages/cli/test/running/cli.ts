import * as NodeServices from "@effect/platform-node/NodeServices"
import { Effect, Layer } from "effect"
import { mkdtempSync, rmSync } from "node:fs"
import { tmpdir } from "node:os"
import { join } from "node:path"
import { runCli } from "../../src/runCli.ts"
import { withoutSecrets } from "../../src/terminal/text.ts"
import { fakeTerminal } from "./fakeTerminal.ts"

/** The result of a run of the command line. */
export interface Ran {
  readonly code: number
  readonly stdout: string
  readonly stderr: string
  /** The text of the prompts. */
  readonly shown: string
}

export interface Context {
  readonly env?: Readonly<Record<string, string>>
  readonly stdin?: string
  /** The width of the terminal, if there is one. */
  readonly terminal?: number
  readonly colors?: boolean
  /** The input typed at prompts. If it is given, prompts are possible. */
  readonly typed?: string
}

const homes: Array<string> = []

process.once("exit", () => {
  for (const home of homes) rmSync(home, { recursive: true, force: true })
})

/** An empty home folder, deleted at the end of the run. */
export const freshHome = (): string => {
  const home = mkdtempSync(join(tmpdir(), "agent-marketplace-cli-"))
  homes.push(home)
  return home
}

/** The command line in this process, run as `run.ts` runs it in a process. */
export const cliEffect = ({ colors, env = {}, stdin = "", terminal, typed }: Context, args: ReadonlyArray<string>) => {
  const out: Array<string> = []
  const err: Array<string> = []
  const shown: Array<string> = []
  const context = {
    env,
    page: { isTerminal: terminal !== undefined, width: terminal ?? 80, canColor: colors === true },
    canPrompt: typed !== undefined,
    write: (text: string) => void out.push(text),
    writeError: (text: string) => void err.push(withoutSecrets(text)),
    readInput: Effect.succeed(stdin)
  }
  const services = Layer.merge(NodeServices.layer, fakeTerminal(typed ?? "", shown))
  const run = Effect.map(runCli(args, context), (code): Ran => ({
    code,
    stdout: out.join(""),
    stderr: err.join(""),
    shown: shown.join("")
  })).pipe(Effect.provide(services))
  return { run, out, err }
}

/** Runs to the end. */
export const cli = (context: Context, ...args: ReadonlyArray<string>): Promise<Ran> =>
  Effect.runPromise(cliEffect(context, args).run)
