import { MarketClock } from "@agent-marketplace/core/clock/MarketClock"
import { WalletStore } from "@agent-marketplace/core/wallets/WalletStore"
import { attemptRule } from "@agent-marketplace/core/webhooks/DeliveryRules"
import { WebhookStore } from "@agent-marketplace/core/webhooks/WebhookStore"
import { claimedAgent } from "@agent-marketplace/testkit/fixtures/claimedAgent"
import { Commands } from "@agent-marketplace/testkit/fixtures/Commands"
import { listingOnSale } from "@agent-marketplace/testkit/fixtures/listingOnSale"
import { openAccount } from "@agent-marketplace/testkit/fixtures/openAccount"
import { publishedSoul } from "@agent-marketplace/testkit/fixtures/publishedSoul"
import { fund, resultOf, settle } from "@agent-marketplace/testkit/fixtures/settle"
import { usdt } from "@agent-marketplace/testkit/fixtures/usdt"
import { answered, claimOf, dispatchedTo, subscribed } from "@agent-marketplace/testkit/webhooks/webhookFixtures"
import { assert, describe, it } from "@effect/vitest"
import { Effect } from "effect"
import { existsSync, readdirSync, readFileSync, writeFileSync } from "node:fs"
import { join } from "node:path"
import { DatabaseSync } from "node:sqlite"
import { tableKinds } from "../src/tableKinds.ts"
import { storesOn, temporaryFile } from "./testStores.ts"

const folder = new URL("recorded/", import.meta.url).pathname

type Row = readonly [key: string, member: string, value: string | null]

/** The rows of each table of a file, and its two numbers. */
interface Recorded {
  readonly applicationId: number
  readonly format: number
  readonly tables: Readonly<Record<string, ReadonlyArray<Row>>>
}

const tables = Object.entries(tableKinds).flatMap(([name, kind]) => (kind === "derived" ? [] : [name]))

const contentOf = (file: string): Recorded => {
  const database = new DatabaseSync(file)
  const number = (pragma: string) => Number(Object.values(database.prepare(`PRAGMA ${pragma}`).get() ?? {})[0])
  const rowsOf = (name: string) =>
    database
      .prepare(`SELECT key, member, value FROM "${name}" ORDER BY position`)
      .all()
      .map(({ key, member, value }) => [key, member, value] as unknown as Row)
  const found = {
    applicationId: number("application_id"),
    format: number("user_version"),
    tables: Object.fromEntries(
      tables.map((name) => [name, rowsOf(name)] as const).filter(([, rows]) => rows.length > 0)
    )
  }
  database.close()
  return found
}

const restore = (file: string, { applicationId, format, tables: recorded }: Recorded): void => {
  const database = new DatabaseSync(file)
  for (const [name, rows] of Object.entries(recorded)) {
    database.exec(
      `CREATE TABLE "${name}" (position INTEGER PRIMARY KEY, key TEXT NOT NULL, member TEXT NOT NULL, value TEXT, UNIQUE (key, member)) STRICT`
    )
    const insert = database.prepare(`INSERT INTO "${name}" (key, member, value) VALUES (?, ?, ?)`)
    for (const row of rows) insert.run(...row)
  }
  database.exec(`PRAGMA application_id = ${applicationId}; PRAGMA user_version = ${format}`)
  database.close()
}

/** The path and the type of every field. */
const shapeOf = (value: unknown, path: string): ReadonlyArray<string> => {
  if (typeof value !== "object" || value === null) return [`${path}: ${value === null ? "null" : typeof value}`]
  if (Array.isArray(value)) return value.flatMap((each) => shapeOf(each, `${path}[]`))
  return Object.entries(value).flatMap(([name, field]) => shapeOf(field, `${path}.${name}`))
}

const shapesOf = ({ tables: found }: Recorded): Readonly<Record<string, ReadonlyArray<string>>> =>
  Object.fromEntries(
    Object.entries(found).map(([name, rows]) => {
      const shapes = rows.flatMap(([key, , value]) =>
        // The fields of a table of one record are its keys.
        value === null
          ? []
          : shapeOf(JSON.parse(value), tableKinds[name as keyof typeof tableKinds] === "fields" ? key : "")
      )
      return [name, [...new Set(shapes)].toSorted()]
    })
  )

/** A record of each kind that trading needs. */
const trade = Effect.gen(function* () {
  const clock = yield* MarketClock
  const webhooks = yield* WebhookStore
  const [seller, buyer] = [yield* openAccount(), yield* openAccount()]
  yield* claimedAgent(buyer.id)
  const webhook = yield* subscribed(seller)
  yield* publishedSoul(seller)
  yield* fund(buyer, usdt(100))
  resultOf(yield* settle(Commands.buy(buyer, yield* listingOnSale(seller, { price: usdt(3) }))), "Bought")
  yield* dispatchedTo(webhook, 1)
  const [claimed] = yield* claimOf([webhook])
  if (claimed !== undefined) yield* webhooks.record([answered(claimed, 500, yield* clock.now)], attemptRule)
})

const audit = Effect.flatMap(WalletStore, (wallets) => wallets.audit)

describe("files of earlier versions (SQLITE-3)", () => {
  it.live(
    "a stored record has the recorded shape of its format, and a file of every earlier format opens with today's",
    () =>
      Effect.gen(function* () {
        const fresh = yield* temporaryFile
        yield* Effect.provide(trade, storesOn(fresh))
        const today = contentOf(fresh)
        const own = join(folder, `format-${today.format}.json`)
        if (!existsSync(own)) {
          writeFileSync(own, `${JSON.stringify(today, null, 2)}\n`)
          assert.fail(`${own} was missing and has been written: commit it`)
        }
        const remedy = "stored records changed: raise `format` in openMarketFile.ts and add a step to `upgrades`"
        for (const name of readdirSync(folder).filter((each) => each.endsWith(".json"))) {
          const recorded = JSON.parse(readFileSync(join(folder, name), "utf8")) as Recorded
          const file = yield* temporaryFile
          restore(file, recorded)
          const { balanced } = yield* Effect.provide(audit, storesOn(file))
          assert.isTrue(balanced, name)
          assert.deepStrictEqual(shapesOf(contentOf(file)), shapesOf(today), `${name}: ${remedy}`)
        }
      }).pipe(Effect.scoped)
  )
})
