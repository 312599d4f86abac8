// The host's own users are the accounts: a user with a session of the host needs no key, and gets an account at the first request.
import { createMarketplace } from "@agent-marketplace/embed"
import { memoryStorage } from "@agent-marketplace/embed/storage/memoryStorage"
import { makeSessions } from "./sessions.ts"

const sessions = makeSessions("the secret that the host signs its cookies with")
const market = await createMarketplace({ storage: memoryStorage(), users: sessions.recognise })

const ask = async (method: string, path: string, cookie: string, body?: object) => {
  const request = new Request(`http://localhost:3000${path}`, {
    method,
    // The headers that a browser sends from the host's own pages.
    headers: { cookie, origin: "http://localhost:3000", "content-type": "application/json" },
    ...(body === undefined ? {} : { body: JSON.stringify(body) })
  })
  const response = await market.fetch(request)
  return { status: response.status, body: await response.json() }
}

const alice = sessions.begin({ id: "17", name: "Alice" }, 3600)
const seen = await ask("GET", "/api/v1/account", alice)
console.log(seen.status, seen.body.data.name)

const content = "# SOUL\n\n## Identity\nA tutor that never hurries.\n"
const soul = { name: "Patient Tutor", description: "Explains in small steps.", content }
const created = await ask("POST", "/api/v1/souls/create", alice, soul)
console.log(created.status, created.body.slug, "by", created.body.author)

const over = sessions.begin({ id: "17", name: "Alice" }, -1)
for (const cookie of ["", over, `${alice}x`]) console.log((await ask("GET", "/api/v1/account", cookie)).status)

// Inside the process the host names the user itself, here for a session that may only read.
const reading = market.as({ id: "17", name: "Alice", scope: "READ" })
console.log("the same account:", (await reading.account.get()).id === seen.body.data.id)
await reading.souls.delete("patient-tutor").catch((error) => console.log(error.code, error.details.required))
await market.close()

/* Prints:
200 Alice
201 patient-tutor by Alice
401
401
401
the same account: true
INSUFFICIENT_PERMISSIONS [ 'SELLER', 'FULL' ]
*/
