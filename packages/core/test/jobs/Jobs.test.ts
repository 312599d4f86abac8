import { assert, it } from "@effect/vitest"
import { Cause, Effect, Layer, Logger } from "effect"
import { SecureRandom } from "effect/crypto"
import { TestClock } from "effect/testing"
import { ChainUnavailable } from "../../src/chain/Chain.ts"
import { Jobs } from "../../src/jobs/Jobs.ts"
import { LeaseStore } from "../../src/jobs/LeaseStore.ts"
import { NotificationSender } from "../../src/notifications/NotificationSender.ts"
import { WebhookSender } from "../../src/webhooks/WebhookSender.ts"

type Job = Jobs["Service"]["all"][number]

const always: Effect.Effect<boolean> = Effect.succeed(true)

/** Starts one job, and returns the messages that it logs. */
const start = Effect.fnUntraced(function* (job: Job, acquire = always) {
  const causes: Array<string> = []
  const logger = Logger.make(({ cause }) => void causes.push(Cause.pretty(cause)))
  const needs = Layer.mergeAll(
    Layer.succeed(Jobs, { all: [job], runDue: Effect.void }),
    Layer.succeed(LeaseStore, { acquire: () => acquire, release: () => Effect.void }),
    Layer.succeed(WebhookSender, { run: Effect.never, sendDue: Effect.succeed(0) }),
    Layer.succeed(NotificationSender, {
      run: Effect.never,
      dispatch: Effect.succeed(false),
      sendDue: Effect.succeed(0)
    }),
    SecureRandom.layerWebCrypto,
    Logger.layer([logger])
  )
  yield* Layer.build(Jobs.background.pipe(Layer.provide(needs)))
  return causes
})

/** Runs one job for that long, and returns the logged messages. */
const loggedBy = Effect.fnUntraced(function* (work: Job["work"], time: Parameters<typeof TestClock.adjust>[0]) {
  const causes = yield* start({ name: "deposits", work })
  yield* TestClock.adjust(time)
  return causes
}, Effect.scoped)

it.effect("an unavailable chain is logged with its reason, once a minute however often the job retries", () =>
  Effect.gen(function* () {
    let tries = 0
    const unavailable = Effect.suspend(
      () => new ChainUnavailable({ reason: `node ${tries++} belongs to another network` })
    )
    const logged = yield* loggedBy(unavailable, "150 seconds")
    assert.isAbove(tries, 250)
    assert.lengthOf(logged, 3)
    assert.include(logged[0], "node 0 belongs to another network")
  })
)

it.effect("a bug is logged every time", () =>
  Effect.gen(function* () {
    const logged = yield* loggedBy(Effect.die(new Error("a fault")), "10 seconds")
    assert.isAbove(logged.length, 15)
  })
)

it.effect("a lease is renewed every two seconds while its job runs more often (SYSTEM-5)", () =>
  Effect.gen(function* () {
    let [runs, renewals] = [0, 0]
    const acquire = Effect.sync(() => {
      renewals++
      return true
    })
    yield* start({ name: "deposits", work: Effect.sync(() => ++runs < 0) }, acquire)
    yield* TestClock.adjust("10 seconds")
    assert.isAbove(runs, 15)
    assert.isAtLeast(renewals, 5)
    assert.isAtMost(renewals, 6)
  })
)

it.effect("a process whose lease was lost stops running the job at the next renewal (SYSTEM-5)", () =>
  Effect.gen(function* () {
    let [runs, held] = [0, true]
    yield* start(
      { name: "deposits", work: Effect.sync(() => ++runs < 0) },
      Effect.sync(() => held)
    )
    yield* TestClock.adjust("3 seconds")
    held = false
    yield* TestClock.adjust("2 seconds")
    const before = runs
    yield* TestClock.adjust("3 seconds")
    assert.strictEqual(runs, before)
    held = true
    yield* TestClock.adjust("1 second")
    assert.isAbove(runs, before)
  })
)
