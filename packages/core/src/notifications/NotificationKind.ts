/** What an account can be notified of (NOTIFY-1). */
export const notificationKinds = [
  "approval",
  "limit",
  "agent_frozen",
  "deposit",
  "withdrawal",
  "sale",
  "review",
  "advisory",
  "key_rotation"
] as const

export type NotificationKind = (typeof notificationKinds)[number]

/** Whether an account is notified of each kind. */
export type NotificationPreferences = Readonly<Record<NotificationKind, boolean>>

/** The preferences of an account that has set none. */
export const defaultPreferences: NotificationPreferences = {
  approval: true,
  limit: true,
  agent_frozen: true,
  deposit: true,
  withdrawal: true,
  sale: true,
  review: true,
  advisory: true,
  key_rotation: true
}

/** A purchase waits for a person, so it is never delayed by a digest (NOTIFY-7). */
export const isUrgent = (kind: NotificationKind): boolean => kind === "approval"
