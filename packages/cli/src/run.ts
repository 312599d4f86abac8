import * as NodeServices from "@effect/platform-node/NodeServices"
import { Effect } from "effect"
import { text } from "node:stream/consumers"
import { CommandFailure, exitCodes } from "./errors/CommandFailure.ts"
import { showFailure } from "./errors/explain.ts"
import { runCli } from "./runCli.ts"
import { hasUnicode } from "./terminal/bars.ts"
import { wantsJson } from "./terminal/JsonFlag.ts"
import { withoutSecrets } from "./terminal/text.ts"

const { env, stderr, stdin, stdout } = process
const args = process.argv.slice(2)
const isTerminal = stdout.isTTY === true && env["TERM"] !== "dumb"
/** For pagers and logs: the layout of a terminal of this width, without colors. */
const wantedWidth = /^\d{2,4}$/.test(env["MARKETPLACE_WIDTH"] ?? "") ? Number(env["MARKETPLACE_WIDTH"]) : undefined
const ended = new AbortController()
/** The exit code if standard output cannot be written. */
let outputFailure: number | undefined

// A reader such as `head` may close the pipe, which is not a failure. A full disk is.
stdout.on("error", ({ code, message }: NodeJS.ErrnoException) => {
  outputFailure = code === "EPIPE" ? 0 : exitCodes.failure
  process.exitCode = outputFailure
  if (code !== "EPIPE") context.writeError(showFailure(outputFailed(message), context.page, wantsJson(args)))
  ended.abort()
})
stderr.on("error", () => undefined)
for (const signal of ["SIGINT", "SIGTERM"] as const) process.once(signal, () => ended.abort())

const context = {
  env,
  page: {
    isTerminal: isTerminal || wantedWidth !== undefined,
    width: wantedWidth ?? stdout.columns ?? 80,
    canColor: isTerminal && !env["NO_COLOR"],
    canDraw: isTerminal && hasUnicode(env)
  },
  canPrompt: isTerminal && stdin.isTTY === true,
  write: (text: string) => void stdout.write(text),
  writeError: (text: string) => void stderr.write(withoutSecrets(text)),
  // Input typed at a terminal without prompts would be visible, so no key is read from it.
  readInput: stdin.isTTY === true ? Effect.succeed("") : Effect.promise(() => text(stdin))
}

const outputFailed = (reason: string): CommandFailure =>
  new CommandFailure({
    code: "OUTPUT_FAILED",
    message: `standard output cannot be written to: ${reason}`,
    hint: "The command may have taken effect nevertheless.",
    exitCode: exitCodes.failure
  })

const code = await Effect.runPromise(runCli(args, context).pipe(Effect.provide(NodeServices.layer)), {
  signal: ended.signal
}).catch(() => 130)
process.exitCode = outputFailure ?? code
