// The market in a Next.js application: this file is `app/market/[...path]/route.ts`.
import { createMarketplace } from "@agent-marketplace/embed"
import type { EmbeddedMarket } from "@agent-marketplace/embed/EmbeddedMarket"
import { memoryStorage } from "@agent-marketplace/embed/storage/memoryStorage"

export const dynamic = "force-dynamic"

const shared = globalThis as typeof globalThis & { market?: Promise<EmbeddedMarket> }

// One market for the whole process, created at the first request: a build creates none, and a development server that reloads this file
// uses the existing one. With more than one process use `postgresStorage({ url })`.
const theMarket = () =>
  (shared.market ??= createMarketplace({ storage: memoryStorage(), baseUrl: "http://localhost:3000/market" }))

// Next.js appends the client's address. Earlier entries come from the client and are not trusted.
const addressOf = (request: Request) => request.headers.get("x-forwarded-for")?.split(",").at(-1)?.trim()

const handle = async (request: Request) => (await theMarket()).fetch(request, addressOf(request))

export { handle as DELETE, handle as GET, handle as HEAD, handle as PATCH, handle as POST, handle as PUT }
