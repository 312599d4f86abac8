import { assert } from "vitest"
import { dataOf, makeClient, makePatientClient } from "../fixtures/Client.ts"
import { onMarket } from "../fixtures/Market.ts"
import type { ChaosDatabase } from "./ChaosDatabase.ts"
import type { ChaosMarket } from "./ChaosMarket.ts"
import { adminToken } from "../fixtures/startServer.ts"
import { waitFor } from "../fixtures/waitFor.ts"

/** No license twice, no item sold twice to a buyer, and no purchase refunded twice. */
export const assertUnique = async (database: ChaosDatabase): Promise<void> => {
  const rows = await database.query(
    `SELECT (SELECT count(*) - count(DISTINCT license_key) FROM purchases WHERE license_key IS NOT NULL)::int AS licenses,
      (SELECT count(*) FROM (SELECT 1 FROM purchases WHERE status = 'completed' GROUP BY buyer_id, item_id HAVING count(*) > 1) AS twice)::int AS sold,
      (SELECT count(*) FROM purchases p JOIN (SELECT reference, credit_account, sum(amount) AS back FROM ledger_lines
        WHERE type = 'refund' AND credit = 'wallet' GROUP BY 1, 2) AS r ON r.reference = p.id AND r.credit_account = p.buyer_id
        WHERE r.back > p.amount OR p.status <> 'refunded')::int AS refunded`
  )
  assert.deepStrictEqual(rows, [{ licenses: 0, sold: 0, refunded: 0 }])
}

/** The ids of all sales of paid items by an account. */
export const salesOf = async (database: ChaosDatabase, account: string): Promise<ReadonlyArray<string>> => {
  const sold = `seller_id = '${account}' AND status IN ('completed', 'refunded') AND amount > 0`
  return (await database.query(`SELECT id FROM purchases WHERE ${sold}`)).map(({ id }) => String(id))
}

const hourlyLimit = 20

/** The servers count the requests of an account together again, whatever happened to Redis (LIMIT-14). */
export const assertLimitsShared = async ({ servers }: ChaosMarket): Promise<void> => {
  const [first = ""] = servers.map((server) => server.baseUrl() ?? "")
  await waitFor("the limit is shared", async () => {
    const member = await onMarket(first, { patient: true }).member()
    const account = `/api/v1/admin/accounts/${member.id}`
    dataOf(await makePatientClient(first, adminToken).patch(account, { tier: "enterprise", hourlyLimit }))
    const statuses: Array<number> = []
    for (let request = 0; request < 2 * hourlyLimit; request++) {
      const client = makeClient(servers[request % servers.length]?.baseUrl() ?? "", member.key)
      statuses.push((await client.get("/api/v1/account")).status)
    }
    if (statuses.includes(503)) return false
    const passed = statuses.filter((status) => status === 200).length
    assert.isAtLeast(passed, hourlyLimit, "requests within the limit were refused")
    return passed === hourlyLimit
  })
}
