// The market inside an Express application. Mount it before body parsers: it reads bodies itself and limits their size.
import { createMarketplace } from "@agent-marketplace/embed"
import { memoryStorage } from "@agent-marketplace/embed/storage/memoryStorage"
import express from "express"
import type { AddressInfo } from "node:net"

const market = await createMarketplace({ storage: memoryStorage(), baseUrl: "http://localhost:3000/market" })

const app = express()
app.use("/market", market.node)
app.use(express.json())
app.get("/", (_request, response) => {
  response.send("The rest of the site\n")
})

const server = app.listen(Number(process.env["PORT"] ?? 3000), "127.0.0.1", () => {
  console.log(`The market is at http://localhost:${(server.address() as AddressInfo).port}/market`)
})
