/**
 * Runs the `console` blocks of the command line's README in the given project and compares the
 * output: `node scripts/runConsole.ts <project> [--write]`. `--write` updates the README with the output instead.
 */
import { execFile, spawn } from "node:child_process"
import { once } from "node:events"
import { chmodSync, existsSync, mkdtempSync, readFileSync, realpathSync, rmSync, writeFileSync } from "node:fs"
import { tmpdir } from "node:os"
import { delimiter, dirname, join, resolve } from "node:path"
import { createInterface } from "node:readline"
import { repository } from "./packages/publicPackages.ts"

const [folder, ...flags] = process.argv.slice(2)
if (folder === undefined) throw new Error("usage: node scripts/runConsole.ts <project> [--write]")
const project = resolve(folder)
const page = join(repository, "packages/cli/README.md")
const shownUrl = "http://localhost:3999"
const shownHome = "/home/bob"

/** The folder for all files that the examples create, and for the commands when they run from the sources. */
const place = realpathSync(mkdtempSync(join(tmpdir(), "agent-marketplace-console-")))

const isRepository = existsSync(join(project, "packages/cli/src/main.ts"))

/** A folder that contains the two commands. */
const commands = (): string => {
  if (!isRepository) return join(project, "node_modules/.bin")
  const programs = { "agent-marketplace": "packages/cli", "agent-marketplace-harness": "apps/harness" }
  for (const [name, part] of Object.entries(programs)) {
    const file = join(place, name)
    writeFileSync(file, `#!/bin/sh\nexec "${process.execPath}" "${join(project, part, "src/main.ts")}" "$@"\n`)
    chmodSync(file, 0o755)
  }
  return place
}

const path = [commands(), dirname(process.execPath), process.env["PATH"] ?? ""].join(delimiter)

const startMarket = async () => {
  const env = { ...process.env, PATH: path }
  const child = spawn("agent-marketplace-harness", ["--port", "0"], { env, stdio: ["ignore", "pipe", "inherit"] })
  const [line] = (await once(createInterface(child.stdout), "line")) as [string]
  const stop = async () => {
    const ended = once(child, "exit")
    child.kill("SIGTERM")
    await ended
  }
  return { ...(JSON.parse(line) as { baseUrl: string; keys: Record<"buyer" | "seller" | "admin", string> }), stop }
}

type Market = Awaited<ReturnType<typeof startMarket>>

/** The output of a command line in Bob's shell, including errors. */
const printed = (market: Market, line: string): Promise<string> =>
  new Promise((done) => {
    const env = { PATH: path, HOME: place, MARKETPLACE_WIDTH: "100", ADMIN_TOKEN: market.keys.admin }
    const command = line.replaceAll(shownUrl, market.baseUrl)
    execFile("sh", ["-c", command], { cwd: place, env, timeout: 60_000 }, (_, stdout, stderr) => {
      const said = `${stderr}${stdout}`.replaceAll(market.baseUrl, shownUrl).replaceAll(place, shownHome)
      done(said.endsWith("\n") || said === "" ? said : `${said}\n`)
    })
  })

/** Masks values that differ from run to run. */
const masked = (text: string): string =>
  text
    .replaceAll(/\b(usr|lst|soul|pur|apr|wdr|whk|dlv|key)_[0-9a-z]{12,}/g, "$1_…")
    .replaceAll(/\bamk_\w+/g, "amk_…")
    .replaceAll(/\b(?:[0-9A-Z]{5}-){4}[0-9A-Z]{5}\b/g, "<license>")
    .replaceAll(/\(rules [\d.]+\)/g, "(rules …)")
    .replaceAll(/\d{4}-\d\d-\d\d[ T]\d\d:\d\d(?::\d\d\.\d+Z)?/g, "<time>")
    .replaceAll(/[\u{1F400}-\u{1F43F}\u{1F980}-\u{1F9AF}\u{1FAB8}\u{1FABC}]/gu, "<creature>")

const block = /^```console\n([\s\S]*?)^```$/gm

const runBlock = async (market: Market, shown: string): Promise<string> => {
  const lines = shown.split("\n").filter((line) => line.startsWith("$ "))
  let all = ""
  for (const line of lines) all += `${line}\n${await printed(market, line.slice(2))}`
  return all
}

const main = async (market: Market): Promise<void> => {
  // Bob's key is in a file, as a secret manager would provide it.
  writeFileSync(join(place, "key.txt"), market.keys.buyer, { mode: 0o600 })
  const text = readFileSync(page, "utf8")
  let written = text
  for (const [whole, shown = ""] of text.matchAll(block)) {
    const now = await runBlock(market, shown)
    const first = shown.split("\n", 1)[0] ?? ""
    if (masked(now) === masked(shown)) console.log(`ok     packages/cli/README.md: ${first}`)
    else if (flags.includes("--write"))
      // Scanners for leaked keys should find none.
      written = written.replace(whole, () => `\`\`\`console\n${now.replaceAll(/\bamk_\w+/g, "amk_…")}\`\`\``)
    else {
      console.log(`FAILED packages/cli/README.md: ${first}\nprinted\n${now}\nand not\n${shown}`)
      process.exitCode = 1
    }
  }
  if (written !== text) writeFileSync(page, written)
}

const market = await startMarket()
try {
  await main(market)
} finally {
  await market.stop()
  rmSync(place, { recursive: true, force: true })
}
