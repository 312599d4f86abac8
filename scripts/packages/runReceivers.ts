import { cpSync, writeFileSync } from "node:fs"
import { join } from "node:path"
import type { EmptyProject } from "./EmptyProject.ts"
import { repository } from "./publicPackages.ts"

/** Tests that the receivers of the documentation receive a purchase of a market: one as a process, one as a fetch handler. */
const program = `
import { serve } from "@hono/node-server"
import { Marketplace } from "@agent-marketplace/client"
import { startHarness } from "@agent-marketplace/harness"
import assert from "node:assert/strict"
import { spawn } from "node:child_process"
import { once } from "node:events"
import { createInterface } from "node:readline"
import { receive } from "./receivers/fetch.ts"

const secret = "a secret that is plain text"
const harness = await startHarness()
const market = new Marketplace({ apiKey: harness.keys.buyer, baseUrl: harness.baseUrl })

const child = spawn(process.execPath, ["receivers/node.ts"], {
  env: { ...process.env, PORT: "0", WEBHOOK_SECRET: secret },
  stdio: ["ignore", "pipe", "inherit"]
})
const lines = createInterface({ input: child.stdout })
const [greeting] = await once(lines, "line")
const served = serve({ fetch: receive(secret), port: 0, hostname: "127.0.0.1" })
await once(served, "listening").catch(() => {})

const heard = { process: [], handler: [] }
lines.on("line", (line) => heard.process.push(line))
console.log = (...words) => heard.handler.push(words.join(" "))
for (const url of [greeting.split(" ").at(-1), "http://127.0.0.1:" + served.address().port])
  await market.webhooks.create({ url, events: ["purchase.completed"], secret })
const { purchaseId } = await market.skills.buy({ skillId: harness.items.skills.free })
const end = Date.now() + 20_000
const told = (log) => log.some((line) => line.includes("purchase.completed " + purchaseId))
while (!(told(heard.process) && told(heard.handler)) && Date.now() < end) await new Promise((resolve) => setTimeout(resolve, 20))
child.kill("SIGKILL")
served.close()
await harness.stop()
assert.ok(told(heard.process) && told(heard.handler), JSON.stringify(heard))
`

export const runReceivers = async ({ folder, run }: EmptyProject): Promise<string> => {
  cpSync(join(repository, "docs/receivers"), join(folder, "receivers"), { recursive: true })
  writeFileSync(join(folder, "receivers.mjs"), program)
  await run(process.execPath, ["receivers.mjs"])
  return "fetch.ts, node.ts"
}
