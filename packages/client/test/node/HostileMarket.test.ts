import { Marketplace } from "@agent-marketplace/client"
import { installSkill } from "@agent-marketplace/client/node/installSkill"
import type { Market } from "@agent-marketplace/client/node/Market"
import { once } from "node:events"
import { mkdtemp, readdir, rm } from "node:fs/promises"
import { createServer } from "node:http"
import type { RequestListener, Server } from "node:http"
import { tmpdir } from "node:os"
import { join } from "node:path"
import { afterEach, assert, beforeEach, describe, it } from "vitest"
import { makeKey, makeRelease, startReleaseMarket } from "./fixtures/releaseMarket.ts"

let installDir: string
let server: Server
let requests: Array<string>

beforeEach(async () => {
  installDir = await mkdtemp(join(tmpdir(), "hostile-"))
})
afterEach(async () => {
  server.closeAllConnections()
  server.close()
  await rm(installDir, { recursive: true })
})

const key = makeKey()
const { archive, release } = makeRelease("1.0.0", { "SKILL.md": "# Sorter" }, key)

/** Installs from a market whose downloads the listener answers. */
const installFrom = async (answer: RequestListener, seconds = 20) => {
  requests = []
  server = createServer((request, response) => {
    requests.push(request.url ?? "")
    answer(request, response)
  })
  server.listen(0, "127.0.0.1")
  await once(server, "listening")
  const address = server.address()
  const baseUrl = `http://127.0.0.1:${typeof address === "object" ? address?.port : 0}`
  const { releases } = new Marketplace({ apiKey: "amk_test", baseUrl, maxRetries: 0 })
  const state = startReleaseMarket(key)
  state.releases.set("1.0.0", { archive, release })
  state.onSale = "1.0.0"
  const market: Market = { ...state.market, releases: { ...state.market.releases, download: releases.download } }
  return installSkill(market, { skillId: "sorter", installDir, limits: { seconds } })
}

const refused = async (attempt: Promise<unknown>, reason: RegExp) => {
  const error = await attempt.then(
    () => assert.fail("it was installed"),
    (thrown: unknown) => thrown
  )
  assert.match(String(error), reason)
  assert.deepStrictEqual(await readdir(installDir), [])
}

describe("a download of a release from a hostile market (INSTALL-11)", () => {
  it("is installed if the market is honest", async () => {
    assert.strictEqual((await installFrom((_, response) => response.end(archive))).version, "1.0.0")
  })

  it("follows no redirect, to whatever scheme", async () => {
    const install = installFrom((_, response) => {
      response.writeHead(302, { location: "http://127.0.0.1:1/elsewhere" }).end()
    })
    await refused(install, /redirects to http:\/\/127\.0\.0\.1:1\/elsewhere/)
    assert.lengthOf(requests, 1)
  })

  it("ends once the body is larger than any release", async () => {
    let sent = 0
    const install = installFrom((_, response) => {
      const chunk = Buffer.alloc(1024 * 1024)
      const write = () => {
        sent += chunk.length
        response.write(chunk, (error) => (error instanceof Error ? undefined : write()))
      }
      write()
    })
    await refused(install, /more than 20971520 bytes/)
    assert.isBelow(sent, 64 * 1024 * 1024)
  })

  it("ends at the time limit if the market sends nothing more", async () => {
    const install = installFrom((_, response) => {
      response.writeHead(200)
      response.write(archive.subarray(0, 10))
    }, 1)
    await refused(install, /took more than 1 seconds|no response within 1000 ms/)
  })

  it("is refused if it is cut off, empty, followed by more, or not an archive", async () => {
    for (const body of [
      archive.subarray(0, -1),
      Buffer.alloc(0),
      Buffer.concat([archive, archive]),
      Buffer.from("{}")
    ]) {
      await refused(
        installFrom((_, response) => response.end(body)),
        /about other bytes/
      )
      server.closeAllConnections()
      server.close()
    }
  })
})
