import { globSync, readFileSync } from "node:fs"
import { join } from "node:path"
import { fileURLToPath, pathToFileURL } from "node:url"
import { assert, describe, it } from "vitest"

const root = fileURLToPath(new URL("../../..", import.meta.url))
const folder = join(root, "docs/embedding")

/** Files that examples import, which are not examples themselves. */
const modules = ["paperChain.ts", "sessions.ts"]
const names = globSync("*.ts", { cwd: folder }).filter((name) => !modules.includes(name))

// `npm run check:packages` runs the examples in an empty project.
describe("the examples of docs/embedding", () => {
  it("are all linked in the README of their folder, and import packages by name only", () => {
    const page = readFileSync(join(folder, "README.md"), "utf8")
    assert.isAtLeast(names.length, 9)
    for (const name of [...names, ...modules]) {
      assert.include(page, `(${name})`)
      const imported = readFileSync(join(folder, name), "utf8").matchAll(/from "(\.[^"]+)"/g)
      for (const [, path = ""] of imported) assert.include(modules, path.slice(2), `${name} imports ${path}`)
    }
  })

  it("next/app/market/[...path]/route.ts serves the market for every method, and distinguishes clients", async () => {
    const file = join(folder, "next/app/market/[...path]/route.ts")
    const route = (await import(pathToFileURL(file).href)) as Record<string, (request: Request) => Promise<Response>>
    const call = (method: string, path: string, forwarded: string, body?: object) => {
      const headers = { "x-forwarded-for": forwarded, "content-type": "application/json" }
      const url = `http://localhost:3000/market${path}`
      const payload = body === undefined ? {} : { body: JSON.stringify(body) }
      return route[method]?.(new Request(url, { method, headers, ...payload }))
    }
    const created = await call("POST", "/api/v1/accounts", "203.0.113.1", { name: "Ada" })
    assert.strictEqual(created?.status, 201)
    const left = async (address: string) =>
      (await call("GET", "/api/souls", address))?.headers.get("x-ratelimit-remaining")
    assert.strictEqual(await left("6.6.6.6, 203.0.113.7"), "59")
    assert.strictEqual(await left("7.7.7.7, 203.0.113.7"), "58", "a forwarded address from the client has no effect")
    assert.strictEqual(await left("203.0.113.8"), "59")
    assert.strictEqual((await call("PUT", "/api/souls", "203.0.113.9"))?.status, 405)
    const shared = globalThis as { market?: Promise<{ readonly close: () => Promise<void> }> }
    await (await shared.market)?.close()
  })
})
