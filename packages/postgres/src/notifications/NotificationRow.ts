import type { AccountId, ChannelId } from "@agent-marketplace/core/ids/Ids"
import type { Notice, NoticeFacts } from "@agent-marketplace/core/notifications/Notice"
import type { NotificationChannel } from "@agent-marketplace/core/notifications/NotificationChannel"
import { channelKinds, digests } from "@agent-marketplace/core/notifications/NotificationChannel"
import { isUrgent, notificationKinds } from "@agent-marketplace/core/notifications/NotificationKind"
import { column, recordColumns } from "../RecordColumns.ts"

export const channelColumns = recordColumns<NotificationChannel>({
  id: column.id<ChannelId>(),
  accountId: column.id<AccountId>(),
  kind: column.literals(channelKinds),
  label: column.text,
  target: column.text,
  enabled: column.flag,
  digest: column.literals(digests),
  verifiedAt: column.orNull(column.time),
  codeHash: column.orNull(column.text),
  codeExpiresAt: column.orNull(column.time),
  codeTries: column.integer,
  problem: column.orNull(column.text),
  tries: column.integer,
  retryAt: column.orNull(column.time),
  pacedUntil: column.time,
  lastSentAt: column.orNull(column.time),
  createdAt: column.time
})

export const channelColumnNames = Object.keys(channelColumns.columns)

export const noticeColumns = recordColumns<Notice>({
  id: column.text,
  channelId: column.id<ChannelId>(),
  kind: column.literals(notificationKinds),
  facts: column.json<NoticeFacts>(),
  eventAt: column.time,
  dueAt: column.time
})

export const noticeColumnNames = Object.keys(noticeColumns.columns)

const urgentKinds = notificationKinds
  .filter(isUrgent)
  .map((kind) => `'${kind}'`)
  .join(", ")

/** The order of the notices in a message. */
export const urgentFirst = `kind IN (${urgentKinds}) DESC, event_at, id COLLATE "C"`
