import { createHash, randomBytes } from "node:crypto"
import { setTimeout } from "node:timers/promises"
import { assert } from "vitest"
import { bodyOf, dataOf, isRetryable, makeClient, makePatientClient } from "../fixtures/Client.ts"
import type { Member } from "../fixtures/Market.ts"
import { gzip, skillArchive } from "../fixtures/skillArchives.ts"
import type { WireRelease } from "../fixtures/skillArchives.ts"
import { waitFor } from "../fixtures/waitFor.ts"

const digestOf = (bytes: Uint8Array): string => createHash("sha256").update(bytes).digest("hex")

interface Release {
  readonly version: string
  readonly digest: string
}

/** A seller who uploads one version of a free item after the other, and an installer who downloads them. */
export class ChaosReleases {
  readonly #seller: Member
  readonly #installer: Member
  readonly #item: string
  /** Releases whose upload was confirmed. */
  readonly uploaded: Array<Release> = []
  installed = 0

  private constructor(seller: Member, installer: Member, item: string) {
    this.#seller = seller
    this.#installer = installer
    this.#item = item
  }

  static async prepare(baseUrl: string, seller: Member, installer: Member): Promise<ChaosReleases> {
    const draft = { title: "Free sorter", name: "Free sorter", description: "Sorts rows of files.", price: 0 }
    const { id } = dataOf<{ id: string }>(
      await makePatientClient(baseUrl, seller.key).post("/api/v1/skills", draft),
      201
    )
    return new ChaosReleases(seller, installer, id)
  }

  /** Uploads and installations, one after the other. */
  async run(url: () => string, isOver: () => boolean): Promise<void> {
    for (let n = 0; !isOver(); n++) {
      const version = `1.0.${n}`
      const data = randomBytes(20_000).toString("hex").replace(/.{60}/g, "$&\n")
      const archive = skillArchive(version, { "data.csv": `key\n${data}` })
      // The same bytes again return the release of an upload whose response was lost (RELEASE-3).
      while (!isOver() && !(await this.#upload(url(), version, archive))) await setTimeout(300)
      // The newest ones may not have been scanned yet.
      const last = this.uploaded.at(-6) ?? this.uploaded[0]
      if (last !== undefined) await this.#install(url(), last).catch(ignoreLostConnection)
      await setTimeout(1000)
    }
  }

  async #upload(baseUrl: string, version: string, archive: Uint8Array): Promise<boolean> {
    const path = `/v1/listings/${this.#item}/releases`
    const reply = await makeClient(baseUrl, this.#seller.key).post(path, archive, gzip).catch(ignoreLostConnection)
    if (reply === undefined || isRetryable(reply)) return false
    assert.oneOf(reply.status, [200, 201], reply.text)
    const release = reply.body as WireRelease
    assert.strictEqual(release.sha256, digestOf(archive))
    this.uploaded.push({ version, digest: release.sha256 })
    return true
  }

  /** Downloads a release. A response that is complete has the bytes of the release. */
  async #install(baseUrl: string, { digest, version }: Release): Promise<boolean> {
    const response = await fetch(`${baseUrl}/v1/listings/${this.#item}/releases/${version}/download`, {
      headers: { authorization: `Bearer ${this.#installer.key}` },
      signal: AbortSignal.timeout(60_000)
    })
    const bytes = new Uint8Array(await response.arrayBuffer())
    if (response.status !== 200) return false
    assert.strictEqual(digestOf(bytes), digest, `the bytes of ${version}`)
    this.installed += 1
    return true
  }

  /** Every release whose upload was confirmed is scanned, on sale and can be installed (RELEASE-19). */
  async assertKept(baseUrl: string): Promise<void> {
    const seller = makePatientClient(baseUrl, this.#seller.key)
    for (const release of this.uploaded) {
      const path = `/v1/listings/${this.#item}/releases/${release.version}`
      const { status } = await waitFor(
        `release ${release.version} is scanned`,
        async () => {
          const found = bodyOf<WireRelease>(await seller.get(path))
          return found.status === "scanning" ? undefined : found
        },
        180_000
      )
      assert.strictEqual(status, "published", release.version)
      await waitFor(`release ${release.version} is installed`, () => this.#install(baseUrl, release))
    }
  }
}

/** A connection that breaks is no response; every other error is a failure of the test. */
const ignoreLostConnection = (error: unknown): undefined => {
  if (error instanceof TypeError || (error instanceof DOMException && error.name === "TimeoutError")) return undefined
  throw error
}
