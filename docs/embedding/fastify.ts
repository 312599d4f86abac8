// The market inside a Fastify application. In a separate scope without parsers Fastify does not read bodies: the market reads them and limits their size.
import { createMarketplace } from "@agent-marketplace/embed"
import { memoryStorage } from "@agent-marketplace/embed/storage/memoryStorage"
import Fastify from "fastify"

const market = await createMarketplace({ storage: memoryStorage(), baseUrl: "http://localhost:3000/market" })

const app = Fastify()
app.get("/", () => "The rest of the site\n")
app.register((scope, _options, done) => {
  scope.removeAllContentTypeParsers()
  scope.addContentTypeParser("*", (_request, _body, parsed) => parsed(null))
  scope.all("/market/*", (request, reply) => {
    reply.hijack()
    market.node(request.raw, reply.raw)
  })
  done()
})
app.addHook("onClose", market.close)

const address = new URL(await app.listen({ host: "127.0.0.1", port: Number(process.env["PORT"] ?? 3000) }))
console.log(`The market is at http://localhost:${address.port}/market`)
