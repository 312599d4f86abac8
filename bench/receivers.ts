/** Ten receivers in a process of their own: each reads the body and responds with 200 and a few bytes. The process sends its ports to the parent. */
import { createServer } from "node:http"
import type { AddressInfo } from "node:net"

const count = Number(process.argv[2] ?? 10)
let received = 0

const start = () =>
  new Promise<number>((resolve) => {
    const server = createServer({ keepAliveTimeout: 60_000 }, (request, response) => {
      request.resume()
      request.on("end", () => {
        received += 1
        response.end("ok")
      })
    })
    server.listen(0, "127.0.0.1", () => resolve((server.address() as AddressInfo).port))
  })

const ports = await Promise.all(Array.from({ length: count }, start))
process.on("message", () => process.send?.({ received }))
process.on("disconnect", () => process.exit())
process.send?.({ ports })
