import { spawn, spawnSync } from "node:child_process"
import { createInterface } from "node:readline"
import { fileURLToPath } from "node:url"

export interface RunningReceiver {
  readonly post: (body: string, headers: Readonly<Record<string, string>>) => Promise<number>
  /** The logged lines. */
  readonly log: ReadonlyArray<string>
  readonly stop: () => Promise<void>
}

export const receiverFile = (name: string): string =>
  fileURLToPath(new URL(`../../../../docs/receivers/${name}`, import.meta.url))

export const isInstalled = (command: string, ...flags: ReadonlyArray<string>): boolean =>
  spawnSync(command, flags).status === 0

/** Starts a receiver of the documentation as a process, and waits until it prints its address. */
export const startReceiver = async (
  command: string,
  args: ReadonlyArray<string>,
  secret: string
): Promise<RunningReceiver> => {
  const { HOME, PATH } = process.env
  const child = spawn(command, args, {
    env: { HOME, PATH, WEBHOOK_SECRET: secret, PORT: "0" },
    stdio: ["ignore", "pipe", "inherit"]
  })
  const ended = new Promise<void>((resolve) => child.once("close", () => resolve()))
  const log: Array<string> = []
  const lines = createInterface({ input: child.stdout })
  const address = await new Promise<string>((resolve, reject) => {
    lines.on("line", (line) => {
      log.push(line)
      const found = /^listening on (\S+)$/.exec(line)?.[1]
      if (found !== undefined) resolve(found)
    })
    child.once("error", reject)
    child.once("close", () => reject(new Error(`${command} ended: ${log.join("\n")}`)))
  })
  return {
    post: async (body, headers) => (await fetch(address, { method: "POST", body, headers })).status,
    log,
    stop: async () => {
      child.kill("SIGKILL")
      await ended
    }
  }
}
