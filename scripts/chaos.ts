/**
 * Runs the chaos test: `npm run chaos [-- --minutes N] [--seed S]`, 5 minutes by default. Servers, workers, the database and every service around them are
 * killed, frozen, filled, slowed and cut under load. The seed is printed; the same seed repeats the order of the faults.
 */
import { spawnSync } from "node:child_process"
import { parseArgs } from "node:util"

const { values } = parseArgs({
  options: { minutes: { type: "string", default: "5" }, seed: { type: "string" } }
})
for (const [name, value] of Object.entries(values))
  if (!/^\d+(\.\d+)?$/.test(value)) {
    console.error(`--${name} must be a number`)
    process.exit(2)
  }
const { minutes, seed } = values

const { status } = spawnSync(
  process.execPath,
  [
    "node_modules/vitest/vitest.mjs",
    "run",
    "--config",
    "vitest.workspace.ts",
    "--mode",
    "long",
    "apps/server/test/chaos"
  ],
  {
    stdio: "inherit",
    env: { ...process.env, CHAOS_MINUTES: minutes, ...(seed === undefined ? {} : { CHAOS_SEED: seed }) }
  }
)
process.exitCode = status ?? 1
