/**
 * Runs the chaos test: `npm run chaos [-- MINUTES [SEED]]`, 5 minutes by default. Servers, workers and the primary database are killed and frozen, and
 * connections cut and delayed, under load. The seed is printed; the same seed repeats the order of the faults.
 */
import { spawnSync } from "node:child_process"

const [minutes = "5", seed] = process.argv.slice(2)
for (const [name, value] of Object.entries({ MINUTES: minutes, SEED: seed ?? "0" }))
  if (!/^\d+(\.\d+)?$/.test(value)) {
    console.error(`${name} must be a number`)
    process.exit(2)
  }

const { status } = spawnSync(
  process.execPath,
  [
    "node_modules/vitest/vitest.mjs",
    "run",
    "--config",
    "vitest.workspace.ts",
    "--mode",
    "long",
    "--testTimeout",
    String(Number(minutes) * 60_000 + 600_000),
    "apps/server/test/chaos"
  ],
  {
    stdio: "inherit",
    env: { ...process.env, CHAOS_MINUTES: minutes, ...(seed === undefined ? {} : { CHAOS_SEED: seed }) }
  }
)
process.exitCode = status ?? 1
