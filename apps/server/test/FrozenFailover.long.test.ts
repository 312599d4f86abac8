import { assert, describe, it } from "vitest"
import { answersAfterFreeze, statusOf } from "./fixtures/answersAfterFreeze.ts"
import { startFaultyProxy } from "./fixtures/FaultyProxy.ts"
import type { Member } from "./fixtures/Market.ts"
import { onMarket } from "./fixtures/Market.ts"
import { head } from "./fixtures/RawConnection.ts"
import type { ReplicatedPostgres } from "./fixtures/startReplicatedPostgres.ts"
import { startReplicatedPostgres } from "./fixtures/startReplicatedPostgres.ts"
import { startServer } from "./fixtures/startServer.ts"
import { waitFor } from "./fixtures/waitFor.ts"

/** Deactivates the member's key on the new primary, once the process that is awake has found it. */
const deactivate = async (member: Member): Promise<void> => {
  const status = await waitFor("an answer", async () => {
    const reply = await member.delete(`/api/v1/keys/${member.keyId}`)
    return reply.status === 503 ? undefined : reply.status
  })
  assert.strictEqual(status, 200)
}

/** The statuses from a process that was frozen while a standby was promoted and the key of the requests was deactivated. */
const answersAfterPromotion = async (
  meanwhile: (database: ReplicatedPostgres, deactivateKey: () => Promise<void>) => Promise<void>,
  urlOf = ({ url }: ReplicatedPostgres): string => url
) => {
  const database = await startReplicatedPostgres()
  try {
    const env = { DATABASE_URL: urlOf(database), WORKER: "external" }
    const [awake, frozen] = [await startServer(env), await startServer(env)]
    const member = await onMarket(awake.baseUrl).member()
    const authorization = `Bearer ${member.key}`
    const { status } = await onMarket(frozen.baseUrl).guest.get("/api/v1/account", { authorization })
    assert.strictEqual(status, 200)
    const answers = await answersAfterFreeze(frozen, head("GET", "/api/v1/account", { authorization }), 0, () =>
      meanwhile(database, () => deactivate(member))
    )
    assert.deepStrictEqual(await Promise.all([awake.stop(), frozen.stop()]), [0, 0])
    return answers.map(statusOf)
  } finally {
    await database.stop()
  }
}

describe("a process that was frozen during a promotion (DATABASE-3, DATABASE-6)", () => {
  it("does not read from the former primary, which was frozen too and accepts writes again", async () => {
    const statuses = await answersAfterPromotion(async (database, deactivateKey) => {
      await database.freezePrimary()
      await database.promote()
      await deactivateKey()
      await database.thawPrimary()
    })
    assert.deepStrictEqual(new Set(statuses), new Set([401]))
  })

  it("does not read from the former primary, which is now a standby that is behind", async () => {
    const statuses = await answersAfterPromotion(async (database, deactivateKey) => {
      await database.killPrimary()
      await database.promote()
      await deactivateKey()
      await database.restartAsStaleStandby()
    })
    assert.deepStrictEqual(new Set(statuses), new Set([401]))
  })

  it("does not use open connections to the former primary after the address moved (DATABASE-2)", async () => {
    const address = await startFaultyProxy()
    let ports: ReadonlyArray<number> = []
    try {
      const statuses = await answersAfterPromotion(
        async (database, deactivateKey) => {
          await database.freezePrimary()
          await database.promote()
          address.target = ports[1] ?? 0
          await deactivateKey()
          await database.thawPrimary()
        },
        ({ url }) => {
          ports = [...url.matchAll(/127\.0\.0\.1:(\d+)/g)].map(([, port]) => Number(port))
          address.target = ports[0] ?? 0
          return url.replace(/127.*(?=\/)/, `127.0.0.1:${address.port}`)
        }
      )
      assert.deepStrictEqual(new Set(statuses), new Set([401]))
    } finally {
      await address.close()
    }
  })
})
