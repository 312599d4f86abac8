import * as NodeServices from "@effect/platform-node/NodeServices"
import { Effect } from "effect"
import { text } from "node:stream/consumers"
import { CommandFailure, exitCodes } from "./errors/CommandFailure.ts"
import { showFailure } from "./errors/showFailure.ts"
import { runCli } from "./runCli.ts"
import { asksForJson } from "./terminal/asksForJson.ts"
import { withoutSecrets } from "./terminal/withoutSecrets.ts"

const { env, stderr, stdin, stdout } = process
const args = process.argv.slice(2)
const isTerminal = stdout.isTTY === true && env["TERM"] !== "dumb"
/** For pagers, logs and pages: text as on a terminal that is so wide, without colours. */
const wantedWidth = /^\d{2,4}$/.test(env["MARKETPLACE_WIDTH"] ?? "") ? Number(env["MARKETPLACE_WIDTH"]) : undefined
const ended = new AbortController()
/** What the process ends with where what it says is not taken. */
let untaken: number | undefined

// Who reads may stop reading, as `head` does: then there is nothing left to say. A full disk is another matter.
stdout.on("error", ({ code, message }: NodeJS.ErrnoException) => {
  untaken = code === "EPIPE" ? 0 : exitCodes.failure
  process.exitCode = untaken
  if (code !== "EPIPE") around.writeError(showFailure(unwritten(message), around.page, asksForJson(args)))
  ended.abort()
})
stderr.on("error", () => undefined)
for (const signal of ["SIGINT", "SIGTERM"] as const) process.once(signal, () => ended.abort())

const around = {
  env,
  page: {
    isTerminal: isTerminal || wantedWidth !== undefined,
    width: wantedWidth ?? stdout.columns ?? 80,
    canColor: isTerminal && !env["NO_COLOR"]
  },
  canPrompt: isTerminal && stdin.isTTY === true,
  write: (said: string) => void stdout.write(said),
  writeError: (said: string) => void stderr.write(withoutSecrets(said)),
  // What is typed at a terminal that cannot be prompted would be shown: a key is not read there.
  readInput: stdin.isTTY === true ? Effect.succeed("") : Effect.promise(() => text(stdin))
}

const unwritten = (reason: string): CommandFailure =>
  new CommandFailure({
    code: "OUTPUT_FAILED",
    message: `standard output cannot be written to: ${reason}`,
    hint: "What was asked for may have been done all the same.",
    exitCode: exitCodes.failure
  })

const code = await Effect.runPromise(runCli(args, around).pipe(Effect.provide(NodeServices.layer)), {
  signal: ended.signal
}).catch(() => 130)
process.exitCode = untaken ?? code
