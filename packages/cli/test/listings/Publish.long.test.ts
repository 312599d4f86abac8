import { mkdirSync, symlinkSync, writeFileSync } from "node:fs"
import { join } from "node:path"
import { afterAll, assert, beforeAll, describe, it } from "vitest"
import { assertHarmless } from "../running/assertHarmless.ts"
import { cli, freshHome } from "../running/cli.ts"
import type { RunningMarket } from "../running/startMarket.ts"
import { startMarket } from "../running/startMarket.ts"

let market: RunningMarket
let home: string

const run = (...args: ReadonlyArray<string>) =>
  cli(
    { env: { HOME: home, MARKETPLACE_URL: market.baseUrl, MARKETPLACE_API_KEY: market.keys.seller }, terminal: 100 },
    ...args
  )
const json = async (...args: ReadonlyArray<string>) => JSON.parse((await run(...args, "--json")).stdout)

/** Writes a file in the home folder and returns its path. */
const file = (path: string, text: string | Uint8Array): string => {
  const place = join(home, path)
  mkdirSync(join(place, ".."), { recursive: true })
  writeFileSync(place, text)
  return place
}

const soul = (description: string, more = "") =>
  `---\nname: Calm Negotiator\ndescription: ${description}\nprice: 4.5\ncategory: soul-assistant\ntags: [deals]\n---\n# SOUL\n\nNever loud.${more}\n`

beforeAll(async () => {
  market = await startMarket()
  home = freshHome()
})

afterAll(() => market.stop())

describe("publish", () => {
  it("publishes a SOUL.md with the fields of its front matter, and a new version with --update (CLI-7)", async () => {
    const path = file("SOUL.md", soul("Finds the deal that both like."))
    const published = await json("publish", path)
    assert.strictEqual(published.type, "soul")
    assert.include(published.soul, { slug: "calm-negotiator", price: "4.50", category: "soul-assistant" })
    file("SOUL.md", soul("Finds the deal that all like.", " Never rude."))
    const updated = await json("publish", path, "--update", "calm-negotiator")
    assert.include(updated.soul, { description: "Finds the deal that all like.", version: 2 })
    assert.include((await run("show", "calm-negotiator")).stdout, "Never rude.")
  })

  it("submits the skill in a folder with a skill.json, with the fields of both formats", async () => {
    const manifest = {
      name: "Contract Reader",
      description: "Reads contracts and marks what is unusual.",
      price: 12,
      category: "productivity",
      tags: ["law"],
      installUrl: "https://example.com/contract-reader.zip"
    }
    file("contract-reader/skill.json", JSON.stringify(manifest))
    const { skill } = await json("publish", join(home, "contract-reader"))
    assert.deepStrictEqual([skill.title, skill.price, skill.tags], ["Contract Reader", "12.00", ["law"]])
    assert.include((await run("show", skill.id)).stdout, manifest.installUrl)
    file("contract-reader/skill.json", JSON.stringify({ ...manifest, price: 13 }))
    const updated = await json("publish", join(home, "contract-reader"), "--update", skill.id)
    assert.deepStrictEqual([updated.skill.id, updated.skill.price], [skill.id, "13.00"])
  })

  it("prompts for the fields that a SOUL.md without front matter lacks", async () => {
    const path = file("plain/SOUL.md", "# SOUL\n\nAn owl that counts.\n")
    const context = { env: { HOME: home, MARKETPLACE_URL: market.baseUrl, MARKETPLACE_API_KEY: market.keys.seller } }
    const refused = await cli(context, "publish", path)
    assert.strictEqual(refused.code, 2)
    assert.include(refused.stderr, "SOUL.md does not state its name and description")
    const typed = "Counting Owl\rCounts what there is.\r2.5\r"
    const { code, shown, stderr } = await cli({ ...context, terminal: 100, typed }, "publish", path)
    assert.deepStrictEqual([code, stderr], [0, ""])
    for (const label of ["Name", "Description", "Price in USDC"]) assert.include(shown, label)
    const { soul } = await json("show", "counting-owl")
    assert.include(soul, { name: "Counting Owl", description: "Counts what there is.", price: "2.50" })
  })

  it("does not publish a file through a symbolic link", async () => {
    const secret = file("elsewhere/notes.md", soul("Private notes."))
    mkdirSync(join(home, "cloned"))
    symlinkSync(secret, join(home, "cloned/SOUL.md"))
    for (const path of ["cloned", "cloned/SOUL.md"]) {
      const { code, stderr } = await run("publish", join(home, path))
      assert.strictEqual(code, 2)
      assert.include(stderr, "SOUL.md is a symbolic link")
    }
  })

  it("also reads a SKILL.md, with its text as the long description", async () => {
    const text =
      "---\nname: Rhymes\ndescription: Finds rhymes for any word.\nprice: 0\npricingModel: free\n---\n# Rhymes\n\nAsk.\n"
    const { skill } = await json("publish", file("rhymes/SKILL.md", text))
    assert.strictEqual(skill.pricingModel, "free")
    assert.include((await run("show", skill.slug)).stdout, "# Rhymes\n\nAsk.")
  })

  it("reports partial success if the market accepts only some of the fields", async () => {
    const manifest = { name: "Half Done", description: "Its address is not one.", price: 2, installUrl: "http://plain" }
    const path = file("half/skill.json", JSON.stringify(manifest))
    const { code, stderr } = await run("publish", path)
    assert.strictEqual(code, 1)
    assert.match(stderr, /(lst_\w+) was submitted, but not every field of .*installUrl.*\n.*--update \1/)
  })

  it("does not round a price: the market refuses more than 6 decimals (MONEY-5)", async () => {
    const fields = "name: Dear\ndescription: Costs very exactly.\nprice: 5.00000000000000000001\n"
    const json = '{"name":"Dear","description":"Costs very exactly.","price":5.00000000000000000001}'
    for (const path of [
      file("exact/SOUL.md", `---\n${fields}---\n# SOUL\n`),
      file("exact-skill/SKILL.md", `---\n${fields}---\n# Dear\n`),
      file("exact-json/skill.json", json)
    ]) {
      const { code, stderr } = await run("publish", path)
      assert.strictEqual(code, 1, path)
      assert.match(stderr, /price.*must have at most 6 decimals/, path)
    }
  })

  it("names every invalid field", async () => {
    const { code, stderr } = await run("publish", file("empty/skill.json", "{}"))
    assert.strictEqual(code, 1)
    for (const field of ["name", "description", "price"]) assert.include(stderr, `${field} is required`)
  })

  it("refuses files that are neither a SOUL nor a skill before anything is sent", async () => {
    const wrong = [
      [join(home, "nowhere"), "is neither a SOUL.md nor a folder"],
      [file("plain.md", "Just text."), "is not a SOUL.md"],
      [file("open.md", "---\nname: x\n# SOUL\n"), "is not a SOUL.md"],
      [file("binary.md", Uint8Array.of(0x23, 0xff, 0xfe)), "is not UTF-8 text"],
      [file("large.md", `# SOUL\n${"x".repeat(4_200_000)}`), "is larger than 4 MiB"],
      [file("broken/skill.json", "{"), "is not JSON"],
      [file("list/skill.json", "[]"), "must be a JSON object"],
      [file("bare/SKILL.md", "# No front matter"), "has no front matter"]
    ] as const
    for (const [path, why] of wrong) {
      const { code, stderr, stdout } = await run("publish", path)
      assert.deepStrictEqual([code, stdout], [2, ""], path)
      assert.include(stderr, why)
    }
  })
})

describe("texts of other users", () => {
  it("have no effect on the terminal", async () => {
    const body = {
      name: "Red Alert evil",
      description: "Clears\u001B[2J the screen \u0007and rings.",
      content: "# SOUL\n\u001B]0;owned\u0007text\u009B2J\n"
    }
    const headers = { authorization: `Bearer ${market.keys.seller}`, "content-type": "application/json" }
    const url = `${market.baseUrl}/api/v1/souls/create`
    const made = await fetch(url, { method: "POST", headers, body: JSON.stringify(body) })
    const { slug } = (await made.json()) as { slug: string }
    const seen = [
      await run("search", "--type", "soul"),
      await run("show", slug),
      await run("show", slug, "--json"),
      await run("buy", slug)
    ]
    for (const { shown, stderr, stdout } of seen) assertHarmless(shown + stderr + stdout)
    assert.include(seen[0]?.stdout, "Red Alert evil")
    assert.strictEqual(JSON.parse(seen[2]?.stdout ?? "").soul.content, body.content)
  })
})
