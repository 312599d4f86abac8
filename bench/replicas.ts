/** What reads cost the primary with and without two replicas. On one machine replicas add no processor, so no rates are compared. */
import { startReplicas } from "../apps/server/test/fixtures/startReplicas.ts"
import { cpuSeconds } from "./cpu.ts"
import { startServer } from "./processes.ts"

const adminToken = "operator-token-of-the-benchmark-0123456789"

const post = async (base: string, path: string, token: string, body: unknown): Promise<unknown> => {
  const response = await fetch(base + path, {
    method: "POST",
    headers: { authorization: `Bearer ${token}`, "content-type": "application/json" },
    body: JSON.stringify(body)
  })
  if (!response.ok) throw new Error(`${path}: ${response.status} ${await response.text()}`)
  return response.json()
}

const listing = (number: number) => ({
  name: `Skill number ${number}`,
  description: "Does one thing, and does it well.",
  price: 5,
  category: "development",
  installUrl: "https://example.com/install"
})

/** The primary's processor time for each of these reads, in microseconds; each read is of another page, so that none is shared. */
const costOf = async (base: string, key: string, primary: number, requests: number): Promise<number> => {
  const before = cpuSeconds([primary]) ?? 0
  let next = 0
  const reader = async () => {
    for (let each = next++; each < requests; each = next++) {
      const response = await fetch(`${base}/api/v1/listings?limit=20&maxPrice=${10 + each}`, {
        headers: { authorization: `Bearer ${key}` }
      })
      await response.text()
      if (response.status !== 200) throw new Error(`a read returned ${response.status}`)
    }
  }
  await Promise.all(Array.from({ length: 16 }, reader))
  return (((cpuSeconds([primary]) ?? 0) - before) * 1e6) / requests
}

export const replicas = async (folder: string, requests: number): Promise<void> => {
  const database = await startReplicas()
  try {
    for (const READ_DATABASE_URL of ["", database.readUrl]) {
      const server = await startServer("market", folder, {
        DATABASE_URL: database.primary,
        READ_DATABASE_URL,
        ADMIN_TOKEN: adminToken,
        RATE_LIMITS: "off",
        LISTING_REVIEW: "auto",
        LOG_LEVEL: "warn"
      })
      const base = `http://127.0.0.1:${server.port}`
      const made = (await post(base, "/api/v1/accounts", adminToken, { name: "Seller", seller: true })) as {
        readonly data: { readonly apiKey: { readonly key: string } }
      }
      const { key } = made.data.apiKey
      for (let number = 0; number < 100; number++) await post(base, "/v1/listings", key, listing(number))
      await costOf(base, key, database.primaryPid, requests)
      const cost = await costOf(base, key, database.primaryPid, requests)
      console.log(
        `${READ_DATABASE_URL === "" ? "without replicas" : "with 2 replicas"}: ${cost.toFixed(0)} µs of the primary's processor for each list of 20`
      )
      await server.stop()
    }
  } finally {
    await database.stop()
  }
}
