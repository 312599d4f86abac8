import { execFileSync } from "node:child_process"
import { cpSync, mkdirSync, mkdtempSync, realpathSync, rmSync, writeFileSync } from "node:fs"
import { tmpdir } from "node:os"
import { join } from "node:path"
import { installInto } from "./installInto.ts"
import type { Packed } from "./packAll.ts"
import { withDependencies } from "./withDependencies.ts"

const program = `
import { createMarketplace } from "@agent-marketplace/embed"
import { startHarness } from "@agent-marketplace/harness"
if (typeof createMarketplace !== "function" || typeof startHarness !== "function") throw new Error("not installed")
`

/**
 * Tests `npm run pack:into` with packed packages in a project with an empty npm cache and no network. Then a clone of that
 * project installs them again from the project's own files.
 */
export const runInstallInto = async (packages: ReadonlyArray<Packed>): Promise<string> => {
  const place = realpathSync(mkdtempSync(join(tmpdir(), "agent-marketplace-into-")))
  try {
    const project = join(place, "my-app")
    const clone = join(place, "clone")
    const offline = ["--offline", "--cache", join(place, "cache")]
    const wanted = ["@agent-marketplace/cli", "@agent-marketplace/embed", "@agent-marketplace/harness"]
    mkdirSync(project)
    writeFileSync(join(project, "package.json"), JSON.stringify({ name: "my-app", private: true, type: "module" }))
    writeFileSync(join(project, "program.js"), program)
    const chosen = withDependencies(packages, wanted)
    installInto(project, chosen, offline)
    execFileSync(process.execPath, ["program.js"], { cwd: project })
    cpSync(project, clone, { recursive: true, filter: (path) => !path.endsWith("node_modules") })
    execFileSync("npm", ["install", "--no-audit", "--no-fund", "--loglevel=error", ...offline], { cwd: clone })
    execFileSync(process.execPath, ["program.js"], { cwd: clone })
    return chosen.map(({ name }) => name).join(", ")
  } finally {
    rmSync(place, { recursive: true, force: true })
  }
}
