import type { LoggedEvent } from "@agent-marketplace/core/events/EventLog"
import type { Audience, EventData, EventType } from "@agent-marketplace/core/events/MarketEvent"
import { causedBy } from "@agent-marketplace/core/events/MarketEvent"
import { Traceparent } from "@agent-marketplace/core/events/Traceparent"
import type { AccountId, AgentId } from "@agent-marketplace/core/ids/Ids"

export interface EventRow {
  readonly seq: bigint
  readonly type: string
  readonly at: Date
  readonly subject: string
  readonly accounts: ReadonlyArray<string>
  readonly audience: string | null
  readonly agent_id: string | null
  readonly data: EventData
  readonly traceparent: string | null
}

export const eventColumns = "seq, type, at, subject, accounts, audience, agent_id, data, traceparent"

/** The event's id: its number in the log, which is never reused. */
export const eventId = (seq: bigint): string => `evt_${seq.toString(32).padStart(13, "0")}`

export const eventOf = ({
  accounts,
  agent_id,
  at,
  audience,
  data,
  seq,
  subject,
  traceparent,
  type
}: EventRow): LoggedEvent =>
  Traceparent.on(
    {
      id: eventId(seq),
      cursor: seq.toString(),
      type: type as EventType,
      at: at.getTime(),
      subject,
      accounts: accounts as ReadonlyArray<AccountId>,
      ...(audience === null ? {} : { audience: audience as Audience }),
      ...causedBy(agent_id as AgentId | null),
      data
    },
    traceparent ?? undefined
  )
