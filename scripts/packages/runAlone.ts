import { writeFileSync } from "node:fs"
import { join } from "node:path"
import { makeEmptyProject } from "./EmptyProject.ts"
import type { Packed } from "./packAll.ts"

const programs: Readonly<Record<string, string>> = {
  "@agent-marketplace/cli": `
import { execFileSync } from "node:child_process"
execFileSync(process.execPath, ["node_modules/.bin/agent-marketplace", "--version"])
`,
  "@agent-marketplace/client": `
import { Marketplace } from "@agent-marketplace/client"
import { Marketplace as NodeMarketplace } from "@agent-marketplace/client/node"
import "@agent-marketplace/client/verifyWebhook"
new Marketplace({ apiKey: "amk_any" })
new NodeMarketplace({ apiKey: "amk_any" })
`,
  "@agent-marketplace/harness": `
import { startHarness } from "@agent-marketplace/harness/startHarness"
const market = await startHarness({ seed: 7 })
const answers = await Promise.all(["/api/activity/live", "/docs"].map((path) => fetch(market.baseUrl + path)))
if (answers.some(({ ok }) => !ok)) throw new Error("the market in it does not answer")
await market.stop()
`
}

/** What promises to need nothing besides is installed without anything besides. */
export const runAlone = async (packages: ReadonlyArray<Packed>): Promise<string> => {
  for (const [name, program] of Object.entries(programs)) {
    const alone = packages.filter((packed) => packed.name === name)
    const project = makeEmptyProject(alone, [])
    try {
      writeFileSync(join(project.folder, "program.mjs"), program)
      const installed = (await project.run("npm", ["ls", "--all", "--parseable"])).trim().split("\n").slice(1)
      if (installed.length !== 1) throw new Error(`${name} brings along\n${installed.join("\n")}`)
      await project.run(process.execPath, ["program.mjs"])
      for (const entry of alone.flatMap(({ manifest }) => Object.keys(manifest.exports ?? {})))
        if (!entry.includes("*")) await project.run(process.execPath, ["-e", `import("${name}${entry.slice(1)}")`])
    } finally {
      project.remove()
    }
  }
  return Object.keys(programs).join(", ")
}
