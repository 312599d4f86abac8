import * as NodeServices from "@effect/platform-node/NodeServices"
import { Effect } from "effect"
import { text } from "node:stream/consumers"
import { runCli } from "./runCli.ts"
import { withoutSecrets } from "./terminal/withoutSecrets.ts"

const { env, stderr, stdin, stdout } = process
const isTerminal = stdout.isTTY === true && env["TERM"] !== "dumb"
/** For pagers, logs and pages: text as on a terminal that is so wide, without colours. */
const wantedWidth = /^\d{2,4}$/.test(env["MARKETPLACE_WIDTH"] ?? "") ? Number(env["MARKETPLACE_WIDTH"]) : undefined
const ended = new AbortController()
let readerIsGone = false

// Who reads may stop reading, as `head` does: then there is nothing left to say.
stdout.on("error", () => {
  readerIsGone = true
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

const code = await Effect.runPromise(runCli(process.argv.slice(2), around).pipe(Effect.provide(NodeServices.layer)), {
  signal: ended.signal
}).catch(() => 130)
process.exitCode = readerIsGone ? 0 : code
