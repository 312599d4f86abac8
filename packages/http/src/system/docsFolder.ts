import { existsSync, readFileSync } from "node:fs"
import { readFile } from "node:fs/promises"

/** The built pages: beside the module in a bundle (`scripts/bundle.ts`), in `dist` in the package. */
const folder = [new URL("./docs/", import.meta.url), new URL("../../dist/docs/", import.meta.url)].find((each) =>
  existsSync(new URL("files.json", each))
)

/** Paths of pages below `/docs` ("" is the first one), and files that browsers load. */
interface Files {
  readonly pages: ReadonlyArray<string>
  readonly files: ReadonlyArray<{ readonly name: string; readonly contentType: string }>
}

/** The output of `scripts/buildDocs.ts`. `files` throws if the pages were not built. */
export const docsFolder = {
  files: (): Files => {
    if (folder === undefined) throw new Error("the pages below /docs are not built: run `npm run build:console`")
    return JSON.parse(readFileSync(new URL("files.json", folder), "utf8")) as Files
  },
  page: (path: string): Promise<string> =>
    readFile(new URL(`pages/${path === "" ? "index" : path.slice(1)}.html`, folder), "utf8"),
  asset: (name: string): Promise<Uint8Array> => readFile(new URL(`assets/${name}`, folder))
}
