import { existsSync, readdirSync } from "node:fs"
import { availableParallelism } from "node:os"
import { fileURLToPath } from "node:url"
import { defineConfig } from "vitest/config"

/** The projects whose tests use `createDatabase`: a run that touches none of them starts no PostgreSQL. */
const withDatabase = new Set(["postgres", "server", "worker", "cli", "embed"])
const globalSetup = fileURLToPath(new URL("packages/testkit/src/postgres/globalSetup.ts", import.meta.url))

/** Every package and app that has a `test` folder is a project of its own, named after its folder. */
const projects = ["packages", "apps"].flatMap((group) =>
  readdirSync(new URL(group, import.meta.url))
    .filter((name) => existsSync(new URL(`${group}/${name}/test`, import.meta.url)))
    .map((name) => ({
      extends: true as const,
      test: {
        name,
        root: `${group}/${name}`,
        include: ["test/**/*.test.ts"],
        globalSetup: withDatabase.has(name) ? [globalSetup] : [],
        // No test is judged by its time: a busy machine only makes the run longer. Whole processes start and stop in the last ones.
        testTimeout: 30_000,
        hookTimeout: 60_000,
        ...(["server", "worker", "cli"].includes(name) ? { testTimeout: 120_000 } : {})
      }
    }))
)

// Files that drive other processes wait more than they work.
const maxWorkers = availableParallelism() + 1

export default defineConfig({ test: { maxWorkers, projects } })
