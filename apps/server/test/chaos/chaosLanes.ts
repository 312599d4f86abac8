import type { Random } from "@agent-marketplace/fixtures/fuzzing/Random"
import { setTimeout } from "node:timers/promises"
import { makeClient } from "../fixtures/Client.ts"
import { adminToken } from "../fixtures/startServer.ts"
import type { ChaosBlobs } from "./ChaosBlobs.ts"
import type { ChaosChain } from "./ChaosChain.ts"
import type { ChaosDatabase } from "./ChaosDatabase.ts"
import type { ChaosDisk } from "./ChaosDisk.ts"
import type { ChaosMail } from "./ChaosMail.ts"
import type { ChaosMarket } from "./ChaosMarket.ts"
import type { ChaosReceiver } from "./ChaosReceiver.ts"
import type { ChaosRedis } from "./ChaosRedis.ts"
import type { ChaosStream } from "./ChaosStream.ts"
import type { ChaosWitness } from "./ChaosWitness.ts"
import type { Fault, Lane } from "./FaultLog.ts"

/** Everything that can fail. What this machine does not have is undefined. */
export interface Fallible {
  readonly database: ChaosDatabase
  /** The simulated chain, and the market's time can be moved. */
  readonly simulated: ChaosMarket
  readonly tron: ChaosMarket
  readonly chain: ChaosChain
  readonly receiver: ChaosReceiver
  readonly mail: ChaosMail
  readonly blobs: ChaosBlobs
  readonly blobDisk: ChaosDisk | undefined
  readonly redis: ChaosRedis | undefined
  readonly streams: ReadonlyArray<ChaosStream>
  readonly witness: ChaosWitness
}

/** How long a fault lasts, in milliseconds. */
const whileFaulty = (random: Random): number => 200 + random.below(2800)

/** A fault that starts, lasts and ends. */
const lasting =
  (start: (random: Random) => unknown, end: () => unknown): Fault[1] =>
  async (random) => {
    const milliseconds = whileFaulty(random)
    await start(random)
    try {
      await setTimeout(milliseconds)
    } finally {
      await end()
    }
  }

/** The faults by what they concern. */
export const chaosLanes = (on: Fallible): ReadonlyArray<Lane> => {
  const { blobDisk, blobs, chain, database, mail, receiver, redis, simulated, streams, tron, witness } = on
  const servers = [...simulated.servers, ...tron.servers]
  const workers = [...simulated.workers, ...tron.workers]
  // A server that is down does not move the clock.
  const moveClock = (random: Random) =>
    makeClient(simulated.url(), adminToken)
      .post("/api/v1/admin/clock", { advanceSeconds: 1 + random.below(60) })
      .catch(() => undefined)
  return [
    {
      pause: 11_000,
      faults: [
        ["kill a server", async (random) => random.pick(servers).kill()],
        ["kill a worker", async (random) => random.pick(workers).kill()],
        [
          "freeze a worker",
          async (random) => {
            const milliseconds = whileFaulty(random)
            await random.pick(workers).frozen(() => setTimeout(milliseconds))
          }
        ],
        [
          "freeze a server",
          (random) => witness.freeze(random.below(simulated.servers.length), 500 + whileFaulty(random))
        ]
      ]
    },
    {
      pause: 11_000,
      faults: [
        ["promote", () => database.promote()],
        ["kill the primary", () => database.restart()],
        ["freeze the primary", (random) => database.freeze(whileFaulty(random))],
        ["promote beside a frozen primary", (random) => database.promoteBesideFrozen(random.below(2000))],
        ...(database.noDisk === undefined
          ? [["fill the database's disk", (random) => database.fillDisk(whileFaulty(random))] satisfies Fault]
          : [])
      ]
    },
    {
      pause: 11_000,
      faults: [
        ["cut the database's connections", async () => database.cut()],
        ["cut the replication", async () => database.cutReplication()],
        [
          "slow the database's connections",
          lasting(
            (random) => database.delay(20 + random.below(200)),
            () => database.delay(0)
          )
        ],
        ["cut streams", async () => streams.forEach((stream) => stream.reconnect())]
      ]
    },
    {
      pause: 11_000,
      faults: [
        [
          "fail the receiver",
          lasting(
            () => receiver.fail(),
            () => receiver.recover()
          )
        ],
        [
          "refuse mail",
          lasting(
            () => mail.refuse(),
            () => mail.recover()
          )
        ],
        [
          "slow the mail server",
          lasting(
            (random) => mail.delay(100 + random.below(900)),
            () => mail.recover()
          )
        ],
        [
          "stop the mail server",
          lasting(
            () => mail.disconnect(),
            () => mail.recover()
          )
        ]
      ]
    },
    {
      pause: 11_000,
      faults: [
        [
          "refuse blobs",
          lasting(
            () => blobs.refuse(),
            () => blobs.recover()
          )
        ],
        [
          "stall blobs",
          lasting(
            () => blobs.stall(),
            () => blobs.recover()
          )
        ],
        ["cut the blobs' connections", async () => blobs.cut()],
        ...(blobDisk === undefined ? [] : [["fill the blobs' disk", fillingOf(blobDisk)] satisfies Fault])
      ]
    },
    ...(redis === undefined
      ? []
      : [
          {
            pause: 11_000,
            faults: [
              [
                "kill Redis",
                lasting(
                  () => redis.kill(),
                  () => redis.run()
                )
              ],
              [
                "freeze Redis",
                lasting(
                  () => redis.freeze(),
                  () => redis.thaw()
                )
              ]
            ]
          } satisfies Lane
        ]),
    {
      pause: 11_000,
      faults: [
        [
          "one node of the chain lies",
          lasting(
            (random) => chain.lie(random),
            () => chain.recover()
          )
        ],
        [
          "all nodes of the chain fail",
          lasting(
            (random) => chain.fail(random),
            () => chain.recover()
          )
        ],
        ["replace the newest blocks", async (random) => chain.fork(random)],
        ["move the clock", moveClock]
      ]
    }
  ]
}

const fillingOf =
  (disk: ChaosDisk): Fault[1] =>
  async (random) => {
    const milliseconds = whileFaulty(random)
    const free = await disk.fill()
    try {
      await setTimeout(milliseconds)
    } finally {
      await free()
    }
  }
