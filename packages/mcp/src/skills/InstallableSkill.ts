import type { Marketplace } from "@agent-marketplace/client"
import type { Release } from "@agent-marketplace/client/wire/Endpoints"

/** A skill that the caller may install, at the release that an install would get. */
export interface InstallableSkill {
  readonly itemId: string
  /** The name in `SKILL.md`. */
  readonly name: string
  readonly frontMatter: NonNullable<Release["frontMatter"]>
  readonly release: Release
}

/** Why an item is not served as a skill, in words for the host and its user. */
export class NotServed extends Error {}

/** What every host accepts: files and bytes (MCP-17). */
const mostFiles = 512
const mostBytes = 16 * 1_048_576

const isTooLarge = ({ files }: Release): boolean =>
  files.length > mostFiles || files.reduce((total, { size }) => total + size, 0) > mostBytes

/** Two requests; rejects with `NotServed` or the market's error. */
export const installableSkill = async (
  market: Marketplace,
  itemId: string,
  signal: AbortSignal
): Promise<InstallableSkill> => {
  const { kind, version } = await market.listings.install(itemId, { signal })
  if (kind !== "release" || version === null)
    throw new NotServed(`${itemId} has no release: it is installed from its own address`)
  const release = await market.releases.get(itemId, version, { signal })
  const { frontMatter } = release
  const name = frontMatter?.["name"]
  if (frontMatter === null || typeof name !== "string") throw new NotServed(`${itemId} is not a skill`)
  if (isTooLarge(release))
    throw new NotServed(
      `${itemId} has more than ${mostFiles} files or ${mostBytes / 1_048_576} MiB, which hosts of MCP need not accept; install it with agent-marketplace install`
    )
  return { itemId, name, frontMatter, release }
}
