// The market on a server of `node:http`, together with the server's other routes.
import { createMarketplace } from "@agent-marketplace/embed"
import { memoryStorage } from "@agent-marketplace/embed/storage/memoryStorage"
import { createServer } from "node:http"
import type { AddressInfo } from "node:net"

const market = await createMarketplace({ storage: memoryStorage(), baseUrl: "http://localhost:3000/market" })

const server = createServer((request, response) => {
  if (request.url?.startsWith("/market")) market.node(request, response)
  else response.end("The rest of the site\n")
})
server.listen(Number(process.env["PORT"] ?? 3000), "127.0.0.1", () => {
  console.log(`The market is at http://localhost:${(server.address() as AddressInfo).port}/market`)
})

process.once("SIGTERM", () => {
  server.close()
  void market.close()
})
