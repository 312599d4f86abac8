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

/** The packages whose tests use `createDatabase`: a run that touches none of them starts no PostgreSQL. */
const withDatabase = new Set(["postgres", "server", "worker", "cli", "embed"])
const setup = fileURLToPath(new URL("vitest.setup.ts", import.meta.url))
/** The packages whose tests start the programs of this repository: see `programFile`. */
const withPrograms = new Set(["server", "worker", "harness", "cli", "mcp"])
const fixture = (folder: string) =>
  fileURLToPath(new URL(`packages/fixtures/src/${folder}/globalSetup.ts`, import.meta.url))

/**
 * Packages whose test files run isolated: those of `client` replace globals. Other files share loaded modules, which saves a fifth of the run; so a module that several files import must not contain hooks.
 */
const alone = new Set(["client"])

/** Folders of the packages and apps that have tests, and the benchmark. Their tests run in this order: those that wait for processes first, many short files last, so that no processor is idle at the end. */
const order = ["worker", "server", "harness", "embed", "cli", "mcp", "postgres", "client", "trust", "blobs", "tron"]
const place = (name: string): number => (order.indexOf(name) + 1 || order.length + 1) - 1
const tested = ["packages", "apps"]
  .flatMap((group) => readdirSync(new URL(group, import.meta.url)).map((name) => ({ name, path: `${group}/${name}` })))
  .concat({ name: "bench", path: "bench" })
  .filter(({ path }) => existsSync(new URL(`${path}/test`, import.meta.url)))
  .toSorted((a, b) => place(a.name) - place(b.name))

/** Packages that measure their own time or memory, so they share no process with others. */
const measured = new Set(["trust", "blobs", "postgres"])

/**
 * The project of a package. A process runs the files of one project only, and loads and optimizes the modules of the market again: for `core`, three
 * processes need nearly twice the processor time of one. So packages share a project, unless `--project` names one.
 */
const byName = process.argv.some((argument) => /^--project(=|$)/.test(argument))
const projectOf = (name: string): string => {
  if (byName || alone.has(name) || measured.has(name)) return name
  return withDatabase.has(name) || withPrograms.has(name) ? "programs" : "market"
}

/** Long tests that measure how soon a person sees something. They run after all others and one at a time, unless `--project` names their package. */
const timed = ["FirstPaint", "Inbox", "ManyRows"].map((name) => `apps/server/test/console/${name}.long.test.ts`)

const projectsOf = (long: boolean) => {
  const names = [...new Set(tested.map(({ name }) => projectOf(name)))]
  return [...names, ...(long && !byName ? ["timed"] : [])].map((name) => {
    const isTimed = name === "timed"
    const members = tested.filter((each) => (isTimed ? each.name === "server" : projectOf(each.name) === name))
    const files = members.map(({ path }) => `${path}/test/**/${long ? "*.long.test.ts" : "!(*.long).test.ts"}`)
    return {
      extends: true as const,
      test: {
        name,
        root: ".",
        include: isTimed ? timed : files,
        exclude: isTimed || byName ? [] : timed,
        ...(isTimed ? { maxWorkers: 1, sequence: { groupOrder: 1 } } : {}),
        isolate: alone.has(name),
        // Node loads the sources itself: a transformation by Vite costs more, most of all in a fresh clone. No test mocks a module.
        experimental: { viteModuleRunner: false, nodeLoader: false },
        setupFiles: [setup],
        globalSetup: [
          ...(members.some((member) => withPrograms.has(member.name)) ? [fixture("processes")] : []),
          ...(members.some((member) => withDatabase.has(member.name)) ? [fixture("postgres")] : [])
        ],
        // No test is judged by its time: a busy machine only makes the run longer.
        testTimeout: 300_000,
        hookTimeout: 300_000
      }
    }
  })
}

const rank = ({ moduleId }: TestSpecification): number =>
  tested.findIndex(({ path }) => moduleId.includes(`/${path}/test/`))

/** Keeps the order of the packages; within one, longer files run first. A fresh clone has no durations to order by. */
class PackagesInOrder extends BaseSequencer {
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
    sequence: { sequencer: PackagesInOrder }
  }
}))
