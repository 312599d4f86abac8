import { Effect, Redacted } from "effect"
import { Mac } from "effect/crypto"
import { Hex } from "effect/encoding"
import { MarketConfig } from "../config/MarketConfig.ts"
import type { ChannelId } from "../ids/Ids.ts"

const encoder = new TextEncoder()

const tokenForm = /^(nch_[0-9a-z]{9,64})\.([0-9a-f]{64})$/

/** Mail to `name+tag` arrives in the mailbox of `name`. */
const mailboxOf = (address: string): string => address.toLowerCase().replace(/\+[^@]*@/, "@")

/** Keyed hashes of codes and addresses, and the tokens of unsubscribe links. The same in every process of a market. */
export interface ChannelSecrets {
  /** Codes are not distinguished by case, as people type them. */
  readonly codeHash: (id: ChannelId, code: string) => Effect.Effect<string>
  /** The same for all addresses of one mailbox: in any case, with or without a tag (`name+tag@example.org`). */
  readonly addressHash: (address: string) => Effect.Effect<string>
  readonly unsubscribeToken: (id: ChannelId) => Effect.Effect<string>
  /** The channel of a token; undefined if the market did not issue it. */
  readonly channelOf: (token: string) => Effect.Effect<ChannelId | undefined>
}

export const makeChannelSecrets: Effect.Effect<ChannelSecrets, never, Mac.Mac | MarketConfig> = Effect.gen(
  function* () {
    const mac = yield* Mac.Mac
    const { secret } = yield* MarketConfig
    const key = yield* Effect.orDie(Mac.key(Mac.hmacSha256, encoder.encode(Redacted.value(secret))))
    const bytesOf = (purpose: string, text: string) => encoder.encode(`notifications/${purpose}/${text}`)
    const hash = (purpose: string, text: string) =>
      Effect.map(Effect.orDie(mac.sign(key, bytesOf(purpose, text))), Hex.encode)
    return {
      codeHash: (id, code) => hash("code", `${id}/${code.trim().toLowerCase()}`),
      addressHash: (address) => hash("address", mailboxOf(address)),
      unsubscribeToken: (id) => Effect.map(hash("unsubscribe", id), (tag) => `${id}.${tag}`),
      channelOf: Effect.fnUntraced(function* (token) {
        const [, id, tag] = tokenForm.exec(token) ?? []
        if (id === undefined || tag === undefined) return undefined
        const bytes = Uint8Array.from(tag.match(/../g) ?? [], (pair) => Number.parseInt(pair, 16))
        const valid = yield* Effect.orDie(mac.verify(key, bytes, bytesOf("unsubscribe", id)))
        return valid ? (id as ChannelId) : undefined
      })
    }
  }
)

/** Where one press ends the messages of a channel (NOTIFY-11). */
export const unsubscribeUrl = (baseUrl: string, token: string): string =>
  `${baseUrl}/notifications/unsubscribe?token=${token}`
