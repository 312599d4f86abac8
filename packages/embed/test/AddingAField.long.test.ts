import { createDatabase } from "@agent-marketplace/fixtures/postgres/TestPostgres"
import { execFile } from "node:child_process"
import { cp, mkdir, mkdtemp, readdir, readFile, rm, symlink, writeFile } from "node:fs/promises"
import { tmpdir } from "node:os"
import { join } from "node:path"
import { fileURLToPath } from "node:url"
import { promisify } from "node:util"
import { afterAll, assert, describe, it } from "vitest"
import { createMarketplace } from "../src/createMarketplace.ts"
import { postgresStorage } from "../src/storage/postgresStorage.ts"

const root = fileURLToPath(new URL("../../..", import.meta.url))
const copy = await mkdtemp(join(tmpdir(), "adding-a-field-"))
afterAll(() => rm(copy, { recursive: true, force: true }))

/** A copy of the packages in a folder where they can be edited. They import each other there, and all other packages from here. */
const copyPackages = async () => {
  await mkdir(join(copy, "node_modules/@agent-marketplace"), { recursive: true })
  for (const name of await readdir(join(root, "node_modules"))) {
    if (name === "@agent-marketplace" || name.startsWith(".")) continue
    await symlink(join(root, "node_modules", name), join(copy, "node_modules", name))
  }
  for (const name of await readdir(join(root, "packages"))) {
    const folder = join(copy, "packages", name)
    await cp(join(root, "packages", name, "src"), join(folder, "src"), { recursive: true })
    await cp(join(root, "packages", name, "package.json"), join(folder, "package.json"))
    await symlink(folder, join(copy, "node_modules/@agent-marketplace", name))
  }
}

const edit = async (path: string, pattern: RegExp, replacement: (match: string) => string) => {
  const file = join(copy, path)
  const before = await readFile(file, "utf8")
  const after = before.replace(pattern, replacement)
  assert.notStrictEqual(after, before, path)
  await writeFile(file, after)
}

/** The edits of docs/contributing.md, with the code that it shows. */
const addField = async () => {
  const page = await readFile(join(root, "docs/contributing.md"), "utf8")
  const section = page.slice(page.indexOf("## Adding a field"))
  const [described, migration] = Array.from(section.matchAll(/```ts\n(.*?)```/gs), ([, code]) => code)
  if (described === undefined || migration === undefined) return assert.fail("the page shows no code")
  const fields = "packages/core/src/listings/ListingFields.ts"
  await edit(fields, /\n\} as const satisfies Fields\n/, (end) => `,\n${described}${end}`)
  await edit(fields, /(?<=export const listingRendering = )\d+/, (number) => String(Number(number) + 1))
  await writeFile(join(copy, "packages/postgres/src/migrations/9999_changelog_url.ts"), migration)
  const registry = "packages/postgres/src/migrations/migrations.ts"
  await edit(registry, /\n\}\n/, (end) => `,\n  "9999_changelog_url": changelogUrl${end}`)
  await edit(registry, /^/, () => `import { changelogUrl } from "./9999_changelog_url.ts"\n`)
}

describe("a new optional field of a listing", () => {
  it("takes the edits of docs/contributing.md and works in every layer, also for older rows", async () => {
    await copyPackages()
    await addField()
    await cp(fileURLToPath(new URL("fixtures/followField.ts", import.meta.url)), join(copy, "followField.ts"))

    const url = await createDatabase()
    const before = await createMarketplace({
      storage: postgresStorage({ url }),
      baseUrl: "http://localhost:3000",
      secret: "0123456789abcdef0123456789abcdef",
      review: "auto"
    })
    const { apiKey } = await before.createAccount({ name: "Ada", seller: true })
    const made = await before.fetch(
      new Request("http://localhost:3000/api/v1/skills", {
        method: "POST",
        headers: { authorization: `Bearer ${apiKey.key}`, "content-type": "application/json" },
        body: JSON.stringify({ name: "Older", description: "Made before the field.", price: 5 })
      })
    )
    const { data } = (await made.json()) as { readonly data: { readonly id: string } }
    await before.close()

    const argument = JSON.stringify({ url, key: apiKey.key, older: data.id })
    const { stdout } = await promisify(execFile)(process.execPath, [join(copy, "followField.ts"), argument])
    const { documented, refused, values } = JSON.parse(stdout) as Readonly<Record<string, unknown>>
    assert.deepStrictEqual(values, [
      null,
      "https://example.com/new",
      "https://example.com/new",
      "https://example.com/newer",
      null,
      null
    ])
    assert.deepNestedInclude(refused, {
      "error.code": "VALIDATION_ERROR",
      "error.details": { issues: [{ path: "changelogUrl", message: "must be a valid HTTPS URL" }] }
    })
    assert.includeMembers(documented as Array<string>, [
      "ListingCreate",
      "ListingPatch",
      "ListingItem",
      "ListingDetail"
    ])
  })
})
