import { execFile, spawnSync } from "node:child_process"
import { mkdtempSync, readFileSync, realpathSync, rmSync, writeFileSync } from "node:fs"
import { tmpdir } from "node:os"
import { delimiter, dirname, join } from "node:path"
import { promisify } from "node:util"
import type { Packed } from "./packAll.ts"
import { repository } from "./publicPackages.ts"

/** A folder outside of the repository with only the tarballs, their dependencies and those of the examples installed. */
export interface EmptyProject {
  readonly folder: string
  /** Runs a program there, with this process' own Node first on the path, and returns its output. Rejects with the complete output. */
  readonly run: (program: string, args: ReadonlyArray<string>, options?: RunOptions) => Promise<string>
  readonly remove: () => void
}

export interface RunOptions {
  readonly cwd?: string
  readonly env?: Readonly<Record<string, string>>
  /** Milliseconds; a minute by default. */
  readonly timeout?: number
}

/** Other dependencies of the examples, with the versions of the repository. */
export const examplesTools: ReadonlyArray<string> = [
  "@effect/platform-node",
  "@effect/vitest",
  "@hono/node-server",
  "@modelcontextprotocol/sdk",
  "@types/express",
  "@types/node",
  "effect",
  "express",
  "fastify",
  "hono",
  "pg",
  "@types/pg",
  "typescript",
  "vitest"
]

const versionOf = (name: string): string =>
  (JSON.parse(readFileSync(join(repository, "node_modules", name, "package.json"), "utf8")) as { version: string })
    .version

const environment = (): Record<string, string> => {
  // Variables that npm sets for scripts of this repository must not affect the project.
  const inherited = Object.entries(process.env).filter(
    ([name]) => !/^npm_(?!config_)|^INIT_CWD$|^NODE_OPTIONS$/i.test(name)
  ) as ReadonlyArray<[string, string]>
  // `node_modules/.bin` of the repository must not be on the path.
  const paths = (process.env["PATH"] ?? "").split(delimiter).filter((path) => !path.startsWith(repository))
  return { ...Object.fromEntries(inherited), PATH: [dirname(process.execPath), ...paths].join(delimiter) }
}

interface Failure {
  readonly message: string
  readonly stdout?: string
  readonly stderr?: string
}

const install = (folder: string): void => {
  const args = ["install", "--prefer-offline", "--no-audit", "--no-fund", "--loglevel=error"]
  const { status } = spawnSync("npm", args, {
    cwd: folder,
    env: environment(),
    stdio: ["ignore", "ignore", "inherit"]
  })
  if (status !== 0) throw new Error("npm install failed in the empty project")
}

export const makeEmptyProject = (packages: ReadonlyArray<Packed>, tools: ReadonlyArray<string>): EmptyProject => {
  const folder = realpathSync(mkdtempSync(join(tmpdir(), "agent-marketplace-empty-")))
  const remove = () => rmSync(folder, { recursive: true, force: true })
  const dependencies = {
    ...Object.fromEntries(packages.map(({ name, tarball }) => [name, `file:${tarball}`])),
    ...Object.fromEntries(tools.map((name) => [name, versionOf(name)]))
  }
  const { allowScripts } = JSON.parse(readFileSync(join(repository, "package.json"), "utf8")) as {
    allowScripts: object
  }
  writeFileSync(
    join(folder, "package.json"),
    JSON.stringify({ name: "empty-project", private: true, type: "module", dependencies, allowScripts }, null, 2)
  )
  try {
    install(folder)
  } catch (error) {
    remove()
    throw error
  }
  return {
    folder,
    remove,
    run: async (program, args, { cwd = folder, env = {}, timeout = 60_000 } = {}) => {
      const options = { cwd, env: { ...environment(), ...env }, timeout, maxBuffer: 2 ** 26 }
      const { stdout } = await promisify(execFile)(program, args, options).catch((failure: Failure) => {
        throw new Error([failure.message.split("\n")[0], failure.stdout, failure.stderr].join("\n"))
      })
      return stdout
    }
  }
}
