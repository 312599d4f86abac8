import { existsSync, readdirSync } from "node:fs"
import { defineConfig } from "vitest/config"

/** Every package and app that has a `test` folder is a project of its own, named after its folder. */
const projects = ["packages", "apps"].flatMap((group) =>
  readdirSync(new URL(group, import.meta.url))
    .filter((name) => existsSync(new URL(`${group}/${name}/test`, import.meta.url)))
    .map((name) => ({
      extends: true as const,
      test: { name, root: `${group}/${name}`, include: ["test/**/*.test.ts"] }
    }))
)

export default defineConfig({ test: { projects } })
