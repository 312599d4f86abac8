import type { DeliveryId } from "@agent-marketplace/core/ids/Ids"
import { signWebhook } from "@agent-marketplace/core/webhooks/WebhookSignature"
import { Effect, Layer, Redacted } from "effect"
import { Mac, SecureRandom } from "effect/crypto"
import { execFile } from "node:child_process"
import { mkdtemp, readFile, realpath, rm, symlink, writeFile } from "node:fs/promises"
import { tmpdir } from "node:os"
import { join } from "node:path"
import { fileURLToPath } from "node:url"
import { promisify } from "node:util"
import { afterAll, assert, beforeAll, describe, it } from "vitest"
import type { Harness } from "../../src/startHarness.ts"
import { startHarness } from "../../src/startHarness.ts"

const root = fileURLToPath(new URL("../../../..", import.meta.url))
const run = promisify(execFile)

/** An empty project beside the packages, with the examples as files. */
let project: string
let harness: Harness

const examples = async (): Promise<ReadonlyArray<string>> => {
  const page = await readFile(join(root, "packages/client/README.md"), "utf8")
  return [...page.matchAll(/```ts\n([\s\S]*?)```/g)].map(([, code = ""]) => code)
}

/** The output of the example. */
const printed = async (file: string): Promise<ReadonlyArray<string>> => {
  const { stdout } = await run(process.execPath, [join(project, file)], {
    cwd: project,
    env: {
      PATH: process.env["PATH"],
      MARKETPLACE_URL: harness.baseUrl,
      MARKETPLACE_API_KEY: harness.keys.buyer,
      MARKETPLACE_SELLER_KEY: harness.keys.seller
    }
  })
  return stdout.trimEnd().split("\n")
}

beforeAll(async () => {
  harness = await startHarness()
  project = await mkdtemp(join(tmpdir(), "readme-"))
  await symlink(join(root, "node_modules"), join(project, "node_modules"))
  await writeFile(join(project, "package.json"), JSON.stringify({ type: "module" }))
  await Promise.all((await examples()).map((code, index) => writeFile(join(project, `example${index}.ts`), code)))
})
afterAll(async () => {
  await harness.stop()
  await rm(project, { recursive: true })
})

describe("the examples of the client's README", () => {
  it("compile with every strict option of TypeScript", async () => {
    const { compilerOptions } = JSON.parse(await readFile(join(root, "tsconfig.base.json"), "utf8")) as {
      compilerOptions: Record<string, unknown>
    }
    const { composite: _, outDir: __, plugins: ___, rootDir: ____, ...strict } = compilerOptions
    const options = { ...strict, noEmit: true, incremental: false, declarationMap: false, types: ["node"] }
    await writeFile(join(project, "tsconfig.json"), JSON.stringify({ compilerOptions: options, include: ["*.ts"] }))
    const { stdout } = await run(join(root, "node_modules/.bin/tsc"), ["-p", project]).catch(
      (error: { readonly stdout: string }) => error
    )
    assert.strictEqual(stdout, "")
  })

  it("print the documented output, one after the other on one market", async () => {
    const outputs: Array<ReadonlyArray<string>> = []
    for (let index = 0; index < 6; index += 1) outputs.push(await printed(`example${index}.ts`))
    const [start, iterate, errors, once, selling, installing] = outputs
    assert.match(start?.[0] ?? "", /^license (\w{5}-){4}\w{5}$/)
    assert.strictEqual(start?.[1], "left 990 USDT")
    assert.deepStrictEqual(iterate?.slice(0, 2), ["spent 10", "Unit Converter 0.00"])
    assert.match(iterate?.[2] ?? "", /^(?:Mail Sorter|Daily Digest) 10\.00$/)
    assert.match(errors?.[0] ?? "", /^404 LISTING_NOT_FOUND .+ \S{8,}$/)
    assert.deepStrictEqual(once, ["the same purchase true"])
    assert.deepStrictEqual(selling, ["published calm-negotiator", "submitted contract-reader pending_review"])
    const installedPath = join(await realpath(project), "agent/skills/calm-negotiator")
    assert.deepStrictEqual(installing, [
      `${installedPath} calm-negotiator 1.0.0 is installed`,
      "calm-negotiator differences []",
      "calm-negotiator unchanged 1.0.0 1.0.0"
    ])
    assert.match(await readFile(join(installedPath, "SOUL.md"), "utf8"), /^# SOUL/)
  })

  it("accept the market's signatures, and respond with 401 to others", async () => {
    const secret = "a secret that is plain text"
    const { body, headers } = await Effect.runPromise(
      signWebhook({
        id: "dlv_000000000000k01" as DeliveryId,
        payload: '{"event":"webhook.test","timestamp":"2025-01-15T12:00:00.000Z","data":{"webhookId":"whk_1"}}',
        at: Date.now(),
        secret: Redacted.make(secret),
        previous: null
      }).pipe(Effect.provide(Mac.layerWebCrypto.pipe(Layer.provide(SecureRandom.layerWebCrypto))))
    )
    const example = (await import(join(project, "example6.ts"))) as {
      readonly default: { readonly fetch: (request: Request, env: object) => Promise<Response> }
    }
    const answered = async (text: string) => {
      const request = new Request("https://receiver.example/", { method: "POST", body: text, headers })
      return (await example.default.fetch(request, { WEBHOOK_SECRET: secret })).status
    }
    assert.strictEqual(await answered(body), 200)
    assert.strictEqual(await answered(`${body} `), 401)
  })
})
