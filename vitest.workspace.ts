import { existsSync, readdirSync } from "node:fs"
import { availableParallelism, tmpdir } from "node:os"
import { join } from "node:path"
import { fileURLToPath } from "node:url"
import { defineConfig } from "vitest/config"
import { BaseSequencer } from "vitest/node"
import type { TestSpecification } from "vitest/node"

// Every process that the tests start compiles the same modules; this is where those that keep what they compiled look for it.
process.env["NODE_COMPILE_CACHE"] ??= join(tmpdir(), "node-compile-cache")
// Installs keep a key in the user's state folder: tests have one of their own.
process.env["XDG_STATE_HOME"] = join(tmpdir(), `agent-marketplace-tests-${process.getuid?.() ?? "user"}`)

/** The projects whose tests use `createDatabase`: a run that touches none of them starts no PostgreSQL. */
const withDatabase = new Set(["postgres", "server", "worker", "cli", "embed"])
const setup = fileURLToPath(new URL("vitest.setup.ts", import.meta.url))
/** The projects whose tests start the programs of this repository: see `programFile`. */
const withPrograms = new Set(["server", "worker", "harness", "cli", "mcp"])
const fixture = (folder: string) =>
  fileURLToPath(new URL(`packages/fixtures/src/${folder}/globalSetup.ts`, import.meta.url))

/**
 * Projects whose test files run isolated: those of `client` replace globals. The files of other projects share loaded modules, which saves a fifth of the run; so a module that several files import must not contain hooks.
 */
const alone = new Set(["client"])

/** Every package and app that has a `test` folder is a project of its own, named after its folder. */
const projectsOf = (long: boolean) =>
  ["packages", "apps"].flatMap((group) =>
    readdirSync(new URL(group, import.meta.url))
      .filter((name) => existsSync(new URL(`${group}/${name}/test`, import.meta.url)))
      .map((name) => ({
        extends: true as const,
        test: {
          name,
          root: `${group}/${name}`,
          include: [long ? "test/**/*.long.test.ts" : "test/**/!(*.long).test.ts"],
          isolate: alone.has(name),
          // Node loads the sources, as it does in production: a transformation by Vite costs more, most of all in a fresh clone. No test mocks a module.
          experimental: { viteModuleRunner: false, nodeLoader: false },
          setupFiles: [setup],
          globalSetup: [
            ...(withPrograms.has(name) ? [fixture("processes")] : []),
            ...(withDatabase.has(name) ? [fixture("postgres")] : [])
          ],
          // No test is judged by its time: a busy machine only makes the run longer.
          testTimeout: 300_000,
          hookTimeout: 300_000
        }
      }))
  )

/** Projects whose tests wait for processes, the longest first. */
const waiting = ["worker", "server", "harness", "embed", "cli", "tron"]
const rank = ({ project }: TestSpecification): number => (waiting.indexOf(project.name) + 1 || waiting.length + 1) - 1

/** Runs waiting tests first; CPU-bound tests fill the gaps. A fresh clone has no durations to order by. */
class WaitingFirst extends BaseSequencer {
  override async sort(files: Array<TestSpecification>): Promise<Array<TestSpecification>> {
    return (await super.sort(files)).toSorted((a, b) => rank(a) - rank(b))
  }
}

// Files that drive other processes mostly wait.
const maxWorkers = availableParallelism() + 1

/** `--mode long` runs the files `*.long.test.ts`, which take minutes, instead of the others. */
export default defineConfig(({ mode }) => ({
  test: {
    maxWorkers,
    projects: projectsOf(mode === "long"),
    sequence: { sequencer: WaitingFirst }
  }
}))
