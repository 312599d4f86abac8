import { installSkill } from "@agent-marketplace/client/node/installSkill"
import { startSources } from "@agent-marketplace/fixtures/sources/startSources"
import { mkdtemp, readdir, rm } from "node:fs/promises"
import { tmpdir } from "node:os"
import { join } from "node:path"
import { assert, describe, it } from "vitest"
import { marketOf } from "./fixtures/boughtSkill.ts"
import { madeTar } from "./fixtures/madeTar.ts"
import { madeZip } from "./fixtures/madeZip.ts"
import { refusal } from "./fixtures/refusal.ts"

const entries = Array.from({ length: 100_000 }, (_, n) => ({ name: `${n % 100}/${n}` }))

describe("an archive with 100,000 entries is stopped while it is received, and leaves nothing", () => {
  it.each([
    ["files.zip", async () => madeZip(entries.map((entry) => ({ ...entry, stored: true })))],
    ["folders.tar", () => madeTar(entries.map((entry) => ({ ...entry, type: "directory" as const })))]
  ] as const)("%s", async (name, archive) => {
    const sources = await startSources()
    const installDir = await mkdtemp(join(tmpdir(), "many-files-"))
    try {
      sources.pages.set(`/${name}`, { body: await archive() })
      const market = marketOf({ slug: "mail-sorter", installUrl: `${sources.url}/${name}` })
      const attempt = installSkill(market, { purchaseId: "pur_mail-sorter", installDir, allowLoopback: true })
      await refusal(attempt, /more than 10000 files/)
      assert.deepStrictEqual(await readdir(installDir), [])
    } finally {
      await sources.stop()
      await rm(installDir, { recursive: true })
    }
  })
})
