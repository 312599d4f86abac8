import { assert, it } from "@effect/vitest"
import { Cause, Effect, Layer, Logger } from "effect"
import { SecureRandom } from "effect/crypto"
import { TestClock } from "effect/testing"
import { ChainUnavailable } from "../../src/chain/Chain.ts"
import { Jobs } from "../../src/jobs/Jobs.ts"
import { LeaseStore } from "../../src/jobs/LeaseStore.ts"
import { NotificationSender } from "../../src/notifications/NotificationSender.ts"
import { WebhookSender } from "../../src/webhooks/WebhookSender.ts"

/** Runs one job for that long, and returns the logged messages. */
const loggedBy = Effect.fnUntraced(function* (
  work: Effect.Effect<boolean, ChainUnavailable>,
  time: Parameters<typeof TestClock.adjust>[0]
) {
  const causes: Array<string> = []
  const logger = Logger.make(({ cause }) => void causes.push(Cause.pretty(cause)))
  const needs = Layer.mergeAll(
    Layer.succeed(Jobs, { all: [{ name: "deposits", work }], runDue: Effect.void }),
    Layer.succeed(LeaseStore, { acquire: () => Effect.succeed(true), release: () => Effect.void }),
    Layer.succeed(WebhookSender, { run: Effect.never, sendDue: Effect.succeed(0) }),
    Layer.succeed(NotificationSender, {
      run: Effect.never,
      dispatch: Effect.succeed(false),
      sendDue: Effect.succeed(0)
    }),
    SecureRandom.layerWebCrypto,
    Logger.layer([logger])
  )
  yield* Effect.andThen(Layer.build(Jobs.background.pipe(Layer.provide(needs))), TestClock.adjust(time))
  return causes
}, Effect.scoped)

it.effect("an unavailable chain is logged with its reason, once a minute however often the job retries", () =>
  Effect.gen(function* () {
    let tries = 0
    const unavailable = Effect.suspend(
      () => new ChainUnavailable({ reason: `node ${tries++} belongs to another network` })
    )
    const logged = yield* loggedBy(unavailable, "150 seconds")
    assert.isAbove(tries, 500)
    assert.lengthOf(logged, 3)
    assert.include(logged[0], "node 0 belongs to another network")
  })
)

it.effect("a bug is logged every time", () =>
  Effect.gen(function* () {
    const logged = yield* loggedBy(Effect.die(new Error("a fault")), "10 seconds")
    assert.isAbove(logged.length, 30)
  })
)
