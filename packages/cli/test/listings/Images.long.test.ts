import { png } from "@agent-marketplace/fixtures/images/png"
import { mkdirSync, writeFileSync } from "node:fs"
import { join } from "node:path"
import { afterAll, assert, beforeAll, describe, it } from "vitest"
import { cli, freshHome } from "../running/cli.ts"
import type { RunningMarket } from "../running/startMarket.ts"
import { startMarket } from "../running/startMarket.ts"

let market: RunningMarket
let home: string

beforeAll(async () => {
  market = await startMarket()
  home = freshHome()
})
afterAll(() => market.stop())

const seller = (...args: ReadonlyArray<string>) =>
  cli({ env: { HOME: home, MARKETPLACE_URL: market.baseUrl, MARKETPLACE_API_KEY: market.keys.seller } }, ...args)

const jsonOf = async (ran: ReturnType<typeof cli>) => {
  const { code, stderr, stdout } = await ran
  assert.strictEqual(code, 0, stderr)
  return JSON.parse(stdout)
}

describe("pictures from the command line", () => {
  it("are uploaded, listed, described and removed (IMAGE-14)", async () => {
    mkdirSync(home, { recursive: true })
    const skill = join(home, "painter")
    mkdirSync(skill)
    writeFileSync(
      join(skill, "SKILL.md"),
      "---\nname: painter\ndescription: Paints pictures of tables.\nversion: 1.0.0\nprice: 4\n---\n# Painter\n"
    )
    await jsonOf(seller("publish", skill, "--wait", "--json"))
    const file = join(home, "blue.png")
    writeFileSync(file, png(200, 100))
    const image = await jsonOf(seller("images", "upload", "painter", file, "--alt", "Blue", "--json"))
    assert.deepInclude(image, { kind: "screenshot", alt: "Blue" })
    const edited = await jsonOf(seller("images", "edit", "painter", image.id, "--alt", "Very blue", "--json"))
    assert.strictEqual(edited.alt, "Very blue")
    assert.deepStrictEqual((await jsonOf(seller("images", "list", "painter", "--json"))).images, [edited])
    const output = join(home, "blue.webp")
    await jsonOf(seller("images", "download", "painter", image.id, "--output", output, "--json"))
    await jsonOf(seller("images", "remove", "painter", image.id, "--yes", "--json"))
    assert.deepStrictEqual((await jsonOf(seller("images", "list", "painter", "--json"))).images, [])
    writeFileSync(file, "not a picture")
    const refused = await seller("images", "upload", "painter", file)
    assert.notStrictEqual(refused.code, 0)
    assert.include(refused.stderr, "must be a PNG, a JPEG or a WebP")
  })
})
