import { spawn } from "node:child_process"
import { once } from "node:events"
import { createInterface } from "node:readline"
import { programFile } from "@agent-marketplace/fixtures/processes/programFile"

export const adminToken = "operator-token-for-tests-0123456789abcdef"

/** A server on TRON with its jobs, as a separate process. Returns its URL. */
export const startTronServer = async (env: Readonly<Record<string, string>>) => {
  const { HOME, PATH, XDG_STATE_HOME } = process.env
  const child = spawn(process.execPath, [programFile("server")], {
    env: {
      HOME,
      PATH,
      XDG_STATE_HOME,
      NODE_ENV: "production",
      HOST: "127.0.0.1",
      PORT: "0",
      ADMIN_TOKEN: adminToken,
      RATE_LIMITS: "off",
      LOG_FORMAT: "json",
      ...env
    },
    stdio: ["ignore", "pipe", "inherit"]
  })
  const kill = () => child.kill("SIGKILL")
  process.once("exit", kill)
  const ended = once(child, "exit")
  const baseUrl = await new Promise<string>((resolve, reject) => {
    let output = ""
    createInterface({ input: child.stdout }).on("line", (line) => {
      output += `${line}\n`
      const found = /is ready at (http:\/\/[^\s"]+)/.exec(line)?.[1]
      if (found !== undefined) resolve(found)
    })
    void ended.then(() => reject(new Error(`the server ended: ${output}`)))
  })
  return {
    baseUrl,
    stop: async () => {
      child.kill()
      await ended
      process.off("exit", kill)
    }
  }
}
