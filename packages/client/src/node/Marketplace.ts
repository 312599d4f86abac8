import { Marketplace as PortableMarketplace } from "../Marketplace.ts"
import type { MarketplaceOptions as PortableOptions } from "../Marketplace.ts"
import type { Bought } from "../operations/operations.ts"
import type { MoneyCallOptions } from "../requests/Send.ts"
import type { BuyInput } from "../wire/Endpoints.ts"
import type { InstallOptions } from "./InstallOptions.ts"
import { installSkill } from "./installSkill.ts"

/** The options of the portable client, and those of `autoInstall`. */
export interface MarketplaceOptions extends PortableOptions {
  /** The default folder of installs; `skills` if absent. */
  readonly installDir?: string | undefined
  /** Limits of an install, and for tests: whether sources on this machine are allowed. */
  readonly installs?: Omit<InstallOptions, "signal"> | undefined
}

/** The item to buy, and where to install it. */
export interface BuyOptions extends BuyInput {
  /** The folder for installs, each in a subfolder named after its slug; default: the client's `installDir`. */
  readonly installDir?: string | undefined
}

type Portable = PortableMarketplace["skills"]

/** The operations on skills, with installs in `buy`. */
export interface Skills extends Omit<Portable, "buy"> {
  /**
   * Buys a skill or a SOUL, once. With `autoInstall` a completed purchase is installed, and `installedPath` is its folder. A failed
   * install does not fail the purchase: `installedPath` is absent, `message` has the reason, and `installSkill` tries again.
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

/** The client of Node programs: the same operations, and `autoInstall` installs purchased items (CLIENT-9). */
export class Marketplace extends PortableMarketplace {
  declare readonly skills: Skills

  constructor(options: MarketplaceOptions) {
    super(options)
    const { skills } = this
    this.skills = { ...skills, buy: buyAndInstall(this, skills.buy, options) }
  }
}
