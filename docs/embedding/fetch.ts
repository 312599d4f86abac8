// The market as a fetch handler: for Node here; Bun and Deno accept the same function (`Bun.serve({ fetch })`, `Deno.serve(fetch)`).
import { createMarketplace } from "@agent-marketplace/embed"
import { memoryStorage } from "@agent-marketplace/embed/storage/memoryStorage"
import { serve } from "@hono/node-server"

const market = await createMarketplace({ storage: memoryStorage() })

serve(
  {
    fetch: (request, { incoming }) => market.fetch(request, incoming.socket.remoteAddress),
    hostname: "127.0.0.1",
    port: Number(process.env["PORT"] ?? 3000)
  },
  ({ port }) => console.log(`The market is at http://localhost:${port}`)
)
