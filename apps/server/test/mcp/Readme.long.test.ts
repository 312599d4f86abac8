import { execFile } from "node:child_process"
import { chmod, mkdir, mkdtemp, readFile, rm, symlink, writeFile } from "node:fs/promises"
import { tmpdir } from "node:os"
import { delimiter, join } from "node:path"
import { fileURLToPath } from "node:url"
import { promisify } from "node:util"
import { afterAll, assert, beforeAll, describe, it } from "vitest"
import { Client } from "@modelcontextprotocol/sdk/client/index.js"
import { StdioClientTransport } from "@modelcontextprotocol/sdk/client/stdio.js"
import { StreamableHTTPClientTransport } from "@modelcontextprotocol/sdk/client/streamableHttp.js"
import type { Transport } from "@modelcontextprotocol/sdk/shared/transport.js"
import { programFile } from "@agent-marketplace/fixtures/processes/programFile"
import { onMarket } from "../fixtures/Market.ts"
import type { Member } from "../fixtures/Market.ts"
import { startServer } from "../fixtures/startServer.ts"
import type { RunningServer } from "../fixtures/startServer.ts"

const root = fileURLToPath(new URL("../../../..", import.meta.url))

/** A server in the configuration of an MCP host. */
interface Configured {
  readonly command?: string
  readonly args?: Array<string>
  readonly env?: Record<string, string>
  readonly url?: string
  readonly headers?: Record<string, string>
}

let server: RunningServer
let buyer: Member
let project: string
let page: string

/** `npx -y @agent-marketplace/mcp` runs this repository's program instead of the published package. */
const npx = `#!/bin/sh
[ "$1 $2" = "-y @agent-marketplace/mcp" ] && exec "${process.execPath}" "${programFile("mcp")}"
exit 64
`

beforeAll(async () => {
  server = await startServer({ STORAGE: "memory", LISTING_REVIEW: "auto", TEST_CLOCK: "true" })
  const market = onMarket(server.baseUrl, { testClock: true })
  buyer = await market.fundedMember(100)
  await market.listing(await market.member({ seller: true }), "Mail Sorter", 10)
  page = await readFile(join(root, "packages/mcp/README.md"), "utf8")
  project = await mkdtemp(join(tmpdir(), "mcp-readme-"))
  await mkdir(join(project, "bin"))
  await writeFile(join(project, "bin/npx"), npx)
  await chmod(join(project, "bin/npx"), 0o755)
  await symlink(join(root, "node_modules"), join(project, "node_modules"))
  await writeFile(join(project, "package.json"), JSON.stringify({ type: "module" }))
})
afterAll(async () => {
  await server?.stop()
  await rm(project, { recursive: true })
})

const pathWithNpx = () => [join(project, "bin"), process.env["PATH"]].join(delimiter)

const blocks = (language: string): ReadonlyArray<string> =>
  [...page.matchAll(new RegExp(`^\`\`\`${language}\\n([\\s\\S]*?)^\`\`\``, "gm"))].map(([, text = ""]) => text)

/** Replaces the URL and the key of the page with those of the running market. */
const here = (text: string): string =>
  text
    .replaceAll("http://localhost:3000", server.baseUrl)
    .replaceAll("amk_…", buyer.key)
    .replaceAll("${input:market-key}", buyer.key)

const transportOf = ({ args = [], command, env = {}, headers = {}, url }: Configured): Transport =>
  url === undefined
    ? new StdioClientTransport({ command: command ?? "", args, env: { ...env, PATH: pathWithNpx() } })
    : (new StreamableHTTPClientTransport(new URL(url), { requestInit: { headers } }) as Transport)

describe("the README of the MCP server", () => {
  it("has configurations that connect to the market unchanged", async () => {
    const configurations = blocks("json")
      .map((text) => JSON.parse(here(text)) as Record<string, Record<string, Configured>>)
      .flatMap(({ mcpServers, servers }) => Object.values(mcpServers ?? servers ?? {}))
    assert.lengthOf(configurations, 3)
    for (const configured of configurations) {
      const host = new Client({ name: "host", version: "1.0.0" })
      await host.connect(transportOf(configured))
      const { structuredContent } = await host.callTool({ name: "wallet_balance", arguments: {} })
      assert.deepInclude(structuredContent as object, { availableBalance: 100 })
      await host.close()
    }
  })

  it("has programs with correct output", async () => {
    const programs = blocks("ts")
    assert.lengthOf(programs, 2)
    const printed: Array<string> = []
    for (const [index, program] of programs.entries()) {
      const file = join(project, `agent${index}.ts`)
      await writeFile(file, program)
      const { stdout } = await promisify(execFile)(process.execPath, [file], {
        env: { PATH: pathWithNpx(), MARKETPLACE_URL: server.baseUrl, MARKETPLACE_API_KEY: buyer.key }
      })
      printed.push(stdout)
    }
    assert.deepStrictEqual(printed, blocks("text"))
  })

  it("lists exactly the existing tools", async () => {
    const host = new Client({ name: "host", version: "1.0.0" })
    await host.connect(transportOf({ url: `${server.baseUrl}/mcp`, headers: { authorization: `Bearer ${buyer.key}` } }))
    const { tools } = await host.listTools()
    await host.close()
    const told = [...page.matchAll(/^\| `([a-z_]+)` /gm)].map(([, name = ""]) => name)
    assert.sameMembers(
      told,
      tools.map(({ name }) => name)
    )
  })
})
