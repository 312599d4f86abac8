import type { Brand } from "effect"
import { Clock, Effect } from "effect"
import { SecureRandom } from "effect/crypto"

export type AccountId = string & Brand.Brand<"AccountId">
export type AgentId = string & Brand.Brand<"AgentId">
export type KeyId = string & Brand.Brand<"KeyId">
export type SoulId = string & Brand.Brand<"SoulId">
export type ListingId = string & Brand.Brand<"ListingId">
/** The id of a purchasable item: a soul or a listing. */
export type ItemId = SoulId | ListingId
/** The id of a release of an item. */
export type ReleaseId = string & Brand.Brand<"ReleaseId">
/** The id of a picture of an item. */
export type ImageId = string & Brand.Brand<"ImageId">
export type ReviewId = string & Brand.Brand<"ReviewId">
export type PurchaseId = string & Brand.Brand<"PurchaseId">
export type ApprovalId = string & Brand.Brand<"ApprovalId">
export type SubscriptionId = string & Brand.Brand<"SubscriptionId">
export type RenewalId = string & Brand.Brand<"RenewalId">
/** The id of a deposit that screening held. */
export type HeldDepositId = string & Brand.Brand<"HeldDepositId">
/** The id of a creator's appeal of a decision. */
export type AppealId = string & Brand.Brand<"AppealId">
/** The id of an account's report of an item. */
export type ReportId = string & Brand.Brand<"ReportId">
export type WithdrawalId = string & Brand.Brand<"WithdrawalId">
export type ForeignAssetId = string & Brand.Brand<"ForeignAssetId">
/** Of an entry in an address book. */
export type AddressId = string & Brand.Brand<"AddressId">
export type WebhookId = string & Brand.Brand<"WebhookId">
/** `adv_…`; later advisories have greater ids. */
export type AdvisoryId = string & Brand.Brand<"AdvisoryId">
export type RevocationId = string & Brand.Brand<"RevocationId">
export type OauthRequestId = string & Brand.Brand<"OauthRequestId">
export type GrantId = string & Brand.Brand<"GrantId">
export type ActionId = string & Brand.Brand<"ActionId">
export type PasskeyId = string & Brand.Brand<"PasskeyId">
export type SessionId = string & Brand.Brand<"SessionId">
/** The id of a channel on which an account is notified. */
export type ChannelId = string & Brand.Brand<"ChannelId">
export type DeliveryId = string & Brand.Brand<"DeliveryId">

const alphabet = "0123456789abcdefghjkmnpqrstvwxyz"

const prefixes = {
  account: "usr_",
  agent: "agt_",
  key: "key_",
  soul: "soul_",
  listing: "lst_",
  release: "rel_",
  image: "img_",
  review: "rev_",
  purchase: "pur_",
  approval: "apr_",
  subscription: "sub_",
  renewal: "ren_",
  appeal: "apl_",
  report: "rpt_",
  heldDeposit: "dep_",
  withdrawal: "wdr_",
  foreignAsset: "fas_",
  address: "adr_",
  webhook: "whk_",
  action: "act_",
  session: "ses_",
  oauthClient: "oac_",
  oauthRequest: "oar_",
  grant: "ogr_",
  passkey: "psk_",
  revocation: "rvk_",
  channel: "nch_"
} as const

interface IdOf {
  readonly account: AccountId
  readonly agent: AgentId
  readonly key: KeyId
  readonly soul: SoulId
  readonly listing: ListingId
  readonly release: ReleaseId
  readonly image: ImageId
  readonly review: ReviewId
  readonly purchase: PurchaseId
  readonly approval: ApprovalId
  readonly subscription: SubscriptionId
  readonly renewal: RenewalId
  readonly appeal: AppealId
  readonly report: ReportId
  readonly heldDeposit: HeldDepositId
  readonly withdrawal: WithdrawalId
  readonly foreignAsset: ForeignAssetId
  readonly address: AddressId
  readonly webhook: WebhookId
  readonly action: ActionId
  readonly session: SessionId
  readonly oauthClient: string
  readonly oauthRequest: OauthRequestId
  readonly grant: GrantId
  readonly passkey: PasskeyId
  readonly revocation: RevocationId
  readonly channel: ChannelId
}

const timePart = (millis: number): string => {
  let rest = millis
  let text = ""
  for (let i = 0; i < 9; i++) {
    text = alphabet.charAt(rest % 32) + text
    rest = Math.floor(rest / 32)
  }
  return text
}

const text = (bytes: Uint8Array): string => {
  let out = ""
  for (const byte of bytes) out += alphabet.charAt(byte & 31)
  return out
}

/** The number of random bytes drawn in one system call, which costs about the same for many bytes as for few. */
const drawn = 1024

/** Serves random bytes from a buffer, each byte once. Used bytes are not kept. */
const fromSupply = (randomBytes: SecureRandom.SecureRandom["Service"]["randomBytes"]) => {
  let supply = new Uint8Array(0)
  let given = 0
  const take = (length: number): Uint8Array => {
    const bytes = supply.slice(given, given + length)
    supply.fill(0, given, given + length)
    given += length
    return bytes
  }
  return (length: number): Effect.Effect<Uint8Array> =>
    Effect.suspend(() => {
      if (length > drawn) return randomBytes(length)
      if (given + length <= supply.length) return Effect.succeed(take(length))
      return Effect.map(randomBytes(drawn), (fresh) => {
        supply = Uint8Array.from(fresh)
        given = 0
        return take(length)
      })
    })
}

/** Makes ids and other random text. */
export interface IdGenerator {
  readonly make: <K extends keyof IdOf>(kind: K) => Effect.Effect<IdOf[K]>
  /** Random characters `0`-`9`, `a`-`z`, five bits each. */
  readonly random: (length: number) => Effect.Effect<string>
  readonly bytes: (length: number) => Effect.Effect<Uint8Array>
}

/**
 * An id is a prefix, nine characters of time (so that new rows are adjacent in an index) and 80 random bits (so that ids cannot be guessed).
 */
export const idGenerator: Effect.Effect<IdGenerator, never, SecureRandom.SecureRandom> = Effect.map(
  SecureRandom.SecureRandom,
  ({ randomBytes }) => {
    const bytes = fromSupply(randomBytes)
    return {
      make: (kind) =>
        Effect.flatMap(Clock.currentTimeMillis, (now) =>
          Effect.map(bytes(16), (random) => (prefixes[kind] + timePart(now) + text(random)) as never)
        ),
      random: (length) => Effect.map(bytes(length), text),
      bytes
    }
  }
)
