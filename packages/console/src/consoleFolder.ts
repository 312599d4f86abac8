import { existsSync, readFileSync } from "node:fs"
import { readFile } from "node:fs/promises"

/** The built pages: beside the module in a bundle (`scripts/bundle.ts`), in `dist` in the package. */
const folder = [new URL("./console/", import.meta.url), new URL("../dist/console/", import.meta.url)].find((each) =>
  existsSync(new URL("files.json", each))
)

/** A file that browsers load. Its name changes with its content, except for the icon and the preview image. */
export interface ConsoleFile {
  /** Below `/assets/`. */
  readonly name: string
  readonly contentType: string
}

/** What an entry of the build loads, as names of files. */
interface Entry {
  readonly script: string
  readonly styles: ReadonlyArray<string>
  /** Scripts that the entry always imports. */
  readonly imports: ReadonlyArray<string>
}

interface Files {
  readonly files: ReadonlyArray<ConsoleFile>
  readonly shop: Entry
  readonly console: Entry
  /** The service worker that shows push messages, below `/assets/`. */
  readonly pushWorker: string
}

const notBuilt = "the pages of @agent-marketplace/console are not built: run `npm run build:console`"

/** The part of the build that runs in the server. */
export interface Renderer {
  /** Adds to a page of the shop window what only the server can make. */
  readonly complete: (page: unknown) => unknown
  /** The page as HTML. */
  readonly render: (page: unknown, base: string) => string
}

/** The output of the build. `files` throws if the pages were not built. */
export const consoleFolder = {
  files: (): Files => {
    if (folder === undefined) throw new Error(notBuilt)
    return JSON.parse(readFileSync(new URL("files.json", folder), "utf8")) as Files
  },
  read: (name: string): Promise<Uint8Array> => readFile(new URL(`assets/${name}`, folder)),
  renderer: async (): Promise<Renderer> => (await import(new URL("render.js", folder).href)) as Renderer
}
