/** Type checks the whole repository as one program, with the Effect diagnostics that `@effect/tsgo` adds to `tsc`. */
import { spawnSync } from "node:child_process"

const run = (command: string, ...args: Array<string>) => spawnSync(command, args, { encoding: "utf8" })

if (!run("tsc", "--version").stdout.includes("effect-tsgo")) {
  const patch = run("effect-tsgo", "patch")
  if (patch.status !== 0) console.warn(`The Effect diagnostics are missing from this check.\n${patch.stderr}`)
}

// Files that are unchanged since the last run are not checked again.
const incremental = ["--incremental", "--tsBuildInfoFile", "node_modules/.cache/check-types.tsbuildinfo"]
const { status } = spawnSync("tsc", ["-p", "tsconfig.json", ...incremental], { stdio: "inherit" })
// The pages of the console run in browsers, so they have the types of browsers.
const pages = spawnSync("tsc", ["-p", "packages/console/web/tsconfig.json"], { stdio: "inherit" })
process.exitCode = status || pages.status || 0
