import type { DomainCheck } from "@agent-marketplace/core/domains/Domain"
import { DomainProofs } from "@agent-marketplace/core/domains/DomainProofs"
import { NodeDomainProofs } from "@agent-marketplace/delivery/NodeDomainProofs"
import type { ReceiverAgents } from "@agent-marketplace/delivery/ReceiverAgents"
import { makeReceiverAgents } from "@agent-marketplace/delivery/ReceiverAgents"
import { TestAuthority } from "@agent-marketplace/fixtures/tls/TestAuthority"
import { Effect } from "effect"
import type { RequestListener } from "node:http"
import type { Agent, AgentOptions, Server } from "node:https"
import { createServer } from "node:https"
import type { AddressInfo, LookupFunction } from "node:net"
import { afterAll, afterEach, assert, beforeAll, beforeEach, describe, it } from "vitest"

const domain = "ada.dev"
const publicAddress = "93.184.215.14"
const path = "/.well-known/agent-marketplace.txt"
const token = "amv_0123456789abcdefghjkmnpqrstvwxyz"

const authority = new TestAuthority()

interface Asked {
  readonly host: string | undefined
  readonly path: string | undefined
  readonly method: string | undefined
}

describe("the file that proves a domain, over HTTPS (DOMAIN-3)", () => {
  const servers: Array<Server> = []
  let asked: Array<Asked> = []
  let connectedTo: Array<string> = []
  let answer: RequestListener
  let port = 0

  const listen = async (host: string, issuer = authority): Promise<number> => {
    const server = createServer(issuer.issue("server", { host }), (request, response) => {
      asked.push({ host: request.headers.host, path: request.url, method: request.method })
      answer(request, response)
    })
    servers.push(server)
    await new Promise<void>((resolve) => server.listen(0, "127.0.0.1", resolve))
    return (server.address() as AddressInfo).port
  }

  beforeAll(async () => {
    port = await listen(domain)
  })
  afterAll(() => {
    for (const server of servers) {
      server.closeAllConnections()
      server.close()
    }
  })
  beforeEach(() => {
    connectedTo = []
    asked = []
    answer = (_, response) => response.end(token)
  })
  afterEach(() => assert.isTrue(connectedTo.every((address) => address === publicAddress)))

  /** The agents that the guard makes. A connection to an address that the guard accepted leads to the port on this machine. */
  const agentsTo = (to: number): typeof makeReceiverAgents => {
    return (options): ReceiverAgents => {
      const agents = makeReceiverAgents({ ...options, ca: authority.cert })
      const agent = agents.agentFor(new URL(`https://${domain}`)) as Agent
      const connect = agent.createConnection.bind(agent)
      agent.createConnection = (given: AgentOptions & { readonly lookup?: LookupFunction }, done) => {
        const guarded = given.lookup ?? assert.fail("the agent has no guard")
        const lookup: LookupFunction = (name, wish, found) =>
          guarded(name, { ...wish, all: false }, (error, address) => {
            if (error !== null) return found(error, [])
            connectedTo.push(String(address))
            if (wish.all === true) found(null, [{ address: "127.0.0.1", family: 4 }])
            else found(null, "127.0.0.1", 4)
          })
        return connect({ ...given, lookup, port: to } as never, done)
      }
      return agents
    }
  }

  const none = (): Promise<never> => Promise.reject(Object.assign(new Error("no data"), { code: "ENODATA" }))

  const check = (options: { readonly to?: number; readonly address?: string } = {}): Promise<DomainCheck> =>
    Effect.runPromise(
      Effect.flatMap(DomainProofs, (proofs) => proofs.check(domain, token)).pipe(
        Effect.provide(
          NodeDomainProofs.layer({
            access: "public",
            resolve: () => Promise.resolve([options.address ?? publicAddress]),
            resolveText: none,
            makeAgents: agentsTo(options.to ?? port)
          })
        )
      )
    )

  const assertUnproven = async (tag: "Absent" | "Unreachable", reason: string, to = port): Promise<void> => {
    const found = await check({ to })
    assert.strictEqual(found._tag, tag, JSON.stringify(found))
    assert.include(found._tag === "Proved" ? "" : found.reason, reason)
    assert.notInclude(JSON.stringify(found), "127.0.0.1")
  }

  it.each([
    ["alone", token],
    ["with a label", `agent-marketplace=${token}`],
    ["in a line of its own", `# who sells here\r\n  ${token}  \r\nother=1\n`]
  ])("proves it with the token %s, from the accepted address", async (_, text) => {
    answer = (_request, response) => response.writeHead(200, { "content-type": "text/html" }).end(text)
    assert.deepStrictEqual(await check(), { _tag: "Proved" })
    assert.deepStrictEqual(asked, [{ host: domain, path, method: "GET" }])
    assert.deepStrictEqual(connectedTo, [publicAddress])
  })

  it("proves nothing with another token, a part of one or an empty file", async () => {
    for (const text of ["", "amv_other", token.slice(1), `${token}0`, `see ${token}`]) {
      answer = (_, response) => response.end(text)
      await assertUnproven("Absent", `https://${domain}${path} does not have the token`)
    }
  })

  it("is not searched behind a redirect", async () => {
    answer = (request, response) =>
      request.url === path
        ? response.writeHead(302, { location: `https://${domain}/elsewhere` }).end(token)
        : response.end(token)
    await assertUnproven("Unreachable", "was answered with the status 302")
    assert.lengthOf(asked, 1)
  })

  it("is read up to 8 KiB", async () => {
    answer = (_, response) => response.end(`${"#".repeat(8192 - token.length - 1)}\n${token}`)
    assert.deepStrictEqual(await check(), { _tag: "Proved" })
    answer = (_, response) => response.end(`${token}\n${"#".repeat(8192)}`)
    await assertUnproven("Unreachable", "is larger than 8192 bytes")
  })

  it("is not read from a server whose certificate is for another name or from an unknown authority", async () => {
    for (const to of [await listen("eve.dev"), await listen(domain, new TestAuthority("unknown"))]) {
      await assertUnproven("Unreachable", `https://${domain}${path} cannot be read`, to)
    }
    assert.isEmpty(asked)
  })

  it("is not requested from a private address", async () => {
    for (const address of ["127.0.0.1", "10.0.0.1", "::1"]) {
      const found = await check({ address })
      assert.strictEqual(found._tag, "Unreachable")
    }
    assert.isEmpty(asked)
    assert.isEmpty(connectedTo)
  })
})
