import { freePort } from "@agent-marketplace/http/server/freePort"
import { Effect } from "effect"
import { spawn } from "node:child_process"
import { once } from "node:events"
import { cpSync } from "node:fs"
import { join } from "node:path"
import { setTimeout } from "node:timers/promises"
import type { EmptyProject } from "./EmptyProject.ts"
import { repository } from "./publicPackages.ts"

/** Too large to be a development dependency of the repository. */
const dependencies = ["next@16.4.6", "react@19.2.0", "react-dom@19.2.0", "@types/react@19.2.0"]

const answers = async (url: string): Promise<Response> => {
  const end = Date.now() + 30_000
  for (;;) {
    const response = await fetch(url).catch(() => undefined)
    if (response !== undefined) return response
    if (Date.now() > end) throw new Error(`${url} does not respond`)
    await setTimeout(100)
  }
}

const serve = async (folder: string, next: string): Promise<string> => {
  const port = await Effect.runPromise(freePort("127.0.0.1"))
  const args = [next, "start", "--port", String(port), "--hostname", "127.0.0.1"]
  const server = spawn(process.execPath, args, { cwd: folder, stdio: ["ignore", "ignore", "inherit"] })
  const ended = once(server, "exit")
  try {
    const response = await answers(`http://127.0.0.1:${port}/market/api/activity/live`)
    if (response.status !== 200)
      throw new Error(`the embedded market returned ${response.status}: ${await response.text()}`)
    return "built, and the embedded market responded"
  } finally {
    server.kill("SIGTERM")
    await ended
  }
}

/** Builds and starts `docs/embedding/next`. If Next.js cannot be installed, it prints the reason and does not fail. */
export const nextApplication = async (project: EmptyProject): Promise<string> => {
  const install = ["install", "--prefer-offline", "--no-audit", "--no-fund", "--loglevel=error", ...dependencies]
  const refused = await project.run("npm", install, { timeout: 180_000 }).then(
    () => undefined,
    (error: unknown) => String(error)
  )
  if (refused !== undefined) return `not built, because Next.js cannot be installed here: ${refused.slice(0, 500)}`
  const folder = join(project.folder, "next-application")
  cpSync(join(repository, "docs/embedding/next"), folder, { recursive: true })
  const next = join(project.folder, "node_modules/next/dist/bin/next")
  const env = { NEXT_TELEMETRY_DISABLED: "1", NODE_ENV: "production" }
  await project.run(process.execPath, [next, "build"], { cwd: folder, env, timeout: 300_000 })
  return serve(folder, next)
}
