import type { LoggedEvent } from "@agent-marketplace/core/events/EventLog"
import type { EventData, EventType } from "@agent-marketplace/core/events/MarketEvent"
import type { AccountId } from "@agent-marketplace/core/ids/Ids"

export interface EventRow {
  readonly seq: bigint
  readonly type: string
  readonly at: Date
  readonly subject: string
  readonly accounts: ReadonlyArray<string>
  readonly data: EventData
}

export const eventColumns = "seq, type, at, subject, accounts, data"

/** The event's id: its number in the log, which no other event ever has. */
export const eventId = (seq: bigint): string => `evt_${seq.toString(32).padStart(13, "0")}`

export const eventOf = ({ accounts, at, data, seq, subject, type }: EventRow): LoggedEvent => ({
  id: eventId(seq),
  cursor: seq.toString(),
  type: type as EventType,
  at: at.getTime(),
  subject,
  accounts: accounts as ReadonlyArray<AccountId>,
  data
})
