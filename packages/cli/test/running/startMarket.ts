import { spawn } from "node:child_process"
import { once } from "node:events"
import { createInterface } from "node:readline"
import { programFile } from "@agent-marketplace/fixtures/processes/programFile"

/** A market in a separate process, with a SOUL and three skills on sale and a buyer with 1,000 USDT. */
export interface RunningMarket {
  readonly baseUrl: string
  readonly keys: { readonly admin: string; readonly seller: string; readonly buyer: string }
  readonly items: {
    readonly soul: { readonly id: string; readonly slug: string }
    readonly skills: { readonly paid: string; readonly free: string; readonly subscription: string }
  }
  readonly stop: () => Promise<void>
}

const main = programFile("harness")

/** Starts the harness' command on a free port. */
export const startMarket = async (...options: ReadonlyArray<string>): Promise<RunningMarket> => {
  const child = spawn(process.execPath, [main, "--port", "0", ...options], { stdio: ["ignore", "pipe", "inherit"] })
  const kill = () => child.kill("SIGKILL")
  process.once("exit", kill)
  const [line] = (await once(createInterface(child.stdout), "line")) as [string]
  const exit = once(child, "exit")
  return {
    ...(JSON.parse(line) as Omit<RunningMarket, "stop">),
    stop: async () => {
      child.kill()
      await exit
      process.off("exit", kill)
    }
  }
}
