import { Agent as HttpAgent } from "node:http"
import { Agent as HttpsAgent } from "node:https"
import type { NameResolver } from "./NameResolver.ts"
import type { TargetAccess } from "./ReceiverAddressRules.ts"
import { faultOfTarget, publicLookup, TargetRefused } from "./ReceiverAddressRules.ts"

export interface ReceiverAgentOptions {
  readonly access: TargetAccess
  readonly resolve: NameResolver
  /** Certificate authorities (PEM) to trust instead of the system's. */
  readonly ca?: string | undefined
}

/** The connections to receivers, kept alive between deliveries. */
export interface ReceiverAgents {
  /** The agent for a URL. Throws `TargetRefused` for a URL that is refused whatever its name resolves to. */
  readonly agentFor: (url: URL) => HttpAgent | HttpsAgent
  readonly close: () => void
}

/** Idle connections kept for each receiver. */
const idleConnections = 64

/** How long an idle connection is kept, in milliseconds. */
const idleMillis = 30_000

export const makeReceiverAgents = ({ access, ca, resolve }: ReceiverAgentOptions): ReceiverAgents => {
  const options = {
    keepAlive: true,
    maxFreeSockets: idleConnections,
    timeout: idleMillis,
    ...(access === "any" ? {} : { lookup: publicLookup(resolve, access) })
  }
  const plain = new HttpAgent(options)
  const secure = new HttpsAgent({ ...options, ...(ca === undefined ? {} : { ca }) })
  return {
    agentFor: (url) => {
      const fault = faultOfTarget(url.href, access)
      if (fault !== undefined) throw new TargetRefused(fault)
      return url.protocol === "http:" ? plain : secure
    },
    close: () => {
      plain.destroy()
      secure.destroy()
    }
  }
}
