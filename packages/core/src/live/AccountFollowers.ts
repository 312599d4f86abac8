import type { EventReader, LoggedEvent } from "../events/EventLog.ts"
import { isWanted } from "../events/EventLog.ts"
import type { AccountId } from "../ids/Ids.ts"
import type { Follower } from "./Follower.ts"
import type { LiveMessage } from "./LiveMessage.ts"

/** The followers of events, by account. */
export interface AccountFollowers {
  readonly add: (follower: Follower, reader: EventReader) => void
  readonly remove: (follower: Follower, reader: EventReader) => void
  readonly accounts: () => ReadonlyArray<AccountId>
  /** Sends the event to each follower that receives it. `users` are the accounts of its audience. */
  readonly deliver: (event: LoggedEvent, users: ReadonlyArray<AccountId>, message: () => LiveMessage) => void
}

export const makeAccountFollowers = (): AccountFollowers => {
  const byAccount = new Map<AccountId, Map<Follower, EventReader>>()

  return {
    add: (follower, reader) => {
      const known = byAccount.get(reader.accountId)
      if (known === undefined) byAccount.set(reader.accountId, new Map([[follower, reader]]))
      else known.set(follower, reader)
    },
    remove: (follower, { accountId }) => {
      const known = byAccount.get(accountId)
      known?.delete(follower)
      if (known?.size === 0) byAccount.delete(accountId)
    },
    accounts: () => [...byAccount.keys()],
    deliver: (event, users, message) => {
      const receiving = event.audience === "everyone" ? [...byAccount.keys()] : new Set([...event.accounts, ...users])
      let made: LiveMessage | undefined
      for (const account of receiving) {
        for (const [follower, reader] of byAccount.get(account) ?? []) {
          if (isWanted(reader, event)) follower.push((made ??= message()))
        }
      }
    }
  }
}
