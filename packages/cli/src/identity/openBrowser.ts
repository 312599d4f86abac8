import { Effect } from "effect"
import { spawn } from "node:child_process"
import { CliContext } from "../terminal/CliContext.ts"
import { JsonFlag } from "../terminal/JsonFlag.ts"

/** The program that opens a URL on this system. */
const openerOf = (platform: string): readonly [program: string, ...args: ReadonlyArray<string>] => {
  if (platform === "darwin") return ["open"]
  return platform === "win32" ? ["rundll32", "url.dll,FileProtocolHandler"] : ["xdg-open"]
}

const start = (url: string): Promise<boolean> =>
  new Promise((resolve) => {
    const [program, ...args] = openerOf(process.platform)
    const child = spawn(program, [...args, url], { stdio: "ignore", detached: true })
    child.once("error", () => resolve(false))
    child.once("spawn", () => {
      child.unref()
      resolve(true)
    })
  })

/** Opens a page in the user's browser. False without a terminal, with --json, or if the system has no program for it. */
export const openBrowser = (url: string) =>
  Effect.gen(function* () {
    const { canPrompt } = yield* CliContext
    const isPage = /^https?:\/\//.test(url)
    return canPrompt && isPage && !(yield* JsonFlag) ? yield* Effect.promise(() => start(url)) : false
  })
