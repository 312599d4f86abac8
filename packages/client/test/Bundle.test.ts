import { build } from "esbuild"
import { fileURLToPath } from "node:url"
import { gzipSync } from "node:zlib"
import { assert, describe, it } from "vitest"

const source = (path: string) => fileURLToPath(new URL(`../src/${path}`, import.meta.url))

const bundled = async (path: string) => {
  const { metafile, outputFiles } = await build({
    entryPoints: [source(path)],
    bundle: true,
    minify: true,
    write: false,
    format: "esm",
    platform: "neutral",
    target: "es2022",
    metafile: true
  })
  const gzipped = gzipSync(outputFiles[0]?.contents ?? new Uint8Array(), { level: 9 }).length
  const outside = Object.keys(metafile.inputs).filter((input) => !/(?:^|\/)packages\/client\/src\/|^src\//.test(input))
  return { gzipped, outside, text: outputFiles[0]?.text ?? "" }
}

describe("what a program loads", () => {
  it.each([
    ["Marketplace.ts", 15_000],
    ["webhooks/verifyWebhook.ts", 3000]
  ])("%s is under %i bytes minified and gzipped, and nothing of it comes from elsewhere", async (path, most) => {
    const { gzipped, outside, text } = await bundled(path)
    process.stdout.write(`@agent-marketplace/client ${path}: ${gzipped} bytes minified and gzipped\n`)
    assert.isBelow(gzipped, most)
    assert.deepStrictEqual(outside, [])
    assert.notMatch(text, /\bimport\s*[{*"']|\brequire\(|\bprocess\.|\bBuffer\b/)
  })
})
