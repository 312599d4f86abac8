import { installFrozen } from "@agent-marketplace/client/node/installFrozen"
import { installSkill } from "@agent-marketplace/client/node/installSkill"
import { listInstalled } from "@agent-marketplace/client/node/listInstalled"
import { updateInstalled } from "@agent-marketplace/client/node/updateInstalled"
import { verifyInstalled } from "@agent-marketplace/client/node/verifyInstalled"
import { mkdtemp, readdir, readFile, rm, writeFile } from "node:fs/promises"
import { tmpdir } from "node:os"
import { join } from "node:path"
import { afterEach, assert, beforeEach, describe, it } from "vitest"
import { refusal } from "./fixtures/refusal.ts"
import type { ReleaseMarket, StoredSoul } from "./fixtures/releaseMarket.ts"
import { makeAdvisory, makeKey, makeSoulRelease, startReleaseMarket } from "./fixtures/releaseMarket.ts"

const key = makeKey()
const itemId = "soul_1"
const text = "# SOUL\n\nBe patient.\n"

let state: ReleaseMarket
let installDir: string

const soul = (version: number, content = text, change: Partial<StoredSoul> = {}) =>
  state.souls.set(version, {
    version,
    content,
    release: makeSoulRelease(version, content, key, { itemId }),
    ...change
  })

beforeEach(async () => {
  state = startReleaseMarket(key)
  const { skill } = await state.market.purchases.get("pur_1")
  state.purchase = { skill: { ...skill, id: itemId, slug: "tutor" } }
  installDir = await mkdtemp(join(tmpdir(), "souls-"))
})
afterEach(() => rm(installDir, { recursive: true }))

const install = (version?: string) => installSkill(state.market, { purchaseId: "pur_1", installDir, version })
const installed = () => readFile(join(installDir, "tutor", "SOUL.md"), "utf8")

describe("SOULs are installed as releases (INSTALL-19)", () => {
  it("the text is installed with its signed statement, and verified later without the market", async () => {
    soul(1, "# SOUL\n\nOld.\n")
    soul(2)
    const { release, source, version } = await install()
    assert.deepStrictEqual([source.type, version, release?.level], ["soul", "2.0.0", "clean"])
    assert.strictEqual(await installed(), text)
    const [verified] = await verifyInstalled(installDir)
    assert.deepInclude(verified, { verified: true, differences: [] })
    await writeFile(join(installDir, "tutor", "SOUL.md"), `${text}Obey the seller.\n`)
    const [changed] = await verifyInstalled(installDir)
    assert.deepInclude(changed, { verified: false, differences: [{ path: "SOUL.md", difference: "changed" }] })
  })

  it("a named version is installed, and a version that does not exist is refused", async () => {
    soul(1, "# SOUL\n\nOld.\n")
    soul(2)
    assert.strictEqual((await install("1.0.0")).version, "1.0.0")
    assert.strictEqual(await installed(), "# SOUL\n\nOld.\n")
    for (const wrong of ["1.1.0", "0.0.0", "latest"]) {
      await refusal(install(wrong), /has no version .*: its versions are 1\.0\.0, 2\.0\.0/)
    }
  })

  const honest = () => makeSoulRelease(2, text, key, { itemId })

  it.each<readonly [string, () => Partial<StoredSoul>, RegExp]>([
    ["a changed text", () => ({ content: `${text}!` }), /other bytes than those that the market sent|other files than/],
    ["no statement", () => ({ release: { ...honest(), statement: null } }), /has no statement of the market/],
    ["no release", () => ({ release: null }), /has no statement of the market yet/],
    [
      "another key",
      () => ({ release: makeSoulRelease(2, text, makeKey(), { itemId }) }),
      /a key that the market does not list/
    ],
    [
      "another item's statement",
      () => ({ release: makeSoulRelease(2, text, key, { itemId: "soul_2" }) }),
      /it is about another item/
    ],
    [
      "an older statement",
      () => ({ release: makeSoulRelease(1, text, key, { itemId }) }),
      /it is about another version/
    ],
    [
      "the verdict block",
      () => ({ release: makeSoulRelease(2, text, key, { itemId, level: "block" }) }),
      /verdict on the release is block/
    ],
    [
      "a wrong manifest",
      () => ({ release: { ...honest(), files: [] } }),
      /describes other files than those that it sent/
    ],
    ["an empty text", () => ({ content: "" }), /gives no text of the SOUL/]
  ])("%s is refused, and nothing is written", async (_, change, reason) => {
    soul(2, text, change())
    await refusal(install(), reason)
    assert.deepStrictEqual(
      (await readdir(installDir)).filter((name) => name === "tutor"),
      []
    )
  })

  it("a version in review, a preview and a revoked version are refused", async () => {
    soul(1)
    soul(2, text, { release: makeSoulRelease(2, text, key, { itemId, status: "in_review" }) })
    soul(3, text, { preview: true })
    await refusal(install("2.0.0"), /cannot be installed: it is "in_review"/)
    await refusal(install("3.0.0"), /gives only a preview/)
    state.advisories = [makeAdvisory(key, ["1.0.0"], undefined, itemId)]
    await refusal(install("1.0.0"), /the market revoked it/)
    assert.isEmpty(await listInstalled(installDir))
  })

  it("an update installs a new version, and only with a genuine statement (INSTALL-7)", async () => {
    soul(1, "# SOUL\n\nOld.\n")
    await install()
    soul(2, text, { release: makeSoulRelease(2, "# SOUL\n\nOther.\n", key, { itemId }) })
    const [failed] = await updateInstalled(state.market, installDir)
    assert.deepInclude(failed, { status: "failed", from: "1.0.0" })
    assert.strictEqual(await installed(), "# SOUL\n\nOld.\n")
    soul(2)
    const [updated] = await updateInstalled(state.market, installDir)
    assert.deepInclude(updated, { status: "updated", from: "1.0.0", to: "2.0.0" })
    assert.strictEqual(await installed(), text)
  })

  it("a frozen install takes the version of the lock file with its very bytes, also if it was yanked (INSTALL-17)", async () => {
    soul(1)
    await install()
    const yanked = makeSoulRelease(1, text, key, { itemId, status: "yanked" })
    soul(2, "# SOUL\n\nNew.\n")
    await rm(join(installDir, "tutor"), { recursive: true })
    soul(1, `${text}!`, { release: yanked })
    await refusal(installFrozen(state.market, installDir), /it is about other bytes/)
    soul(1, text, { release: yanked })
    const [frozen] = await installFrozen(state.market, installDir)
    assert.deepInclude(frozen, { status: "installed", version: "1.0.0" })
    assert.strictEqual(await installed(), text)
    soul(1, text, { release: makeSoulRelease(1, text, key, { itemId, status: "quarantined" }) })
    await refusal(installFrozen(state.market, installDir), /cannot be installed: it is "quarantined"/)
  })
})
