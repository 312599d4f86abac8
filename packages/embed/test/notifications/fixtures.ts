import { startMailServer } from "@agent-marketplace/fixtures/notifications/startMailServer"
import type { MailReply, ReceivedMail } from "@agent-marketplace/fixtures/notifications/startMailServer"
import { assert } from "vitest"
import type { EmbeddedMarket } from "../../src/EmbeddedMarket.ts"
import type { MarketplaceOptions } from "../../src/options/MarketplaceOptions.ts"
import { withMarket } from "../fixtures/market.ts"

export const baseUrl = "http://localhost:3000"

type Mails = Awaited<ReturnType<typeof startMailServer>>

/** A market that sends e-mail to a server of its own. */
export const withMail = async (
  work: (market: EmbeddedMarket, mails: Mails) => Promise<void>,
  reply?: MailReply,
  options: Partial<MarketplaceOptions> = {}
): Promise<void> => {
  const mails = await startMailServer(reply)
  const notifications = { smtpUrl: mails.url, smtpFrom: "Market <market@shop.example>" }
  try {
    await withMarket((market) => work(market, mails), { notifications, baseUrl, ...options })
  } finally {
    await mails.close()
  }
}

type Client = ReturnType<EmbeddedMarket["as"]>

export const codeIn = ({ text }: ReceivedMail): string =>
  /code is ([0-9a-z]{8})\./.exec(text)?.[1] ?? assert.fail(`no code in ${text}`)

/** A confirmed e-mail channel. */
export const emailChannel = async (
  client: Client,
  mails: Mails,
  address = "ada@ada.dev",
  digest: "none" | "hourly" | "daily" = "none"
) => {
  const { id } = await client.notifications.channels.add({ kind: "email", address, digest })
  await client.notifications.channels.verify(id, { code: codeIn(mails.received.at(-1) ?? assert.fail("no mail")) })
  return id
}
