import { DisplayName } from "../activity/DisplayName.ts"
import type { Timestamp } from "../clock/Timestamp.ts"
import { Timestamp as Time } from "../clock/Timestamp.ts"
import { Text } from "../text/Text.ts"
import type { Notice, NoticeFacts } from "./Notice.ts"
import type { NotificationKind } from "./NotificationKind.ts"
import { isUrgent } from "./NotificationKind.ts"

/** One entry of a message: a sentence on one line, and where to go. */
export interface MessageEntry {
  readonly text: string
  /** Always below the market's public URL (NOTIFY-8). */
  readonly url: string
  readonly at: Timestamp
}

/** A message to one channel. Every text is one line without control or invisible characters, links or addresses of others (NOTIFY-8). */
export interface Message {
  /** The same in every attempt (NOTIFY-6). */
  readonly id: string
  readonly title: string
  readonly entries: ReadonlyArray<MessageEntry>
  readonly urgent: boolean
  /** Where one press ends the messages of this channel; null for a confirmation. */
  readonly unsubscribeUrl: string | null
}

/** The maximum number of notices in one message; the rest follow in the next one. */
export const noticesPerMessage = 20

const nameLength = 60

const shown = (fallback: string) => {
  const safe = DisplayName.instead(fallback)
  return (name = ""): string => Text.clip(safe(name), nameLength)
}

const item = shown("an item")
const agent = shown("an agent")
const key = shown("an API key")

type Write = (facts: NoticeFacts) => string

const writes: Readonly<Record<NotificationKind, Write>> = {
  approval: ({ agentId, amount, name }) =>
    `${agentId === undefined ? "A purchase" : "An agent's purchase"} of ${item(name)} for ${amount} USDT waits for your approval`,
  limit: ({ agentId, limit, spent, window }) =>
    `${spent} of ${limit} USDT of ${agentId === undefined ? "your" : "an agent's"} ${window} limit are spent`,
  agent_frozen: ({ name }) => `The agent ${agent(name)} is frozen`,
  deposit: ({ amount }) => `A deposit of ${amount} USDT has arrived`,
  withdrawal: ({ amount, outcome, to }) =>
    `The withdrawal of ${amount} USDT to ${to} ${outcome === "completed" ? "is completed" : "has failed, and the amount was returned"}`,
  sale: ({ amount, name }) => `You sold ${item(name)} for ${amount} USDT`,
  review: ({ name, rating }) => `${item(name)} has a new review with ${rating} of 5 stars`,
  advisory: ({ action, advisoryId, itemId, severity }) =>
    `Advisory ${advisoryId} (${severity}) about ${itemId}${action === "remove" ? ": remove the item from your machines" : ""}`,
  key_rotation: ({ name }) => `The API key ${key(name)} is due for rotation`
}

/** The page of the console about each kind. */
const consolePages: Readonly<Record<NotificationKind, string>> = {
  approval: "",
  limit: "/limits",
  agent_frozen: "/agents",
  deposit: "/wallet",
  withdrawal: "/wallet",
  sale: "/sales",
  review: "/reviews",
  advisory: "/purchases",
  key_rotation: "/keys"
}

/** The public URLs of the market and of its web pages; `consoleUrl` is undefined if the market serves no pages. */
export interface MarketUrls {
  readonly baseUrl: string
  readonly consoleUrl?: string | undefined
}

const urlOf = ({ facts, kind }: Notice, { baseUrl, consoleUrl }: MarketUrls): string => {
  // This page works without scripts, and every market serves it.
  if (kind === "approval" && facts["approvalId"] !== undefined)
    return `${baseUrl}/approvals/${encodeURIComponent(facts["approvalId"])}`
  return consoleUrl === undefined ? baseUrl : `${consoleUrl}${consolePages[kind]}`
}

const entryOf = (notice: Notice, urls: MarketUrls): MessageEntry => ({
  text: writes[notice.kind](notice.facts),
  url: urlOf(notice, urls),
  at: notice.eventAt
})

const titleOf = ([first]: ReadonlyArray<MessageEntry>, count: number): string => {
  const text = first?.text ?? "Nothing new"
  return count > 1 ? `${text}, and ${count - 1} more` : text
}

/** The message about one or more notices: urgent ones first, then in the order in which they happened. Pure. */
export const messageOf = (
  id: string,
  notices: ReadonlyArray<Notice>,
  { unsubscribeUrl, ...urls }: MarketUrls & { readonly unsubscribeUrl: string }
): Message => {
  const sorted = notices.toSorted(
    (a, b) => Number(isUrgent(b.kind)) - Number(isUrgent(a.kind)) || a.eventAt - b.eventAt
  )
  const entries = sorted.map((notice) => entryOf(notice, urls))
  return {
    id,
    title: titleOf(entries, entries.length),
    entries,
    urgent: notices.some(({ kind }) => isUrgent(kind)),
    unsubscribeUrl
  }
}

/** The message with a confirmation code. Its text contains nothing that an account chose (NOTIFY-10). */
export const confirmationOf = (id: string, code: string, baseUrl: string, at: Timestamp): Message => ({
  id,
  title: "Confirm your e-mail address",
  entries: [
    {
      text: `The code is ${code}. It is valid for 30 minutes. If you did not ask for it, ignore this message`,
      url: baseUrl,
      at
    }
  ],
  urgent: true,
  unsubscribeUrl: null
})

export const testMessageOf = (id: string, baseUrl: string, unsubscribeUrl: string, at: Timestamp): Message => ({
  id,
  title: "This is a test of your notifications",
  entries: [{ text: "This channel works", url: baseUrl, at }],
  urgent: false,
  unsubscribeUrl
})

/** The message as plain text. */
export const plainTextOf = ({ entries, unsubscribeUrl }: Message): string =>
  [
    ...entries.flatMap(({ at, text, url }) => [
      `${text}.`,
      url,
      `${Time.toIso(at).slice(0, 16).replace("T", " ")} UTC`,
      ""
    ]),
    ...(unsubscribeUrl === null ? [] : ["To stop these messages:", unsubscribeUrl])
  ].join("\n")
