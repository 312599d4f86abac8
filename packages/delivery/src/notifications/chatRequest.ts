import type { Message } from "@agent-marketplace/core/notifications/Message"
import { plainTextOf } from "@agent-marketplace/core/notifications/Message"
import type { ChannelTarget } from "@agent-marketplace/core/notifications/NotificationChannel"
import { Text } from "@agent-marketplace/core/text/Text"

type ChatTarget = Extract<ChannelTarget, { readonly url: string }>

/** The limits of the services are 40,000 (Slack), 4,096 (Telegram) and 2,000 characters (Discord). */
const longest = 1900

/** Slack reads `<…>` as a link or a mention, and `&` as an entity. */
const forSlack = (text: string): string => text.replaceAll("&", "&amp;").replaceAll("<", "&lt;").replaceAll(">", "&gt;")

/** A line of `plainTextOf` that is a link of the market. Names of others cannot be one, because they contain no links (NOTIFY-8). */
const isLink = (line: string): boolean => /^https?:\/\/\S+$/.test(line)

/** Discord reads Markdown; links stay as they are. */
const forDiscord = (text: string): string =>
  text
    .split("\n")
    .map((line) => (isLink(line) ? line : line.replace(/[\\*_~`|<>[\]()#@:-]/g, "\\$&")))
    .join("\n")

/** The body that each service expects, with nothing that mentions people or previews links. */
export const chatBody = (target: ChatTarget, message: Message): string => {
  const text = Text.clip(plainTextOf(message), longest)
  switch (target.kind) {
    case "slack":
      return JSON.stringify({ text: forSlack(text), unfurl_links: false, unfurl_media: false })
    case "discord":
      return JSON.stringify({
        content: Text.clip(forDiscord(text), longest),
        allowed_mentions: { parse: [] },
        flags: 4
      })
    case "telegram":
      return JSON.stringify({ chat_id: target.chatId, text, link_preview_options: { is_disabled: true } })
  }
}
