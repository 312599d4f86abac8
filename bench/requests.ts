/** The requests of each kind of work, as bytes. */
import { accountId, commonWords, listingFor, listingId, soulSlug, tokenOf, viralListings, wordPair } from "./data.ts"
import type { Sizes } from "./data.ts"

/** The market identifies the caller by a key. The references have no keys and take the buyer from the body. */
export type Side = "market" | "reference"

export const works = [
  "soul",
  "souls",
  "skill",
  "search",
  "search2",
  "feed",
  "listings",
  "graphql",
  "buy",
  "viral"
] as const

export type Work = (typeof works)[number]

export type Requests = (n: number) => string

/** Mixed load repeats after this many requests; the last one changes a policy, the purchases come before it, and the others are reads. */
export const mixedCycle = { requests: 50, purchases: 9 }

/** The same fields as an item of the REST list. */
const graphqlQuery = JSON.stringify({
  query: `{ listings(first: 50) { edges { node { id name description price currency category featured pricingModel status delivery trust
    creator { id name } stats { sales rating reviews } } } } }`
})

/** Spreads consecutive numbers over the whole range. */
const scattered = (n: number, size: number): number => (n * 7919) % size

const remembered = <A>(make: (n: number) => A): ((n: number) => A) => {
  const made: Array<A> = []
  return (n) => (made[n] ??= make(n))
}

/** The `n`th request of a kind of work. Both sides receive the same request for the same number. */
export const requestsFor = (work: Work, side: Side, sizes: Sizes, variant = ""): Requests => {
  const token = remembered(tokenOf)
  const buyerAccount = remembered((buyer) => accountId(sizes.sellers + buyer))
  const slug = remembered(soulSlug)
  const listing = remembered(listingId)

  const caller = (account: number) => (side === "market" ? `Authorization: Bearer ${token(account)}\r\n` : "")
  const get = (path: string, n: number, headers = caller(n % (sizes.sellers + sizes.buyers))) =>
    `GET ${path} HTTP/1.1\r\nHost: 127.0.0.1\r\n${headers}\r\n`
  /** Each reader has its own address, for what is limited per address. */
  const address = (n: number) => `X-Forwarded-For: 10.${n & 255}.${(n >> 8) & 255}.${(n >> 16) & 255}\r\n`
  const post = (path: string, account: number, body: string, headers = "") =>
    `POST ${path} HTTP/1.1\r\nHost: 127.0.0.1\r\n${caller(account)}${headers}` +
    `Content-Type: application/json\r\nContent-Length: ${body.length}\r\n\r\n${body}`
  const buy = (buyer: number, item: string) => {
    const body = JSON.stringify(side === "market" ? { skillId: item } : { skillId: item, buyerId: buyerAccount(buyer) })
    return post(`/api/v1/purchases${variant}`, sizes.sellers + buyer, body)
  }

  switch (work) {
    case "soul":
      return (n) => get(`/api/souls/${slug(scattered(n, sizes.souls))}`, n)
    case "souls":
      return (n) => get("/api/souls?limit=50", n)
    case "skill":
      return (n) => get(`/api/v1/skills/${listing(scattered(n, sizes.listings))}`, n)
    case "search":
      return (n) => get(`/v1/listings?search=${commonWords[n % commonWords.length]}`, n)
    case "search2":
      return (n) => get(`/v1/listings?search=${encodeURIComponent(wordPair(scattered(n, sizes.listings)))}`, n)
    case "feed":
      return (n) => get("/api/activity/live", n, address(n))
    case "listings":
      return (n) => get("/v1/listings?limit=50", n)
    case "graphql":
      return (n) => post("/graphql", n % (sizes.sellers + sizes.buyers), graphqlQuery, address(n))
    case "buy":
      return (n) => {
        const buyer = n % sizes.buyers
        return buy(buyer, listing(listingFor(buyer, Math.floor(n / sizes.buyers), sizes)))
      }
    case "viral":
      return (n) => buy(n % sizes.buyers, listing(Math.floor(n / sizes.buyers) % viralListings))
  }
}
