import type { FeedItem } from "../activity/ActivityFeed.ts"
import { bufferSize } from "./Follower.ts"
import type { LiveMessage, LivePage } from "./LiveMessage.ts"

/** The newest items of the feed, from which its readers continue. Their ids reveal nothing about the log (FEED-15). */
export interface ActivityRing {
  /** The position of the newest item. */
  readonly position: () => number
  /** Appends an item unless the ring has it; returns its message. */
  readonly append: (item: FeedItem) => LiveMessage | undefined
  /** The position of the item with this id; undefined if the ring does not have it. */
  readonly find: (id: string) => number | undefined
  readonly read: (after: number) => LivePage
  readonly clear: () => void
}

export const makeActivityRing = (): ActivityRing => {
  let messages: Array<LiveMessage> = []
  let ids = new Map<string, number>()
  let position = 0

  return {
    position: () => position,
    append: ({ id, json }) => {
      if (ids.has(id)) return undefined
      position++
      const message = { id, position, event: "activity", data: json }
      messages.push(message)
      ids.set(id, position)
      if (messages.length > bufferSize) {
        ids.delete(messages.shift()?.id ?? "")
      }
      return message
    },
    find: (id) => ids.get(id),
    read: (start) => ({ messages: messages.filter((message) => Number(message.position) > start), position }),
    clear: () => {
      messages = []
      ids = new Map()
    }
  }
}
