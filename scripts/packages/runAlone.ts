import { packArchive } from "@agent-marketplace/trust/archive/packArchive"
import { writeFileSync } from "node:fs"
import { join } from "node:path"
import type { EmptyProject } from "./EmptyProject.ts"
import { makeEmptyProject } from "./EmptyProject.ts"
import type { Packed } from "./packAll.ts"
import { repository } from "./publicPackages.ts"
import { withDependencies } from "./withDependencies.ts"

const programs: Readonly<Record<string, string>> = {
  "@agent-marketplace/cli": `
import { execFileSync } from "node:child_process"
execFileSync(process.execPath, ["node_modules/.bin/agent-marketplace", "--version"])
`,
  "@agent-marketplace/client": `
import { Marketplace } from "@agent-marketplace/client"
import { Marketplace as NodeMarketplace } from "@agent-marketplace/client/node"
import "@agent-marketplace/client/verifyWebhook"
new Marketplace({ apiKey: "amk_any", baseUrl: "http://localhost:3000" })
new NodeMarketplace({ apiKey: "amk_any", baseUrl: "http://localhost:3000" })
`,
  "@agent-marketplace/embed": `
import { readFileSync } from "node:fs"
import { setTimeout } from "node:timers/promises"
import { createMarketplace } from "@agent-marketplace/embed"
import { memoryStorage } from "@agent-marketplace/embed/storage/memoryStorage"
const market = await createMarketplace({ storage: memoryStorage(), review: "auto" })
const alice = market.as({ id: "alice", name: "Alice", seller: true })
await alice.souls.create({ name: "Patient Tutor", description: "Explains in small steps.", content: "# SOUL" })
const { ok } = await market.fetch(new Request("http://localhost:3000/api/activity/live"))
if (!ok) throw new Error("the embedded market does not respond")
const skill = await alice.skills.create({ name: "Sorter", description: "Sorts rows.", price: "10.00" })
const { size } = await alice.releases.upload(skill.id, readFileSync("skill.tar.gz"))
const end = Date.now() + 30_000
for (;;) {
  const { status } = await alice.releases.get(skill.id, "1.0.0")
  if (status === "published") break
  if (status !== "scanning" || Date.now() > end) throw new Error("the release is " + status)
  await setTimeout(50)
}
if ((await alice.releases.download(skill.id, "1.0.0")).length !== size) throw new Error("the download has another size")
await market.close()
`,
  "@agent-marketplace/harness": `
import { startHarness } from "@agent-marketplace/harness"
const market = await startHarness({ seed: 7 })
const answers = await Promise.all(["/api/activity/live", "/docs"].map((path) => fetch(market.baseUrl + path)))
if (answers.some(({ ok }) => !ok)) throw new Error("the embedded market does not respond")
await market.stop()
`
}

const skill =
  "---\nname: sorter\ndescription: Sorts rows.\nversion: 1.0.0\n---\n\n# Sorter\n\nSorts the rows of a table.\n"

/** The size of the installed package and its dependencies in megabytes; `du` counts disk blocks. */
const megabytes = async ({ run }: EmptyProject): Promise<number> =>
  Number((await run("du", ["-sk", "node_modules"])).split("\t")[0]) / 1024

/** Maximum size of an installation, in megabytes. */
const largest = 25

/** Types are exact without the optional peers, even if a project also checks declarations. */
const exactTypes = `
import { createMarketplace } from "@agent-marketplace/embed"
import { memoryStorage } from "@agent-marketplace/embed/storage/memoryStorage"
const market = await createMarketplace({ storage: memoryStorage() })
market.as({ id: "alice", name: "Alice" })
// @ts-expect-error A user has a name.
market.as({ id: "alice" })
`

const checkTypes = async ({ folder, run }: EmptyProject): Promise<void> => {
  writeFileSync(join(folder, "types.mts"), exactTypes)
  const types = ["--typeRoots", join(repository, "node_modules/@types"), "--types", "node"]
  const strict = ["--noEmit", "--strict", "--target", "es2023", "--module", "nodenext", "--skipLibCheck", "false"]
  await run(process.execPath, [join(repository, "node_modules/.bin/tsc"), ...strict, ...types, "types.mts"])
}

/** Checks that packages without dependencies work in a project that contains nothing else. */
export const runAlone = async (packages: ReadonlyArray<Packed>): Promise<string> => {
  const sizes: Array<string> = []
  for (const [name, program] of Object.entries(programs)) {
    const alone = withDependencies(packages, [name])
    const project = makeEmptyProject(alone, [])
    try {
      writeFileSync(join(project.folder, "program.mjs"), program)
      const archive = packArchive([{ path: "SKILL.md", bytes: new TextEncoder().encode(skill) }])
      writeFileSync(join(project.folder, "skill.tar.gz"), archive)
      const installed = (await project.run("npm", ["ls", "--all", "--parseable"])).trim().split("\n").slice(1)
      if (installed.length !== alone.length) throw new Error(`${name} also installs\n${installed.join("\n")}`)
      const size = await megabytes(project)
      if (size > largest) throw new Error(`${name} takes ${size.toFixed(0)} MB, more than ${largest}`)
      sizes.push(`${name} ${size.toFixed(1)} MB`)
      await project.run(process.execPath, ["program.mjs"])
      if (name === "@agent-marketplace/embed") await checkTypes(project)
      const entries = alone.flatMap(({ manifest }) =>
        Object.keys(manifest.exports ?? {}).map((entry) => manifest.name + entry.slice(1))
      )
      for (const entry of entries)
        if (!entry.includes("*")) await project.run(process.execPath, ["-e", `import("${entry}")`])
    } finally {
      project.remove()
    }
  }
  return sizes.join(", ")
}
