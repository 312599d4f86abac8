import { afterAll, assert, describe, it } from "vitest"
import { startMarket } from "../fixtures/startMarket.ts"

const market = startMarket()
afterAll(() => market.stop())
const { key } = await market.account({ seller: true })

/** A text of that many characters, each of which takes more than one UTF-16 unit and more than one byte. */
const text = (length: number, start = ""): string => start + "🦀".repeat(length - start.length)

interface Bound {
  readonly path: string
  readonly body: Readonly<Record<string, unknown>>
  readonly field: string
  readonly min: number
  readonly max: number
  readonly start?: string
  /** How the response reports a value that is too short or too long. */
  readonly message: string
}

const soul = { name: "Patient Tutor", description: "Explains in small steps.", content: "# SOUL\n\nTutor." }
const listing = {
  name: "CSV Cleaner",
  description: "Cleans CSV files of any size.",
  price: 2,
  category: "data",
  installUrl: "https://example.com/x"
}
const skill = { name: "CSV Cleaner", description: "Cleans CSV files of any size.", price: 0 }

const souls = { path: "/api/v1/souls/create", body: soul }
const listings = { path: "/v1/listings", body: listing }
const skills = { path: "/api/v1/skills", body: skill }

const bounds: ReadonlyArray<readonly [name: string, bound: Bound]> = [
  [
    "a soul's name (SOUL-14, SOUL-23)",
    { ...souls, field: "name", min: 3, max: 100, message: "must be 3 to 100 characters" }
  ],
  [
    "a soul's description (SOUL-15)",
    { ...souls, field: "description", min: 10, max: 500, message: "must be 10 to 500 characters" }
  ],
  [
    "a soul's content (SOUL-18)",
    {
      ...souls,
      field: "content",
      min: 6,
      max: 500_000,
      start: "# SOUL\n",
      message: "must be 1 to 500000 characters"
    }
  ],
  [
    "a listing's name (LISTING-5)",
    { ...listings, field: "name", min: 3, max: 50, message: "must be 3 to 50 characters" }
  ],
  [
    "a listing's description (LISTING-6)",
    { ...listings, field: "description", min: 10, max: 200, message: "must be 10 to 200 characters" }
  ],
  [
    "a listing's long description (LISTING-11)",
    { ...listings, field: "longDescription", min: 0, max: 50_000, message: "must be at most 50000 characters" }
  ],
  ["a skill's name (SKILL-5)", { ...skills, field: "name", min: 3, max: 100, message: "must be 3 to 100 characters" }],
  [
    "a skill's description (SKILL-5)",
    { ...skills, field: "description", min: 10, max: 5000, message: "must be 10 to 5000 characters" }
  ],
  [
    "a skill's short description (SKILL-8)",
    { ...skills, field: "shortDesc", min: 0, max: 280, message: "must be at most 280 characters" }
  ]
]

describe("bounds of texts, in code points (TEXT-1)", () => {
  for (const [name, { body, field, max, message, min, path, start = "" }] of bounds) {
    const send = (length: number) =>
      market.send("POST", path, { key, body: { ...body, [field]: text(Math.max(length, start.length), start) } })

    it(`${name}: ${min} to ${max} are accepted`, async () => {
      for (const length of [Math.max(min, start.length), max]) {
        const accepted = await send(length)
        assert.strictEqual(accepted.status, 201, accepted.text)
      }
    })

    it(`${name}: one more${min > 1 && start === "" ? ", or one less," : ""} is refused`, async () => {
      for (const length of min > 1 && start === "" ? [min - 1, max + 1] : [max + 1]) {
        const refused = await send(length)
        assert.strictEqual(refused.status, 400, refused.text)
        // The soul surface reports the first broken rule as its message (SOUL-23).
        if (path === souls.path) assert.deepStrictEqual(refused.body, { error: `${field}: ${message}` })
        else assert.deepStrictEqual(refused.body.error.details.issues, [{ path: field, message }])
      }
    })
  }
})

describe("optional fields of a listing", () => {
  it("currency is USD, and documentationUrl and longDescription are null (LISTING-13, LISTING-11)", async () => {
    const { body } = await market.send("POST", "/v1/listings", { key, body: { ...listing, name: "Little said" } })
    const detail = (await market.send("GET", `/v1/listings/${body.id}`, { key })).body
    assert.deepInclude(detail, { currency: "USD", documentationUrl: null, longDescription: null, tags: [] })
  })
})

describe("the two faces of one item", () => {
  it("title is the name, and shortDesc the short description or the first 280 characters of the description (SKILL-4)", async () => {
    const description = text(5000, "A long description. ")
    const create = async (more: object) => {
      const made = await market.send("POST", "/api/v1/skills", { key, body: { ...skill, description, ...more } })
      return (await market.send("GET", `/api/v1/skills/${made.body.data.id}`, { key })).body.data
    }
    const cut = await create({ name: "Without short text" })
    assert.deepInclude(cut, { title: "Without short text", shortDesc: [...description].slice(0, 280).join("") })
    assert.strictEqual((await create({ name: "With short text", shortDesc: "Short." })).shortDesc, "Short.")
  })

  it("a PATCH is checked against the rules of the face that it is sent to (SKILL-10)", async () => {
    const { id } = (await market.send("POST", "/api/v1/skills", { key, body: { ...skill, name: "Two faces" } })).body
      .data
    const patch = (path: string, body: object) => market.send("PATCH", `${path}/${id}`, { key, body })
    const name = "n".repeat(60)
    assert.strictEqual((await patch("/v1/listings", { name })).status, 400)
    assert.strictEqual((await patch("/api/v1/skills", { name })).body.data.title, name)
    assert.strictEqual((await patch("/v1/listings", { price: 0.5 })).status, 400)
    assert.strictEqual(
      (await patch("/api/v1/skills", { price: 0.5, pricingModel: "one_time" })).body.data.price,
      "0.50"
    )
  })
})
