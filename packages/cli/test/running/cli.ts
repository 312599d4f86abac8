import { NodeServices } from "@effect/platform-node"
import { Effect, Layer } from "effect"
import { mkdtempSync, rmSync } from "node:fs"
import { tmpdir } from "node:os"
import { join } from "node:path"
import { afterAll } from "vitest"
import { runCli } from "../../src/runCli.ts"
import { withoutSecrets } from "../../src/terminal/text.ts"
import { fakeTerminal } from "./fakeTerminal.ts"

/** What a run of the command line left behind. */
export interface Ran {
  readonly code: number
  readonly stdout: string
  readonly stderr: string
  /** What prompts showed. */
  readonly shown: string
}

export interface Context {
  readonly env?: Readonly<Record<string, string>>
  readonly stdin?: string
  /** Where there is one: its width. */
  readonly terminal?: number
  readonly colors?: boolean
  /** What is typed at prompts; somebody is there to be asked where it is given. */
  readonly typed?: string
}

const homes: Array<string> = []

afterAll(() => {
  for (const home of homes) rmSync(home, { recursive: true, force: true })
})

/** A home folder of nobody's, gone when the file's tests are over. */
export const freshHome = (): string => {
  const home = mkdtempSync(join(tmpdir(), "agent-marketplace-cli-"))
  homes.push(home)
  return home
}

/** The command line in this process, as `run.ts` runs it in one of its own. */
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
