import type { ChannelInput, NotificationChannel } from "@agent-marketplace/client/wire/Endpoints"

export type Kind = NotificationChannel["kind"]

type FieldName = "address" | "url" | "chatId"

/** The kinds that are added in a form, with their fields. A browser adds itself. */
export const kinds: Readonly<
  Record<
    Exclude<Kind, "push">,
    {
      readonly title: string
      readonly fields: ReadonlyArray<{
        readonly name: FieldName
        readonly label: string
        readonly hint: string
        readonly type: "email" | "url" | "text"
      }>
    }
  >
> = {
  email: {
    title: "E-mail",
    fields: [{ name: "address", label: "E-mail address", hint: "It gets a code, which you enter here.", type: "email" }]
  },
  slack: {
    title: "Slack",
    fields: [
      {
        name: "url",
        label: "Webhook address",
        hint: "Make an incoming webhook in Slack and copy its address.",
        type: "url"
      }
    ]
  },
  discord: {
    title: "Discord",
    fields: [
      {
        name: "url",
        label: "Webhook address",
        hint: "In Discord: settings of the channel, Integrations, Webhooks.",
        type: "url"
      }
    ]
  },
  telegram: {
    title: "Telegram",
    fields: [
      {
        name: "url",
        label: "Address of the bot",
        hint: "https://api.telegram.org/bot<token>/sendMessage, with the token of your bot.",
        type: "url"
      },
      { name: "chatId", label: "Chat", hint: "The number of the chat, or @ and the name of a channel.", type: "text" }
    ]
  }
}

export const titleOf = (kind: Kind): string => (kind === "push" ? "Browser" : kinds[kind].title)

const dailyHour = new Date("2026-01-01T08:00:00Z").toLocaleTimeString(undefined, { timeStyle: "short" })

/** When the notifications that are not urgent are sent. The daily time is 8:00 UTC, shown in the reader's zone (NOTIFY-7). */
export const digests: ReadonlyArray<readonly [NonNullable<ChannelInput["digest"]>, string]> = [
  ["none", "Each at once"],
  ["hourly", "Together, every full hour"],
  ["daily", `Together, every day at ${dailyHour}`]
]
