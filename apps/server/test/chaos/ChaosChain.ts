import { Random } from "@agent-marketplace/fixtures/fuzzing/Random"
import type { LieKind } from "@agent-marketplace/fixtures/tron/lies"
import { lieKinds, makeHonest, makeLiar } from "@agent-marketplace/fixtures/tron/lies"
import { TronEncoding } from "@agent-marketplace/fixtures/tron/TronEncoding"
import { bare, TronNetwork } from "@agent-marketplace/fixtures/tron/TronNetwork"
import { TronNode } from "@agent-marketplace/fixtures/tron/TronNode"

const xpub =
  "xpub6D1AabNHCupeiLM65ZR9UStMhJ1vCpyV4XbZdyhMZBiJXALQtmn9p42VTQckoHVn8WNqS7dqnJokZHAHcHGoaQgmv8D45oNUKx6DZMNZBCd"
const hotKey = `${"0".repeat(63)}1`
const hotWallet = "TMVQGm1qAQYVdetCeGRRkTWYYrLXuHK2HC"

/** A block every 300 ms instead of every 3 s, and final after two seconds instead of a minute. */
const [blockMillis, solidLag] = [300, 6]

/** A TRON network with three nodes, one of which lies for a while, or that all fail, and whose newest blocks are replaced. */
export class ChaosChain {
  readonly network: TronNetwork
  readonly #nodes: ReadonlyArray<TronNode>
  readonly #urls: ReadonlyArray<string>
  readonly #clock: NodeJS.Timeout
  readonly #victims = new Set<string>([hotWallet])
  #lies = 0

  private constructor(network: TronNetwork, nodes: ReadonlyArray<TronNode>, urls: ReadonlyArray<string>) {
    this.network = network
    this.#nodes = nodes
    this.#urls = urls
    this.#clock = setInterval(() => network.mine(), blockMillis)
  }

  static async start(): Promise<ChaosChain> {
    const network = new TronNetwork({ solidLag })
    network.fund(hotWallet, 1_000_000_000_000n)
    const nodes = [0, 1, 2].map(() => new TronNode(network))
    return new ChaosChain(network, nodes, await Promise.all(nodes.map((node) => node.listen())))
  }

  get #settings(): Readonly<Record<string, string>> {
    return { CHAIN: "tron", TRON_FULL_NODE_URL: this.#urls.join(), TRON_START_BLOCK: "1" }
  }

  /** The settings of a server, which has no private key. */
  get serverEnvironment(): Readonly<Record<string, string>> {
    return { ...this.#settings, TRON_DEPOSIT_XPUB: xpub, TRON_HOT_WALLET_ADDRESS: hotWallet }
  }

  get workerEnvironment(): Readonly<Record<string, string>> {
    return { ...this.#settings, TRON_HOT_WALLET_KEY: hotKey }
  }

  /** Sends money to a deposit address; liars also lie about it. */
  deposit(address: string, amount: bigint): void {
    this.#victims.add(address)
    this.network.deposit(address, amount)
  }

  /** One node lies in the next way, until `recover`. */
  lie(random: Random): void {
    const kind: LieKind = lieKinds[this.#lies++ % lieKinds.length] ?? "fails"
    const constancy = random.pick([1, 3])
    // The number of calls is not repeated by the seed, so they must not use up the numbers of the faults.
    const ofCalls = new Random(random.below(1_000_000), 0)
    makeLiar(this.network, random.pick(this.#nodes), {
      kind,
      victims: () => [...this.#victims],
      lies: () => ofCalls.chance(constancy)
    })
  }

  /** All nodes answer with a status of 500, or not at all, until `recover`. */
  fail(random: Random): void {
    const fault = random.pick([{ kind: "status", status: 500 } as const, { kind: "ignored" } as const])
    for (const node of this.#nodes) node.fault = () => fault
  }

  recover(): void {
    for (const node of this.#nodes) makeHonest(node)
  }

  /** Replaces the newest blocks; their transactions are lost. Final blocks stay. */
  fork(random: Random): void {
    this.network.fork(1 + random.below(solidLag - 1))
  }

  /** The transfers to an address in all blocks, in 10⁻⁶ USDT. */
  received(address: string): ReadonlyArray<bigint> {
    const of = bare(address)
    return this.network.blocks.flatMap(({ moved }) => moved.flatMap(([to, by]) => (to === of && by > 0n ? [by] : [])))
  }

  /** What the hot wallet has paid in all blocks, in 10⁻⁶ USDT. */
  get paid(): bigint {
    const of = bare(hotWallet)
    let sum = 0n
    for (const { moved } of this.network.blocks) for (const [from, by] of moved) if (from === of && by < 0n) sum -= by
    return sum
  }

  /** An address that nobody uses. */
  receiver(name: string): string {
    return TronEncoding.nobody(name)
  }

  async close(): Promise<void> {
    clearInterval(this.#clock)
    await Promise.all(this.#nodes.map((node) => node.close()))
  }
}
