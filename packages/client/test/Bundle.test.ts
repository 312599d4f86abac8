import { build } from "esbuild"
import { fileURLToPath } from "node:url"
import { runInNewContext } from "node:vm"
import { gzipSync } from "node:zlib"
import { assert, describe, it } from "vitest"
import { attemptedAt, signedDelivery } from "./webhooks/fixtures/signedDelivery.ts"

const source = (path: string) => fileURLToPath(new URL(`../src/${path}`, import.meta.url))

const bundled = async (path: string, format: "esm" | "iife") => {
  const { metafile, outputFiles } = await build({
    entryPoints: [source(path)],
    bundle: true,
    minify: true,
    write: false,
    format,
    globalName: "client",
    platform: "neutral",
    target: "es2022",
    metafile: true
  })
  const gzipped = gzipSync(outputFiles[0]?.contents ?? new Uint8Array(), { level: 9 }).length
  const outside = Object.keys(metafile.inputs).filter((input) => !/(?:^|\/)packages\/client\/src\/|^src\//.test(input))
  return { gzipped, outside, text: outputFiles[0]?.text ?? "" }
}

/** The globals that browsers and edge runtimes share; nothing of Node. */
const web = {
  AbortController,
  TextDecoder,
  TextEncoder,
  URL,
  URLSearchParams,
  atob,
  btoa,
  clearTimeout,
  crypto,
  setTimeout
}

describe("the size and imports of the client", () => {
  it.each([
    ["Marketplace.ts", 15_000],
    ["webhooks/verifyWebhook.ts", 3000],
    ["licenses/verifyLicense.ts", 2000],
    ["signing/verifyStatement.ts", 2500]
  ])("%s is under %i bytes minified and gzipped, and imports no other package", async (path, most) => {
    const { gzipped, outside, text } = await bundled(path, "esm")
    process.stdout.write(`@agent-marketplace/client ${path}: ${gzipped} bytes minified and gzipped\n`)
    assert.isBelow(gzipped, most)
    assert.deepStrictEqual(outside, [])
    assert.notMatch(text, /\bimport\s*[{*"']|\brequire\(|\bprocess\.|\bBuffer\b/)
  })

  it("the Node entry bundles the archive readers and no other package, and only one module has those of releases (INSTALL-8, INSTALL-10)", async () => {
    const { metafile } = await build({
      entryPoints: [
        source("node/Marketplace.ts"),
        source("node/verifyInstalled.ts"),
        source("node/updateInstalled.ts")
      ],
      bundle: true,
      write: false,
      outdir: "dist",
      format: "esm",
      platform: "node",
      metafile: true
    })
    const isPackage = (path: string) => path.includes("node_modules/")
    const taken = Object.entries(metafile.inputs).flatMap(([importer, { imports }]) => {
      const packages = imports.filter(({ external, path }) => external !== true && isPackage(path))
      return isPackage(importer)
        ? []
        : packages.map(({ original }) => `${importer.replace(/^.*src\//, "")} ${original}`)
    })
    assert.sameMembers(taken, ["node/archives/tarEntries.ts tar-stream", "node/archives/zipEntries.ts yauzl"])
    const ofTrust = Object.entries(metafile.inputs).flatMap(([importer, { imports }]) =>
      !importer.includes("packages/trust/") && imports.some(({ path }) => path.includes("packages/trust/"))
        ? [importer.replace(/^.*src\//, "")]
        : []
    )
    assert.deepStrictEqual(ofTrust, ["node/releases/releaseFiles.ts"])
    for (const reader of [
      "node/archives/tarEntries.ts",
      "node/archives/zipEntries.ts",
      "node/releases/releaseFiles.ts"
    ]) {
      const found = Object.entries(metafile.inputs).find(([path]) => path.endsWith(reader))
      assert.deepStrictEqual(
        found?.[1].imports.filter(({ original }) => original?.startsWith(".") === true),
        []
      )
    }
  })

  it("runs with the globals of browsers and edge runtimes only", async () => {
    const requests: Array<string> = []
    const fetch = async (url: string, init: RequestInit) => {
      requests.push(`${init.method} ${url}`)
      return Response.json({ success: true, data: { status: "completed" } })
    }
    const { text } = await bundled("Marketplace.ts", "iife")
    const bought: unknown = await runInNewContext(
      `${text}; new client.Marketplace({ apiKey: "k", baseUrl: "https://m.example" }).skills.buy({ skillId: "lst_1" })`,
      { ...web, fetch }
    )
    assert.deepStrictEqual(bought, { status: "completed" })
    assert.deepStrictEqual(requests, ["POST https://m.example/api/v1/purchases"])

    const secret = "a secret that is plain text"
    const { body, headers } = await signedDelivery({ secret })
    const verifier = await bundled("webhooks/verifyWebhook.ts", "iife")
    const event: unknown = await runInNewContext(
      `${verifier.text}; client.verifyWebhook(body, headers, secret, { now })`,
      { ...web, body, headers, secret, now: attemptedAt }
    )
    assert.strictEqual(JSON.stringify(event), body)
  })
})
