import type { ClaimedDelivery } from "./Delivery.ts"
import type { SendLimits } from "./SendLimits.ts"
import { hostOf } from "./Webhook.ts"

interface Lane {
  readonly host: string
  readonly waiting: Array<ClaimedDelivery>
  active: number
}

/** The deliveries that a worker has claimed, in one queue for each subscription, so that none waits for another (DELIVERY-13). */
export interface SendLanes {
  readonly add: (claimed: ClaimedDelivery) => void
  /** The deliveries that may be sent now, one from each queue in turn. Each counts as in flight until `done`. */
  readonly next: () => ReadonlyArray<ClaimedDelivery>
  readonly done: (claimed: ClaimedDelivery) => void
  /** Removes and returns the queued deliveries of the same subscription. */
  readonly empty: (behind: ClaimedDelivery) => ReadonlyArray<ClaimedDelivery>
  readonly waiting: () => number
  readonly sending: () => number
}

export const makeSendLanes = (limits: SendLimits): SendLanes => {
  const lanes = new Map<string, Lane>()
  const hosts = new Map<string, number>()
  let waiting = 0
  let sending = 0

  const laneOf = ({ webhook }: ClaimedDelivery): Lane => {
    const known = lanes.get(webhook.id)
    if (known !== undefined) return known
    const made: Lane = { host: hostOf(webhook.url), waiting: [], active: 0 }
    lanes.set(webhook.id, made)
    return made
  }

  /** The first delivery of the queue, if its limits allow it. */
  const take = (lane: Lane): ClaimedDelivery | undefined => {
    const atHost = hosts.get(lane.host) ?? 0
    if (sending >= limits.sends || lane.active >= limits.sendsPerWebhook || atHost >= limits.sendsPerHost) return
    const first = lane.waiting.shift()
    if (first === undefined) return
    lane.active++
    hosts.set(lane.host, atHost + 1)
    sending++
    waiting--
    return first
  }

  const forget = (id: string, lane: Lane): void => {
    if (lane.active === 0 && lane.waiting.length === 0) lanes.delete(id)
  }

  return {
    add: (claimed) => {
      laneOf(claimed).waiting.push(claimed)
      waiting++
    },
    next: () => {
      const taken: Array<ClaimedDelivery> = []
      for (let before = -1; before !== taken.length;) {
        before = taken.length
        for (const lane of lanes.values()) {
          const first = take(lane)
          if (first !== undefined) taken.push(first)
        }
      }
      return taken
    },
    done: (claimed) => {
      const lane = laneOf(claimed)
      lane.active--
      sending--
      const atHost = (hosts.get(lane.host) ?? 1) - 1
      if (atHost > 0) hosts.set(lane.host, atHost)
      else hosts.delete(lane.host)
      forget(claimed.webhook.id, lane)
    },
    empty: (behind) => {
      const lane = laneOf(behind)
      const taken = lane.waiting.splice(0)
      waiting -= taken.length
      forget(behind.webhook.id, lane)
      return taken
    },
    waiting: () => waiting,
    sending: () => sending
  }
}
