/**
 * `npm run check:packages`: packs every package as for publishing, checks the tarballs, installs them in an empty project, and runs
 * there the examples of the READMEs and of `docs/embedding`, the commands, and the servers. `--out <folder>` keeps the tarballs, for a release.
 */
import { existsSync, mkdtempSync, rmSync } from "node:fs"
import { tmpdir } from "node:os"
import { join, resolve } from "node:path"
import { parseArgs } from "node:util"
import { clientBundles } from "./packages/clientBundles.ts"
import type { EmptyProject } from "./packages/EmptyProject.ts"
import { examplesTools, makeEmptyProject } from "./packages/EmptyProject.ts"
import { lintTarball } from "./packages/lintTarball.ts"
import { runInstallInto } from "./packages/runInstallInto.ts"
import { runMcp } from "./packages/runMcp.ts"
import { nextApplication } from "./packages/nextApplication.ts"
import type { Packed } from "./packages/packAll.ts"
import { packAll, removeBuilds } from "./packages/packAll.ts"
import { repository } from "./packages/publicPackages.ts"
import { runAlone } from "./packages/runAlone.ts"
import { runReceivers } from "./packages/runReceivers.ts"
import { typeCheck } from "./packages/typeCheck.ts"

const { values: flags } = parseArgs({ options: { out: { type: "string" } } })

const failed: Array<string> = []

/** Runs one part of the check and prints its result. If it fails, the other parts still run. */
const part = async (name: string, work: () => Promise<string | undefined>): Promise<void> => {
  const started = performance.now()
  const outcome = await work().then(
    (told) => `ok     ${name}${told === undefined ? "" : `: ${told}`}`,
    (error: unknown) => {
      failed.push(name)
      return `FAILED ${name}\n${error instanceof Error ? error.message : String(error)}`
    }
  )
  console.log(`${outcome} (${((performance.now() - started) / 1000).toFixed(1)} s)`)
}

const lint = async (packages: ReadonlyArray<Packed>): Promise<undefined> => {
  const faults: Array<string> = []
  for (const packed of packages) faults.push(...(await lintTarball(packed)).map((fault) => `${packed.name} ${fault}`))
  if (faults.length > 0) throw new Error(faults.join("\n"))
}

/** A script of the repository that runs examples in the given project. */
const examples =
  (project: EmptyProject, script: string, ...args: ReadonlyArray<string>) =>
  async () => {
    const program = join(repository, "scripts", script)
    const printed = await project.run(process.execPath, [program, ...args], { timeout: 300_000 })
    return `${printed.match(/^ok/gm)?.length ?? 0} ran`
  }

const commands = (packages: ReadonlyArray<Packed>, project: EmptyProject) => async () => {
  const names = packages.flatMap(({ manifest }) => Object.keys(manifest.bin ?? {}))
  for (const name of names.filter((each) => !each.endsWith("-mcp"))) {
    const help = await project.run("npx", ["--no-install", name, "--help"])
    if (!help.includes(name)) throw new Error(`${name} --help does not mention ${name}:\n${help}`)
  }
  return names.join(", ")
}

const inProject = async (packages: ReadonlyArray<Packed>, project: EmptyProject): Promise<void> => {
  await part("the READMEs' examples", examples(project, "runReadmes.ts", project.folder))
  await part("the examples of docs/embedding", examples(project, "runExamples.ts", project.folder))
  await part("the command line's README", examples(project, "runConsole.ts", project.folder))
  await part("the receivers of docs/receivers", () => runReceivers(project))
  await part("types", () => typeCheck(packages, project))
  await part("the commands", commands(packages, project))
  await part("the MCP server over stdio", () => runMcp(project))
  await part("the client's bundles", () => clientBundles(project.folder))
  await part("a Next.js application", () => nextApplication(project))
}

const main = async (folder: string): Promise<void> => {
  removeBuilds()
  let packages: ReadonlyArray<Packed> = []
  await part("npm pack", async () => {
    packages = packAll(folder)
    return `${packages.length} packages`
  })
  if (packages.length === 0) return
  await part("publint and attw", () => lint(packages))
  await part("each alone", () => runAlone(packages))
  await part("npm run pack:into, without a network", () => runInstallInto(packages))
  let project: EmptyProject | undefined
  await part("npm install of the tarballs in an empty project", async () => {
    project = makeEmptyProject(packages, examplesTools)
    return undefined
  })
  if (project === undefined) return
  try {
    await inProject(packages, project)
  } finally {
    project.remove()
  }
}

const folder = flags.out === undefined ? mkdtempSync(join(tmpdir(), "agent-marketplace-packages-")) : resolve(flags.out)
if (flags.out !== undefined && existsSync(folder)) throw new Error(`${folder} already exists`)
try {
  await main(folder)
} finally {
  if (flags.out === undefined || failed.length > 0) rmSync(folder, { recursive: true, force: true })
}
if (failed.length > 0) {
  console.error(`\nFailed: ${failed.join(", ")}`)
  process.exitCode = 1
}
