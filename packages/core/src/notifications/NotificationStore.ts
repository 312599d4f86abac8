import type { Option, Result } from "effect"
import { Context } from "effect"
import type { Timestamp } from "../clock/Timestamp.ts"
import type { AccountFrozen, Conflict } from "../errors/MarketError.ts"
import type { StoreEffect } from "../errors/StoreEffect.ts"
import type { LoggedEvent } from "../events/EventLog.ts"
import type { AccountId, ChannelId } from "../ids/Ids.ts"
import type { Page, PageRequest } from "../paging/Page.ts"
import type { Listener, Notice } from "./Notice.ts"
import type { NotificationChannel } from "./NotificationChannel.ts"
import type { NotificationPreferences } from "./NotificationKind.ts"
import type { AfterSend } from "./SendRule.ts"

/** The notices of an event for the accounts that it concerns. Pure. */
export type NoticeFanOut = (event: LoggedEvent, listeners: ReadonlyArray<Listener>) => ReadonlyArray<Notice>

/** A confirmation code that is about to be sent. */
export interface Confirmation {
  readonly accountId: AccountId
  /** The keyed hash of the address, so that accounts that name the same address share its limit. */
  readonly targetHash: string
  readonly at: Timestamp
}

export interface MessageClaimRequest {
  readonly now: Timestamp
  /** The maximum number of channels. */
  readonly limit: number
  /** The maximum number of channels of one account that are claimed at the same time, by all workers together. */
  readonly perAccount: number
  /** The maximum number of notices in one message. */
  readonly perMessage: number
  /** How long a claim is valid, in real time. */
  readonly leaseSeconds: number
}

/** A message that one worker may send now. */
export interface ClaimedMessage {
  /** The id of its first notice: the same whenever this message is claimed again. */
  readonly id: string
  readonly claim: string
  readonly channel: NotificationChannel
  /** At least one. The same ones whenever this message is claimed again. */
  readonly notices: ReadonlyArray<Notice>
}

/**
 * Channels, preferences, and the notices that wait to be sent.
 *
 * Contract: each method is one transaction. Rules are pure, and their result is written in the transaction in which the record was read.
 * Notices exist only for channels that are open: a change that closes a channel, and its removal, also delete its notices. Erasing an
 * account removes all of it.
 */
export class NotificationStore extends Context.Service<
  NotificationStore,
  {
    /**
     * The channel receives events that are appended from now on. Fails with Conflict `channel_limit` above `channelLimit`, and as `confirm`
     * does if there is a confirmation.
     */
    readonly create: (
      channel: NotificationChannel,
      confirmation: Confirmation | null
    ) => StoreEffect<void, AccountFrozen | Conflict>
    /** Newest first. */
    readonly list: (account: AccountId, page: PageRequest) => StoreEffect<Page<NotificationChannel>>
    readonly find: (id: ChannelId) => StoreEffect<Option.Option<NotificationChannel>>
    /** A shorter digest also applies to notices that wait already. None if there is no such channel. */
    readonly update: <E>(
      id: ChannelId,
      now: Timestamp,
      rule: (channel: NotificationChannel) => Result.Result<NotificationChannel, E>
    ) => StoreEffect<Option.Option<NotificationChannel>, E>
    /** Counts a confirmation. Fails with Conflict `confirmation_limit` above `confirmationLimits`, counted over 24 hours. */
    readonly confirm: (confirmation: Confirmation) => StoreEffect<void, AccountFrozen | Conflict>
    /** False if there is no such channel. */
    readonly remove: (id: ChannelId) => StoreEffect<boolean>

    /** None if the account has set none. */
    readonly preferences: (account: AccountId) => StoreEffect<Option.Option<NotificationPreferences>>
    readonly setPreferences: (
      account: AccountId,
      preferences: NotificationPreferences
    ) => StoreEffect<void, AccountFrozen>

    /**
     * Takes the next events of the log, at most `limit`, and creates the notices that `fanOut` returns for them and the channels that the
     * accounts of each event had when it was appended. The reader's cursor moves in the same transaction, so each event is fanned out exactly
     * once (the order and the guarantee of `EventLog.read`). Returns the number of events taken; fewer than `limit` means that there are no more.
     */
    readonly dispatch: (limit: number, fanOut: NoticeFanOut) => StoreEffect<number>
    /**
     * Claims one message of each of up to `limit` channels that have due notices, are not claimed, whose retry is due and that have room
     * (`hasRoom`); the longest due first, and at most `perAccount` of one account. Urgent notices come first in a message. A message whose attempt failed, or whose claim expired, is
     * claimed with the same id and notices. Two concurrent calls never claim the same channel.
     */
    readonly claim: (request: MessageClaimRequest) => StoreEffect<ReadonlyArray<ClaimedMessage>>
    /**
     * Applies the rule to the channel, and deletes the message's notices if it is finished. The claim ends. False, without a change, if the
     * claim has ended before or the channel was removed.
     */
    readonly settle: (
      message: Pick<ClaimedMessage, "claim" | "channel">,
      now: Timestamp,
      rule: (channel: NotificationChannel) => AfterSend
    ) => StoreEffect<boolean>
  }
>()("@agent-marketplace/core/notifications/NotificationStore") {}
