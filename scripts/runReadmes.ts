/**
 * Runs every program in the READMEs and the pages of `docs`, in the given project: `node scripts/runReadmes.ts
 * <project> [part of a page's path …]`. They are first type checked with every strict option. Prints a line for each program; exits 1 if one failed.
 */
import { execFile, spawn } from "node:child_process"
import { once } from "node:events"
import { mkdirSync, readFileSync, rmSync, writeFileSync } from "node:fs"
import { chmod, mkdtemp } from "node:fs/promises"
import { tmpdir } from "node:os"
import { join, resolve } from "node:path"
import { createInterface } from "node:readline"
import { promisify } from "node:util"
import { openSharedCluster } from "@agent-marketplace/embedded-postgres/SharedCluster"
import { repository } from "./packages/publicPackages.ts"
import type { Example } from "./readmes/examplesOf.ts"
import { readmeExamples } from "./readmes/examplesOf.ts"

const [folder, ...only] = process.argv.slice(2)
if (folder === undefined) throw new Error("usage: node scripts/runReadmes.ts <project> [part of a page's path …]")
const project = resolve(folder)
const command = (name: string): string => join(project, "node_modules/.bin", name)

const endings: Array<() => Promise<unknown>> = []

interface Failure {
  readonly message: string
  readonly stdout?: string
  readonly stderr?: string
}

const run = async (
  program: string,
  args: ReadonlyArray<string>,
  environment: Record<string, string>
): Promise<string> => {
  const { HOME = "", NODE_COMPILE_CACHE, PATH = "" } = process.env
  const env = { PATH, HOME, NODE_COMPILE_CACHE, ...environment }
  const { stdout } = await promisify(execFile)(program, args, { cwd: project, env, timeout: 120_000 }).catch(
    ({ message, stderr = "", stdout = "" }: Failure) => {
      throw new Error([message.split("\n")[0], stdout, stderr].join("\n"))
    }
  )
  return stdout
}

/** One market process serves all pages; it is reset before each page. */
const startMarket = async () => {
  const child = spawn(process.execPath, [command("agent-marketplace-harness"), "--port", "0"], {
    cwd: project,
    stdio: ["ignore", "pipe", "inherit"]
  })
  const ended = once(child, "exit")
  endings.push(async () => {
    child.kill("SIGTERM")
    await ended
  })
  const [line] = (await Promise.race([
    once(createInterface(child.stdout), "line"),
    ended.then(() => {
      throw new Error("the harness ended before it was ready")
    })
  ])) as [string]
  return JSON.parse(line) as {
    readonly baseUrl: string
    readonly keys: { readonly buyer: string; readonly seller: string }
  }
}

const startDatabase = async (): Promise<string> => {
  const data = await mkdtemp(join(tmpdir(), "agent-marketplace-readmes-"))
  // Under root the cluster runs as another user, which needs access to this folder.
  await chmod(data, 0o755)
  const { release, url } = await openSharedCluster(data)
  endings.push(async () => {
    await release()
    rmSync(data, { recursive: true })
  })
  return url
}

const fileOf = ({ kind, number, page }: Example): string => {
  const ending = { program: ".ts", vitest: ".test.ts", "node:test": ".test.ts", unittest: ".py" }[kind]
  const name = page.replace(/\.md$/, "").toLowerCase().replaceAll(/\W+/g, "-")
  return join("readmes", `${name}-${number}${ending}`)
}

const write = (examples: ReadonlyArray<Example>): void => {
  rmSync(join(project, "readmes"), { recursive: true, force: true })
  mkdirSync(join(project, "readmes"))
  for (const example of examples) writeFileSync(join(project, fileOf(example)), example.code)
}

const typeCheck = async (): Promise<void> => {
  const { compilerOptions } = JSON.parse(readFileSync(join(repository, "tsconfig.base.json"), "utf8")) as {
    readonly compilerOptions: Record<string, unknown>
  }
  const { composite: _, outDir: __, plugins: ___, rootDir: ____, ...strict } = compilerOptions
  const options = { ...strict, noEmit: true, incremental: false, declarationMap: false, types: ["node"] }
  const file = join(project, "readmes/tsconfig.json")
  writeFileSync(file, JSON.stringify({ compilerOptions: options, include: ["*.ts"] }))
  await run(process.execPath, [command("tsc"), "-p", file], {})
}

const runExample = async (example: Example, environment: Record<string, string>): Promise<void> => {
  const file = fileOf(example)
  const node = (...args: ReadonlyArray<string>) => run(process.execPath, args, environment)
  switch (example.kind) {
    case "vitest":
      return void (await node(command("vitest"), "run", "--root", project, file))
    case "node:test":
      return void (await node("--test", file))
    case "unittest":
      return void (await run("python3", [file], environment))
    case "program": {
      const printed = await node(file)
      if (example.prints !== undefined && printed !== example.prints)
        throw new Error(`printed\n${printed}\nand not\n${example.prints}`)
    }
  }
}

const attempt = async (title: string, work: () => Promise<void>): Promise<void> => {
  const started = performance.now()
  try {
    await work()
    console.log(`ok     ${title} (${((performance.now() - started) / 1000).toFixed(1)} s)`)
  } catch (error) {
    console.log(`FAILED ${title}\n${error instanceof Error ? error.message : String(error)}`)
    process.exitCode = 1
  }
}

const main = async (): Promise<void> => {
  const examples = readmeExamples().filter(({ page }) => only.length === 0 || only.some((part) => page.includes(part)))
  if (examples.length === 0) throw new Error(`no page of ${only.join(", ")} has an example`)
  write(examples)
  await attempt("types", typeCheck)
  const market = await startMarket()
  const database = examples.some(({ code }) => code.includes("DATABASE_URL")) ? await startDatabase() : ""
  const hasPython = await run("python3", ["--version"], {}).then(
    () => true,
    () => false
  )
  for (const example of examples) {
    const title = `${example.page}, example ${example.number}`
    if (example.kind === "unittest" && !hasPython) {
      console.log(`skip   ${title}: python3 is not installed`)
      continue
    }
    // Later examples of a page continue with the state of the earlier ones.
    if (example.number === 1) await fetch(`${market.baseUrl}/harness/reset`, { method: "POST" })
    await attempt(title, () =>
      runExample(example, {
        MARKETPLACE_URL: market.baseUrl,
        MARKETPLACE_API_KEY: market.keys.buyer,
        MARKETPLACE_SELLER_KEY: market.keys.seller,
        DATABASE_URL: database
      })
    )
  }
}

await main().finally(async () => {
  for (const end of endings.toReversed()) await end()
})
