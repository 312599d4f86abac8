import type { AccountId, ChannelId } from "@agent-marketplace/core/ids/Ids"
import type { MarketTables, StoredNotice } from "../MarketTables.ts"

export const noticesOfChannel = (tables: MarketTables, id: ChannelId): ReadonlyArray<StoredNotice> =>
  [...tables.notices.values()].filter(({ notice }) => notice.channelId === id)

export const dropNotices = (tables: MarketTables, id: ChannelId): void => {
  for (const { notice } of noticesOfChannel(tables, id)) tables.notices.delete(notice.id)
}

export const dropChannel = (tables: MarketTables, id: ChannelId): boolean => {
  dropNotices(tables, id)
  return tables.channels.delete(id)
}

/** An erased account keeps no channels, notices, preferences or confirmations (NOTIFY-17). */
export const forgetNotifications = (tables: MarketTables, account: AccountId): void => {
  for (const { channel } of tables.channels.values()) {
    if (channel.accountId === account) dropChannel(tables, channel.id)
  }
  tables.notificationPreferences.delete(account)
  const kept = tables.confirmations.filter(({ accountId }) => accountId !== account)
  tables.confirmations.splice(0, tables.confirmations.length, ...kept)
}
