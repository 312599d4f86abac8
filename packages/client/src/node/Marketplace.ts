import { Marketplace as PortableMarketplace } from "../Marketplace.ts"
import type { MarketplaceOptions as PortableOptions } from "../Marketplace.ts"
import type { Bought } from "../operations/operations.ts"
import type { MoneyCallOptions } from "../requests/Send.ts"
import type { BuyInput } from "../wire/Endpoints.ts"
import type { InstallOptions } from "./InstallOptions.ts"
import { installSkill } from "./installSkill.ts"

/** Those of the portable client, and how its `autoInstall` installs. */
export interface MarketplaceOptions extends PortableOptions {
  /** Where installs go that do not say where; `skills` where absent. */
  readonly installDir?: string | undefined
  /** How much an install may take, and for tests: whether from this very machine. */
  readonly installs?: Omit<InstallOptions, "signal"> | undefined
}

/** What to buy, and where to install it. */
export interface BuyOptions extends BuyInput {
  /** The folder in which it gets one of its own, named after its slug; the client's `installDir` where absent. */
  readonly installDir?: string | undefined
}

type Portable = PortableMarketplace["skills"]

/** The operations on skills, `buy` with installing. */
export interface Skills extends Omit<Portable, "buy"> {
  /**
   * Buys a skill or a SOUL, once. With `autoInstall` a completed buy is installed, and `installedPath` says where. An install that
   * fails never fails the buy: there is no `installedPath`, `message` says why, and `installSkill` does it again.
   */
  readonly buy: (options: BuyOptions, call?: MoneyCallOptions) => Promise<Bought>
}

const messageOf = (error: unknown): string => (error instanceof Error ? error.message : String(error))

const buyAndInstall =
  (market: PortableMarketplace, buy: Portable["buy"], usual: MarketplaceOptions): Skills["buy"] =>
  async ({ installDir = usual.installDir, ...input }, call) => {
    const bought = await buy(input, call)
    if (input.autoInstall !== true || bought.status !== "completed") return bought
    const { message: _, ...purchase } = bought
    try {
      const request = { ...usual.installs, purchaseId: bought.purchaseId, installDir, signal: call?.signal }
      const { installedPath, name, version } = await installSkill(market, request)
      return { ...purchase, installedPath, message: `${name} ${version} is installed` }
    } catch (error) {
      return { ...purchase, message: `bought, but not installed: ${messageOf(error)}` }
    }
  }

/** The client of Node programs: the same operations, and `autoInstall` installs what was bought (CLIENT-9). */
export class Marketplace extends PortableMarketplace {
  declare readonly skills: Skills

  constructor(options: MarketplaceOptions) {
    super(options)
    const { skills } = this
    this.skills = { ...skills, buy: buyAndInstall(this, skills.buy, options) }
  }
}
