import { makeSend } from "@agent-marketplace/client/requests/makeSend"
import { queryOptions } from "@tanstack/react-query"
import { connection } from "../market.ts"

/** Whether this server offers a demonstration (CONSOLE-53). Others have none of its routes. */
export const offersDemonstration = "demonstration" in document.body.dataset

/** Making and removing the shop wait for the simulated chain, which takes some seconds. */
const send = makeSend({ ...connection, agentId: undefined, timeout: 180_000, maxRetries: 0 })

export interface DemonstrationState {
  readonly present: boolean
  /** The account of its owner; null without a demonstration. */
  readonly owner: string | null
}

export const demonstrationQuery = queryOptions({
  queryKey: ["demonstration"],
  queryFn: () => send({ method: "GET", path: "/demonstration", options: {} }) as Promise<DemonstrationState>,
  staleTime: 60_000
})

/** Makes the shop if it is not there, and signs in as its owner. The secret works once. */
export const openDemonstration = (secret: string): Promise<unknown> =>
  send({ method: "POST", path: "/demonstration", body: { secret }, options: {} })

export const removeDemonstration = (): Promise<unknown> =>
  send({ method: "POST", path: "/demonstration/remove", body: {}, options: {} })
