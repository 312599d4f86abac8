/** Compares the webhook reference in `docs` with the code; `--write` renews it. */
import { readFile, writeFile } from "node:fs/promises"
import { fileURLToPath } from "node:url"
import { format, resolveConfig } from "prettier"
import { webhookReference } from "./WebhookReference.ts"

const page = new URL("../docs/webhooks.md", import.meta.url)
const schema = new URL("../docs/webhooks.schema.json", import.meta.url)
const begin = "<!-- generated: npm run webhooks -->"
const end = "<!-- end -->"

const pretty = async (file: URL, text: string) => {
  const path = fileURLToPath(file)
  return format(text, { ...(await resolveConfig(path)), filepath: path })
}

const current = await readFile(page, "utf8")
const [before = "", rest = ""] = current.split(begin)
const [, after = ""] = rest.split(end)
const wanted: ReadonlyArray<readonly [URL, string]> = [
  [page, await pretty(page, `${before}${begin}\n\n${webhookReference.markdown()}\n\n${end}${after}`)],
  [schema, await pretty(schema, webhookReference.schema())]
]

for (const [file, text] of wanted) {
  if (process.argv.includes("--write")) {
    await writeFile(file, text)
  } else if ((await readFile(file, "utf8").catch(() => "")) !== text) {
    console.error(`${fileURLToPath(file)} differs from the code. Renew it with \`npm run webhooks\`.`)
    process.exitCode = 1
  }
}
