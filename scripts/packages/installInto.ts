import { spawnSync } from "node:child_process"
import { copyFileSync, existsSync, mkdirSync } from "node:fs"
import { basename, dirname, join } from "node:path"
import type { Packed } from "./packAll.ts"

/** The folder of a project for packages that were installed before they were published. */
const kept = "vendor/agent-marketplace"

/**
 * Installs packed packages into a project: their tarballs are copied into `vendor/agent-marketplace` of the project, and its
 * package.json refers to them there, so that `npm install` works in every later clone of the project. Throws if npm fails.
 */
export const installInto = (
  project: string,
  packages: ReadonlyArray<Packed>,
  npmOptions: ReadonlyArray<string> = []
): void => {
  if (!existsSync(join(project, "package.json")))
    throw new Error(`${project} has no package.json: run "npm init" there`)
  mkdirSync(join(project, kept), { recursive: true })
  const files = packages.map(({ tarball }) => {
    const file = join(kept, basename(tarball))
    copyFileSync(tarball, join(project, file))
    return `./${file}`
  })
  const { PATH = "", ...env } = process.env
  const { status } = spawnSync("npm", ["install", "--no-audit", "--no-fund", ...npmOptions, ...files], {
    cwd: project,
    // Settings of the npm that runs this script must not reach the npm of the project.
    env: { ...Object.fromEntries(Object.entries(env).filter(([name]) => !/^npm_|^INIT_CWD$/i.test(name))), PATH },
    stdio: ["ignore", "ignore", "inherit"]
  })
  if (status !== 0) throw new Error(`npm install failed in ${dirname(join(project, "package.json"))}`)
}
