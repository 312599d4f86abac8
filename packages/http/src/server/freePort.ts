import { Effect } from "effect"
import { createServer } from "node:net"

/** A port that was free a moment ago: `PORT=0` must know its number before the market can name its own address. */
export const freePort = (host: string): Effect.Effect<number> =>
  Effect.callback((resume) => {
    const probe = createServer()
    probe.once("error", (cause) => resume(Effect.die(cause)))
    probe.listen(0, host, () => {
      const address = probe.address()
      const port = typeof address === "object" && address !== null ? address.port : 0
      probe.close(() => resume(Effect.succeed(port)))
    })
  })
