// The market inside a Hono application.
import { createMarketplace } from "@agent-marketplace/embed"
import { memoryStorage } from "@agent-marketplace/embed/storage/memoryStorage"
import { serve } from "@hono/node-server"
import { getConnInfo } from "@hono/node-server/conninfo"
import { Hono } from "hono"

const market = await createMarketplace({ storage: memoryStorage(), baseUrl: "http://localhost:3000/market" })

const app = new Hono()
app.get("/", (context) => context.text("The rest of the site\n"))
app.all("/market/*", (context) => market.fetch(context.req.raw, getConnInfo(context).remote.address))

serve({ fetch: app.fetch, hostname: "127.0.0.1", port: Number(process.env["PORT"] ?? 3000) }, ({ port }) => {
  console.log(`The market is at http://localhost:${port}/market`)
})
