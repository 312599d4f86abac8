import { createHash } from "node:crypto"
import { assert, beforeAll, describe, it } from "vitest"
import { bodyOf, dataOf } from "../fixtures/Client.ts"
import { onMarket } from "../fixtures/Market.ts"
import type { Market, Member } from "../fixtures/Market.ts"
import { harmful, released, skillArchive } from "../fixtures/skillArchives.ts"
import { sharedServer } from "../fixtures/sharedServer.ts"
import type { SharedServer } from "../fixtures/sharedServer.ts"

interface Entry {
  readonly name: string
  readonly description: string
  readonly files: ReadonlyArray<string>
}

const folder = "/.well-known/agent-skills"

const digestOf = (bytes: Uint8Array): string => createHash("sha256").update(bytes).digest("hex")

describe("free skills for the installers of others", () => {
  let server: SharedServer
  let market: Market
  let seller: Member
  let names = 0

  beforeAll(async () => {
    server = await sharedServer()
    market = onMarket(server.baseUrl, { testClock: true })
    seller = await market.member({ seller: true })
  })

  const skill = async (
    name = `Sorter ${++names}`,
    price = 0
  ): Promise<{ readonly id: string; readonly slug: string }> =>
    dataOf(
      await seller.post("/api/v1/skills", { title: name, name, description: "Sorts the rows of files.", price }),
      201
    )

  /** Bytes that no other test quarantines. */
  const release = (id: string) => released(seller, id, "1.0.0", skillArchive("1.0.0", { "id.txt": id }))

  const get = (path: string, headers: Readonly<Record<string, string>> = {}) =>
    fetch(server.baseUrl + path, { headers })

  const indexAt = async (path: string): Promise<ReadonlyArray<Entry>> =>
    ((await (await get(path)).json()) as { readonly skills: ReadonlyArray<Entry> }).skills

  const listed = async (): Promise<ReadonlyArray<string>> =>
    (await indexAt(`${folder}/index.json`)).map(({ name }) => name)

  const statusOf = async (path: string): Promise<number> => (await get(path)).status

  it("the index lists free skills on sale, and their files are served with their digests (INSTALLER-1, INSTALLER-6)", async () => {
    const { id, slug } = await skill()
    const script = "print('naïve')\n"
    const files = {
      "scripts/my sort.py": script,
      "page.html": "<script>alert(1)</script>",
      "logo.png": new Uint8Array([137, 80])
    }
    const { files: manifest, level } = await released(seller, id, "1.0.0", skillArchive("1.0.0", files)).then(
      (one) => ({
        files: one.files,
        level: one.verdict?.level
      })
    )
    const found = (await indexAt(`${folder}/index.json`)).find(({ name }) => name === slug)
    assert.deepStrictEqual(
      found,
      { name: slug, description: "Sorts CSV files.", files: manifest.map(({ path }) => path) },
      level
    )
    for (const { path, sha256 } of manifest) {
      const response = await get(`${folder}/${slug}/${path}`)
      assert.strictEqual(response.status, 200, path)
      assert.strictEqual(response.headers.get("etag"), `"${sha256}"`)
      assert.strictEqual(digestOf(new Uint8Array(await response.arrayBuffer())), sha256)
      assert.match(
        response.headers.get("content-type") ?? "",
        /^(?:text\/plain; charset=utf-8|application\/octet-stream)$/
      )
      assert.strictEqual(response.headers.get("x-content-type-options"), "nosniff")
      assert.include(response.headers.get("content-security-policy") ?? "", "default-src 'none'")
      assert.match(response.headers.get("content-disposition") ?? "", /^attachment/)
      assert.strictEqual(response.headers.get("access-control-allow-origin"), "*")
      assert.match(response.headers.get("cache-control") ?? "", /^public, no-cache/)
      const again = await get(`${folder}/${slug}/${path}`, { "if-none-match": `"${sha256}"` })
      assert.strictEqual(again.status, 304)
    }
    const head = await fetch(`${server.baseUrl}${folder}/${slug}/SKILL.md`, { method: "HEAD" })
    assert.strictEqual(head.status, 200)
    const options = await fetch(`${server.baseUrl}${folder}/${slug}/SKILL.md`, { method: "OPTIONS" })
    assert.strictEqual(options.status, 204)
  })

  it("the index of one skill lists it alone, and its files are below the same address (INSTALLER-5)", async () => {
    const { id, slug } = await skill()
    await release(id)
    assert.deepStrictEqual(
      (await indexAt(`${folder}/${slug}${folder}/index.json`)).map(({ name }) => name),
      [slug]
    )
    const nested = await get(`${folder}/${slug}${folder}/${slug}/SKILL.md`)
    assert.include(await nested.text(), "CSV sorter")
    assert.strictEqual(await statusOf(`${folder}/unknown-skill${folder}/index.json`), 404)
  })

  it("paid, unscanned, yanked, quarantined and edited ones vanish with the next request (INSTALLER-1)", async () => {
    const [yanked, quarantined, priced, harmless] = [await skill(), await skill(), await skill(), await skill()]
    const paid = await skill(`Paid ${++names}`, 5)
    for (const { id } of [yanked, quarantined, priced, paid]) await release(id)
    await released(seller, harmless.id, "1.0.0", skillArchive("1.0.0", {}, harmful))
    const before = await listed()
    for (const { slug } of [yanked, quarantined, priced]) assert.include(before, slug)
    for (const { slug } of [paid, harmless]) assert.notInclude(before, slug)
    bodyOf(await seller.post(`/v1/listings/${yanked.id}/releases/1.0.0/yank`, { reason: "Broken." }))
    dataOf(await market.operator.post(`/api/v1/admin/items/${quarantined.id}/quarantine`, { reason: "Looks bad." }))
    dataOf(await seller.patch(`/api/v1/skills/${priced.id}`, { price: 5 }))
    const after = await listed()
    for (const { slug } of [yanked, quarantined, priced, paid, harmless]) {
      assert.notInclude(after, slug)
      const reply = await get(`${folder}/${slug}/SKILL.md`)
      assert.strictEqual(reply.status, 404, slug)
      assert.strictEqual(((await reply.json()) as { error: { code: string } }).error.code, "NOT_FOUND")
      assert.strictEqual(await statusOf(`${folder}/${slug}${folder}/index.json`), 404)
    }
  })

  it("the newest release on sale is served (INSTALLER-6)", async () => {
    const { id, slug } = await skill()
    for (const version of ["1.0.0", "1.10.0", "1.9.0", "2.0.0-beta"]) {
      await released(seller, id, version, skillArchive(version, { "version.txt": version }))
    }
    assert.strictEqual(await (await get(`${folder}/${slug}/version.txt`)).text(), "1.10.0")
  })

  it("a slug that is too long for the format is replaced by the id (INSTALLER-3)", async () => {
    const { id, slug } = await skill(`Very ${"long ".repeat(14)}name ${++names}`)
    assert.isAbove(slug.length, 64)
    await release(id)
    const name = id.replace("_", "-")
    assert.include(await listed(), name)
    assert.strictEqual(await statusOf(`${folder}/${name}/SKILL.md`), 200)
    assert.strictEqual(await statusOf(`${folder}/${slug}/SKILL.md`), 404)
    const short = await skill()
    await release(short.id)
    assert.strictEqual(await statusOf(`${folder}/${short.id.replace("_", "-")}/SKILL.md`), 404)
  })

  it("a skill whose files installers would skip, or could read as an index, is not offered (INSTALLER-4)", async () => {
    const refused = [{ "a#b.md": "x" }, { ".well-known/agent-skills/index.json": '{"skills":[]}' }]
    for (const files of refused) {
      const { id, slug } = await skill()
      const { status } = await released(seller, id, "1.0.0", skillArchive("1.0.0", files))
      assert.strictEqual(status, "published", JSON.stringify(files))
      assert.notInclude(await listed(), slug)
      assert.strictEqual(await statusOf(`${folder}/${slug}/SKILL.md`), 404)
    }
  })

  it("addresses that leave the folder, or name no file, are 404", async () => {
    const { id, slug } = await skill()
    await release(id)
    for (const path of [
      "",
      "/",
      "/unknown.md",
      "/skill.md",
      "/..%2FSKILL.md",
      "/%2e%2e/x",
      "/SKILL.md%00",
      `${folder}/SKILL.md`
    ]) {
      assert.strictEqual(await statusOf(`${folder}/${slug}${path}`), 404, path)
    }
    assert.strictEqual(await statusOf(`${folder}/%E0%A4%A/SKILL.md`), 404)
    const post = await fetch(`${server.baseUrl}${folder}/index.json`, { method: "POST" })
    assert.strictEqual(post.status, 405)
  })

  it("one file of a release is downloaded under the rules of the archive (RELEASE-25, RELEASE-26)", async () => {
    const { id } = await skill(`Paid ${++names}`, 5)
    const uploaded = await release(id)
    assert.deepStrictEqual((uploaded as { frontMatter?: unknown }).frontMatter, {
      name: "csv-sorter",
      description: "Sorts CSV files.",
      version: "1.0.0"
    })
    const path = `/v1/listings/${id}/releases/1.0.0/download?path=`
    const file = await get(`${path}SKILL.md`, { authorization: `Bearer ${seller.key}` })
    assert.strictEqual(file.headers.get("etag"), `"${uploaded.files[0]?.sha256}"`)
    assert.strictEqual(digestOf(new Uint8Array(await file.arrayBuffer())), uploaded.files[0]?.sha256)
    const missing = bodyOf<{ error: { details: { issues: ReadonlyArray<{ path: string }> } } }>(
      await seller.get(`${path}README.md`),
      400
    )
    assert.strictEqual(missing.error.details.issues[0]?.path, "path")
    const stranger = await market.member()
    assert.strictEqual((await stranger.get(`${path}SKILL.md`)).status, 402)
  })
})
