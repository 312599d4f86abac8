/** Runs every check of the repository, two at a time, and reports all failures rather than only the first. */
import { spawn } from "node:child_process"
import { once } from "node:events"

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

const failed: Array<string> = []

/** Runs a check and then prints what it wrote, so that the output of two checks does not mix. */
const run = async (check: string): Promise<void> => {
  const started = performance.now()
  const child = spawn("npm", ["run", "--silent", check], { stdio: ["ignore", "pipe", "pipe"] })
  const written: Array<Buffer> = []
  child.stdout.on("data", (chunk: Buffer) => written.push(chunk))
  child.stderr.on("data", (chunk: Buffer) => written.push(chunk))
  const [code] = await once(child, "close")
  const seconds = ((performance.now() - started) / 1000).toFixed(1)
  process.stdout.write(Buffer.concat(written))
  console.log(`${code === 0 ? "ok    " : "FAILED"} ${check} (${seconds} s)`)
  if (code !== 0) failed.push(check)
}

// Most checks use one processor only.
const waiting = checks.values()
const lane = async (): Promise<void> => {
  for (const check of waiting) await run(check)
}
await Promise.all([lane(), lane()])

if (failed.length > 0) {
  console.error(`\nFailed: ${failed.join(", ")}`)
  process.exitCode = 1
}
