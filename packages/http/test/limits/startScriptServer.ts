import { Effect } from "effect"
import { createHash } from "node:crypto"
import { createServer } from "node:net"
import type { AddressInfo } from "node:net"

type Run = (keys: ReadonlyArray<string>, args: ReadonlyArray<string>) => Promise<ReadonlyArray<number>>

/** The complete commands at the start of a RESP stream, and what is left of it. ASCII only. */
const commandsIn = (
  text: string
): { readonly commands: ReadonlyArray<ReadonlyArray<string>>; readonly rest: string } => {
  const commands: Array<ReadonlyArray<string>> = []
  let rest = text
  for (;;) {
    let at = rest.indexOf("\r\n") + 2
    const count = Number(rest.slice(1, at - 2))
    const words: Array<string> = []
    while (at >= 2 && words.length < count) {
      const end = rest.indexOf("\r\n", at) + 2
      const length = Number(rest.slice(at + 1, end - 2))
      if (end < 2 || rest.length < end + length + 2) return { commands, rest }
      words.push(rest.slice(end, end + length))
      at = end + length + 2
    }
    if (at < 2) return { commands, rest }
    commands.push(words)
    rest = rest.slice(at)
  }
}

/** A server that speaks as much of the Redis protocol as one script needs, which `run` executes. It ends with the scope. */
export const startScriptServer = (run: Run) =>
  Effect.map(
    Effect.acquireRelease(
      Effect.promise(async () => {
        /** The digests of the scripts that were sent as text. */
        const loaded = new Set<string>()
        const counted = { evals: 0, digests: 0 }
        const reply = async ([
          name = "",
          script = "",
          count = "0",
          ...rest
        ]: ReadonlyArray<string>): Promise<string> => {
          const command = name.toUpperCase()
          if (command !== "EVAL" && command !== "EVALSHA") return "+OK\r\n"
          counted[command === "EVAL" ? "evals" : "digests"]++
          if (command === "EVAL") loaded.add(createHash("sha1").update(script).digest("hex"))
          else if (!loaded.has(script)) return "-NOSCRIPT No matching script.\r\n"
          const answer = await run(rest.slice(0, Number(count)), rest.slice(Number(count)))
          return `*${answer.length}\r\n${answer.map((number) => `:${number}\r\n`).join("")}`
        }
        const server = createServer((socket) => {
          let buffered = ""
          socket.on("error", () => {})
          socket.on("data", async (chunk) => {
            const { commands, rest } = commandsIn(buffered + chunk.toString("latin1"))
            buffered = rest
            for (const command of commands) socket.write(await reply(command))
          })
        })
        await new Promise<void>((resolve) => server.listen(0, "127.0.0.1", resolve))
        return { server, counted }
      }),
      ({ server }) => Effect.sync(() => server.close())
    ),
    ({ counted, server }) => ({ counted, url: `redis://127.0.0.1:${(server.address() as AddressInfo).port}` })
  )
