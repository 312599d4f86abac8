// The core alone in an Effect program: services over stores in memory, without HTTP and webhooks.
import { SimulatedChain } from "@agent-marketplace/core/chain/SimulatedChain"
import { MarketClock } from "@agent-marketplace/core/clock/MarketClock"
import { MarketConfig } from "@agent-marketplace/core/config/MarketConfig"
import { Conditions } from "@agent-marketplace/core/health/Conditions"
import { Identity } from "@agent-marketplace/core/identity/Identity"
import { Listings } from "@agent-marketplace/core/listings/Listings"
import { ExchangeRates } from "@agent-marketplace/core/money/ExchangeRates"
import { Usdt } from "@agent-marketplace/core/money/Usdt"
import { Purchases } from "@agent-marketplace/core/purchases/Purchases"
import { Screening } from "@agent-marketplace/core/screening/Screening"
import { Settlement } from "@agent-marketplace/core/settlement/Settlement"
import { DepositScanner } from "@agent-marketplace/core/wallets/DepositScanner"
import { Wallets } from "@agent-marketplace/core/wallets/Wallets"
import { MemoryStores } from "@agent-marketplace/memory/MemoryStores"
import { Console, Effect, Layer, Redacted } from "effect"
import { Digest, Mac, SecureRandom } from "effect/crypto"

const config = Layer.succeed(MarketConfig, {
  platformFeeBps: 500,
  withdrawalFee: Usdt.of(1_000_000n),
  withdrawalMinimum: Usdt.of(5_000_000n),
  withdrawalReviewAbove: null,
  coinRate: null,
  proceedsHoldDays: 7,
  refundCoverLimit: Usdt.of(1_000_000_000n),
  listingReview: "auto",
  soulContent: "open",
  baseUrl: "http://localhost:3000",
  secret: Redacted.make("at least thirty-two characters of your own")
})

const market = Layer.mergeAll(DepositScanner.layer, Listings.layer, Purchases.layer, Wallets.layer).pipe(
  Layer.provideMerge(Layer.mergeAll(Conditions.layer, Identity.layer, Settlement.layer)),
  Layer.provideMerge(MemoryStores.layer),
  Layer.provide([config, ExchangeRates.layer, Screening.none]),
  Layer.provide([
    Digest.layerWebCrypto,
    Mac.layerWebCrypto.pipe(Layer.provide(SecureRandom.layerWebCrypto)),
    SecureRandom.layerWebCrypto
  ])
)

const signUp = Effect.fnUntraced(function* (name: string) {
  const identity = yield* Identity
  const { apiKey } = yield* identity.signUp({ name, seller: true })
  return yield* identity.authenticate(apiKey.token)
})

const program = Effect.gen(function* () {
  const seller = yield* signUp("Alice")
  const buyer = yield* signUp("Bob")
  const listing = yield* (yield* Listings).create(seller, {
    name: "Mail Sorter",
    description: "Sorts a day's mail.",
    shortDesc: null,
    longDescription: null,
    price: Usdt.of(10_000_000n),
    currency: "USDT",
    category: "automation",
    tags: [],
    installUrl: "https://example.com/mail-sorter",
    documentationUrl: null,
    thumbnailUrl: null,
    screenshots: [],
    videoUrl: null,
    pricingModel: "one_time"
  })

  const wallets = yield* Wallets
  const { address } = yield* wallets.deposit(buyer)
  yield* (yield* SimulatedChain).deposit(address, Usdt.of(25_000_000n))
  yield* (yield* MarketClock).advance(4)
  yield* (yield* DepositScanner).scan

  const terms = { maxPrice: Usdt.of(20_000_000n), pricingModel: null, trackingId: null }
  const { value } = yield* (yield* Purchases).buy(buyer, { skillId: listing.id, autoInstall: false, ...terms })
  yield* Console.log(value.status, Usdt.withCurrency(value.amount), "of it the platform's", Usdt.format(value.fee))
  yield* Console.log("left", Usdt.withCurrency((yield* wallets.balance(buyer)).available))
  yield* Console.log("balanced", (yield* wallets.audit).balanced)
})

await Effect.runPromise(Effect.provide(program, market))

/* Prints:
completed 10.00 USDT of it the platform's 0.50
left 15.00 USDT
balanced true
*/
