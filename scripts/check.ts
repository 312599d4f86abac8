/** Runs every check of the repository, and reports all failures rather than only the first. */
import { spawnSync } from "node:child_process"

const checks = [
  "check:lint",
  "check:format",
  "check:types",
  "check:dependencies",
  "check:dead",
  "check:openapi",
  "check:graphql",
  "check:webhooks",
  "check:containers",
  "check:migrations",
  "check:confusables",
  "check:access",
  "check:requirements"
]

const failed = checks.filter((check) => {
  const started = performance.now()
  const { status } = spawnSync("npm", ["run", "--silent", check], { stdio: ["ignore", "inherit", "inherit"] })
  const seconds = ((performance.now() - started) / 1000).toFixed(1)
  console.log(`${status === 0 ? "ok    " : "FAILED"} ${check} (${seconds} s)`)
  return status !== 0
})

if (failed.length > 0) {
  console.error(`\nFailed: ${failed.join(", ")}`)
  process.exitCode = 1
}
