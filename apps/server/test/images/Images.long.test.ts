import { createDatabase } from "@agent-marketplace/fixtures/postgres/TestPostgres"
import { png, pngBomb } from "@agent-marketplace/fixtures/images/png"
import { afterAll, assert, beforeAll, describe, it } from "vitest"
import { bodyOf, dataOf } from "../fixtures/Client.ts"
import type { Client, Reply } from "../fixtures/Client.ts"
import { onMarket } from "../fixtures/Market.ts"
import type { Market, Member } from "../fixtures/Market.ts"
import { released } from "../fixtures/skillArchives.ts"
import { startServer } from "../fixtures/startServer.ts"
import type { RunningServer } from "../fixtures/startServer.ts"

interface WireImage {
  readonly id: string
  readonly kind: string
  readonly alt: string
  readonly full: { readonly url: string; readonly width: number; readonly height: number; readonly size: number }
  readonly small: { readonly url: string }
}

const codeOf = (reply: Reply, status: number) =>
  bodyOf<{ readonly error: { readonly code: string } }>(reply, status).error.code

describe("pictures of items", () => {
  let server: RunningServer
  let market: Market
  let seller: Member
  let names = 0

  beforeAll(async () => {
    server = await startServer({ DATABASE_URL: await createDatabase(), LISTING_REVIEW: "auto", RATE_LIMITS: "off" })
    market = onMarket(server.baseUrl)
    seller = await market.member({ seller: true })
  })
  afterAll(() => server?.stop())

  const listing = (): Promise<string> => market.listing(seller, `Painter ${++names}`, 5)
  const send = (client: Client, id: string, bytes: Uint8Array, query = "", type = "image/png") =>
    client.post(`/v1/listings/${id}/images${query}`, bytes, { "content-type": type })
  const listed = async (id: string, client: Client = seller) =>
    bodyOf<{ readonly images: ReadonlyArray<WireImage> }>(await client.get(`/v1/listings/${id}/images`), 200).images
  const open = (url: string, headers: Record<string, string> = {}) => fetch(url, { headers })

  it("a thumbnail is shown to everybody as long as the listing is public (IMAGE-1, IMAGE-4, IMAGE-9, IMAGE-10, IMAGE-11, IMAGE-12)", async () => {
    const id = await listing()
    await released(seller, id, "1.0.0")
    const sent = await send(seller, id, png(800, 600), `?kind=thumbnail&alt=${encodeURIComponent("A blue square")}`)
    const image = bodyOf<WireImage>(sent, 201)
    assert.match(image.id, /^img_/)
    assert.deepInclude(image, { kind: "thumbnail", alt: "A blue square" })
    assert.deepInclude(image.full, { width: 640, height: 360 })
    assert.isTrue(image.full.url.startsWith(`${server.baseUrl}/images/`))
    assert.deepStrictEqual(await listed(id), [image])
    const skill = dataOf<{ thumbnailUrl: string }>(await seller.get(`/api/v1/skills/${id}`), 200)
    assert.strictEqual(skill.thumbnailUrl, image.full.url)

    const read = await open(image.full.url)
    assert.strictEqual(read.status, 200)
    assert.deepInclude(Object.fromEntries(read.headers), {
      "content-type": "image/webp",
      "x-content-type-options": "nosniff",
      "content-security-policy": "default-src 'none'; sandbox",
      "cache-control": "public, max-age=3600"
    })
    const bytes = new Uint8Array(await read.arrayBuffer())
    assert.strictEqual(bytes.length, image.full.size)
    assert.strictEqual(new TextDecoder().decode(bytes.subarray(8, 12)), "WEBP")
    const known = await open(image.full.url, { "if-none-match": read.headers.get("etag") ?? "" })
    assert.strictEqual(known.status, 304)

    assert.strictEqual(
      (await market.operator.post(`/api/v1/admin/items/${id}/quarantine`, { reason: "a test" })).status,
      200
    )
    assert.strictEqual((await open(image.full.url)).status, 404)
    const own = await open(`${server.baseUrl}/v1/listings/${id}/images/${image.id}/content?size=small`, {
      authorization: `Bearer ${seller.key}`
    })
    assert.strictEqual(own.status, 200, "its creator still sees it")
    assert.isNotEmpty(new Uint8Array(await own.arrayBuffer()))
    const purged = await market.operator.post(`/api/v1/admin/items/${id}/purge`, { reason: "a test" })
    assert.strictEqual(purged.status, 200)
    assert.deepStrictEqual(await listed(id), [])
  })

  it("screenshots have an order, a limit and descriptions, and the same bytes are one picture (IMAGE-5, IMAGE-6, IMAGE-8)", async () => {
    const id = await listing()
    const shot = (n: number) => png(200, 100, [n, n, n])
    const twins = await Promise.all([send(seller, id, shot(1)), send(seller, id, shot(1))])
    assert.deepStrictEqual(twins.map(({ status }) => status).toSorted(), [200, 201])
    const more = [2, 3, 4, 5, 6, 7, 8]
    for (const part of [more.slice(0, 4), more.slice(4)]) {
      for (const sent of await Promise.all(part.map((n) => send(seller, id, shot(n))))) bodyOf(sent, 201)
    }
    const ninth = await send(seller, id, shot(9))
    assert.strictEqual(codeOf(ninth, 409), "CONFLICT")
    assert.strictEqual((await send(seller, id, shot(3))).status, 200, "a repetition is no further one")
    const [first, second] = await listed(id)
    const path = `/v1/listings/${id}/images/${second?.id}`
    bodyOf(await seller.patch(path, { position: 1, alt: "Second, now first" }), 200)
    const [now] = await listed(id)
    assert.deepStrictEqual([now?.id, now?.alt], [second?.id, "Second, now first"])
    assert.strictEqual(codeOf(await seller.patch(path, { alt: "x".repeat(201) }), 400), "VALIDATION_ERROR")
    assert.strictEqual(codeOf(await seller.patch(path, { position: 0 }), 400), "VALIDATION_ERROR")
    const url = `/v1/listings/${id}/images/${first?.id}`
    bodyOf(await seller.delete(url), 200)
    assert.strictEqual(codeOf(await seller.delete(url), 404), "IMAGE_NOT_FOUND")
    assert.strictEqual((await open(first?.full.url ?? "")).status, 404)
    assert.strictEqual((await listed(id)).length, 7)
  })

  it("hostile uploads are refused in words, store nothing, and do not disturb the service (IMAGE-1, IMAGE-2, IMAGE-3)", async () => {
    const id = await listing()
    const large = Buffer.concat([png(100, 100), Buffer.alloc(5 * 1_048_576)])
    const svg = Buffer.from("<svg xmlns='http://www.w3.org/2000/svg' onload='alert(1)'/>")
    assert.strictEqual(codeOf(await send(seller, id, large), 413), "PAYLOAD_TOO_LARGE")
    for (const type of ["image/svg+xml", "application/json", "text/plain"]) {
      const { error } = bodyOf<{ readonly error: object }>(await send(seller, id, svg, "", type), 415)
      assert.deepInclude(error, {
        code: "UNSUPPORTED_MEDIA_TYPE",
        message:
          "Content-Type must be one of image/png, image/jpeg, image/webp, and the body must have no Content-Encoding",
        details: { allowed: ["image/png", "image/jpeg", "image/webp"] }
      })
    }
    const tooLarge = bodyOf<{ readonly error: object }>(await send(seller, id, large), 413)
    assert.deepInclude(tooLarge.error, {
      message: "The body must be at most 5242880 bytes",
      details: { maxBytes: 5_242_880 }
    })
    assert.strictEqual(codeOf(await send(seller, id, png(100, 100), "", "image/gif"), 415), "UNSUPPORTED_MEDIA_TYPE")
    const refused: ReadonlyArray<readonly [Uint8Array, string, string]> = [
      [new Uint8Array(), "image/png", "must not be empty"],
      [svg, "image/png", "must be a PNG, a JPEG or a WebP"],
      [png(100, 100), "image/jpeg", "but the content type says image/jpeg"],
      [pngBomb(60_000, 60_000), "image/png", "at most 10000"],
      [pngBomb(9000, 9000), "image/png", "is 9000 × 9000 pixels: it must have at most 24000000 in all"],
      [png(100, 100, [9, 9, 9], [["acTL", "\0\0\0\u0002\0\0\0\0"]]), "image/png", "is animated"],
      [png(300, 300).subarray(0, 120), "image/png", "is damaged"]
    ]
    for (const [bytes, type, words] of refused) {
      const reply = await send(seller, id, bytes, "", type)
      assert.strictEqual(codeOf(reply, 400), "VALIDATION_ERROR")
      const { details } = bodyOf<{ readonly error: { readonly details: { readonly issues: ReadonlyArray<object> } } }>(
        reply,
        400
      ).error
      assert.lengthOf(details.issues, 1)
      assert.deepInclude(details.issues[0], { path: "body" })
      assert.include(JSON.stringify(details.issues), words)
    }
    assert.strictEqual(codeOf(await send(seller, id, png(100, 100), "?kind=banner"), 400), "VALIDATION_ERROR")
    assert.deepStrictEqual(await listed(id), [])
    assert.strictEqual((await open(`${server.baseUrl}/images/../etc/passwd`)).status, 404)
    assert.strictEqual((await open(`${server.baseUrl}/images/${"0".repeat(64)}.webp`)).status, 404)
    assert.strictEqual((await fetch(`${server.baseUrl}/healthz`)).status, 200)
  })

  it("the shop shows pictures that are stored here, and no others (IMAGE-15, SHOP-4)", async () => {
    const id = await listing()
    const foreign = `https://foreign.example/images/${"0".repeat(64)}.webp`
    bodyOf(await seller.patch(`/api/v1/skills/${id}`, { thumbnailUrl: foreign }), 200)
    const { slug } = dataOf<{ slug: string }>(await seller.get(`/api/v1/skills/${id}`), 200)
    const page = async (path: string) =>
      (await (await open(server.baseUrl + path, { accept: "text/html" })).text()).split('<script type="application')[0]
    const preview = (url: string) => `<meta property="og:image" content="${url}">`
    const search = `/search?q=${slug}`
    assert.include(await page(search), `/items/${slug}`)
    assert.notInclude(await page(search), "foreign.example")
    assert.match((await page(`/items/${slug}`)) ?? "", /og:image" content="[^"]+\/assets\/preview.png"/)
    const thumbnail = bodyOf<WireImage>(await send(seller, id, png(640, 360), "?kind=thumbnail"), 201)
    const shot = bodyOf<WireImage>(await send(seller, id, png(300, 200), "?alt=A%20%22list%22"), 201)
    const path = (url: string) => new URL(url).pathname
    assert.include(await page(search), `<img class="size-full object-cover" src="${path(thumbnail.full.url)}" alt=""`)
    const shown = await page(`/items/${slug}`)
    assert.include(shown, preview(thumbnail.full.url))
    assert.include(shown, `<a class="block rounded-lg" href="${path(shot.full.url)}"`)
    assert.include(shown, 'alt="A &quot;list&quot;" width="300" height="200" loading="lazy"')
  })

  it("only the creator changes pictures (IMAGE-1)", async () => {
    const id = await listing()
    const image = bodyOf<WireImage>(await send(seller, id, png(100, 100)), 201)
    const other = await market.member({ seller: true })
    assert.strictEqual((await send(other, id, png(100, 100))).status, 403)
    assert.strictEqual((await other.patch(`/v1/listings/${id}/images/${image.id}`, { alt: "mine" })).status, 403)
    assert.strictEqual((await other.delete(`/v1/listings/${id}/images/${image.id}`)).status, 403)
    assert.deepStrictEqual(await listed(id, other), [image], "everybody reads them")
    bodyOf(await seller.delete(`/v1/listings/${id}`), 200)
    assert.strictEqual((await open(image.full.url)).status, 404)
    assert.strictEqual((await send(seller, id, png(100, 100))).status, 404)
  })

  it("a SOUL has pictures too, by its slug, while it is public (IMAGE-17)", async () => {
    const draft = {
      name: `Tutor ${++names}`,
      description: "Explains in small steps.",
      content: "# SOUL\n\nBe kind.",
      price: 3
    }
    const created = await seller.post("/api/v1/souls/create", draft)
    const { id, slug } = bodyOf<{ readonly id: string; readonly slug: string }>(created, 201)
    const path = `/api/v1/souls/${slug}/images`
    const upload = (client: Client, bytes: Uint8Array, query = "") =>
      client.post(path + query, bytes, { "content-type": "image/png" })
    const thumbnail = dataOf<WireImage>(await upload(seller, png(800, 600, [7, 77, 177]), "?kind=thumbnail"), 201)
    const shot = dataOf<WireImage>(await upload(seller, png(300, 200), "?alt=A%20reply"), 201)
    assert.strictEqual((await upload(seller, png(300, 200))).status, 200, "the same bytes are one picture")
    assert.deepStrictEqual(dataOf(await seller.get(path), 200), [thumbnail, shot])
    const skill = dataOf<{ thumbnailUrl: string }>(await seller.get(`/api/v1/skills/${id}`), 200)
    assert.strictEqual(skill.thumbnailUrl, thumbnail.full.url)
    const page = await (await open(`${server.baseUrl}/items/${slug}`, { accept: "text/html" })).text()
    assert.include(page, `<meta property="og:image" content="${thumbnail.full.url}">`)
    assert.include(page, 'alt="A reply"')
    const other = await market.member({ seller: true })
    assert.strictEqual((await upload(other, png(100, 100))).status, 403)
    const one = `${path}/${shot.id}`
    assert.strictEqual(dataOf<WireImage>(await seller.patch(one, { alt: "A longer reply" }), 200).alt, "A longer reply")
    const bytes = await open(`${server.baseUrl}${one}/content?size=small`, { authorization: `Bearer ${seller.key}` })
    assert.strictEqual(bytes.headers.get("content-type"), "image/webp")
    dataOf(await seller.patch(`/api/v1/souls/${slug}`, { visibility: "private" }), 200)
    assert.strictEqual((await open(thumbnail.full.url)).status, 404)
    assert.strictEqual((await upload(other, png(100, 100))).status, 404)
    dataOf(await seller.patch(`/api/v1/souls/${slug}`, { visibility: "public" }), 200)
    assert.strictEqual((await open(thumbnail.full.url)).status, 200)
    assert.deepStrictEqual(dataOf(await seller.delete(one), 200), { id: shot.id, deleted: true })
    const purged = await market.operator.post(`/api/v1/admin/items/${id}/purge`, { reason: "a test" })
    assert.strictEqual(purged.status, 200)
    assert.deepStrictEqual(dataOf(await seller.get(path), 200), [])
    assert.strictEqual((await open(thumbnail.full.url)).status, 404)
  })

  it("an operator's purge removes the pictures of an item without a release (IMAGE-12, PURGE-1)", async () => {
    const id = await listing()
    const image = bodyOf<WireImage>(await send(seller, id, png(120, 100, [3, 33, 133])), 201)
    assert.strictEqual((await open(image.full.url)).status, 200)
    const purge = () => market.operator.post(`/api/v1/admin/items/${id}/purge`, { reason: "a test" })
    assert.strictEqual((await purge()).status, 200)
    assert.strictEqual((await open(image.full.url)).status, 404)
    assert.deepStrictEqual(await listed(id), [])
    assert.strictEqual((await purge()).status, 409, "nothing is left")
  })
})
