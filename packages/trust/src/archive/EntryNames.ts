import { ArchiveRefused, quoted } from "./ArchiveRefused.ts"
import type { ArchiveLimits } from "./ArchiveLimits.ts"

/** Controls, bidirectional and zero-width characters, tags, line separators. */
const unseen = /[\p{Cc}\p{Cf}\p{Zl}\p{Zp}]/u
const ignorable = /\p{Default_Ignorable_Code_Point}/gu
const forbiddenOnWindows = /[<>:"|?*]/
const device = /^(?:con|prn|aux|nul|com[0-9¹²³]|lpt[0-9¹²³]|conin\$|conout\$)(?:\.|$)/iu

/**
 * Two names that could be equal on some file system have the same folded form: case, compatibility forms (`ﬁ` and `fi`) and characters without
 * width are removed. Converting to lower, upper and lower case makes `ẞ`, `ß` and `ss` equal.
 */
export const folded = (name: string): string =>
  name.normalize("NFKC").replace(ignorable, "").toLowerCase().toUpperCase().toLowerCase().normalize("NFKC")

const checkPart = (part: string, shown: string): void => {
  if (part === "") throw new ArchiveRefused("name_malformed", `the name ${shown} has an empty part`)
  if (part === "..") throw new ArchiveRefused("name_outside", `the name ${shown} leads outside with ".."`)
  if (part === ".") throw new ArchiveRefused("name_malformed", `the name ${shown} contains "." after its start`)
  if (/[. ]$/.test(part))
    throw new ArchiveRefused(
      "name_reserved",
      `the name ${shown} has a part that ends in a dot or space, which Windows drops`
    )
  if (/^(?:\.git|git~1)$/i.test(folded(part)))
    throw new ArchiveRefused("name_reserved", `the name ${shown} is in a .git folder, whose hooks git would run`)
  if (device.test(part.replace(/ +(?=\.|$)/g, "")))
    throw new ArchiveRefused("name_reserved", `the name ${shown} contains a device name of Windows`)
}

const checkWhole = (name: string, shown: string, limits: ArchiveLimits): void => {
  if (unseen.test(name))
    throw new ArchiveRefused(
      "name_characters",
      `the name ${shown} contains control, bidirectional or zero-width characters`
    )
  if (name.includes("\\"))
    throw new ArchiveRefused("name_malformed", `the name ${shown} contains a backslash; separate folders with "/"`)
  if (name.startsWith("/") || /^[a-z]:/i.test(name))
    throw new ArchiveRefused("name_absolute", `the name ${shown} is absolute; use names relative to the skill's folder`)
  if (forbiddenOnWindows.test(name))
    throw new ArchiveRefused("name_reserved", `the name ${shown} contains one of < > : " | ? *, which Windows refuses`)
  if (name !== name.normalize("NFC"))
    throw new ArchiveRefused("name_not_nfc", `the name ${shown} is not in Unicode's form NFC`)
  if (Buffer.byteLength(name) > limits.pathBytes)
    throw new ArchiveRefused("name_too_long", `the name ${shown} has more than ${limits.pathBytes} bytes`)
}

/** The parts of an entry's name, without a leading `./`; none for the archive's own folder. */
const partsOf = (name: string, kind: "file" | "folder", limits: ArchiveLimits): ReadonlyArray<string> => {
  const shown = quoted(name)
  if (name === "") throw new ArchiveRefused("name_malformed", "an entry has no name")
  checkWhole(name, shown, limits)
  let relative = name
  while (relative.startsWith("./")) relative = relative.slice(2)
  if (kind === "folder") relative = relative.replace(/\/$/, "")
  if (kind === "folder" && (relative === "" || relative === ".")) return []
  const parts = relative.split("/")
  if (kind === "file" && parts.at(-1) === "")
    throw new ArchiveRefused("headers_differ", `the file ${shown} has the name of a folder`)
  for (const part of parts) checkPart(part, shown)
  if (parts.length > limits.depth)
    throw new ArchiveRefused("too_deep", `the name ${shown} is more than ${limits.depth} levels deep`)
  return parts
}

/** The names of one archive: checks each (ARCHIVE-10), and that no two of them could be one on any file system (ARCHIVE-11). */
export class EntryNames {
  readonly #limits: ArchiveLimits
  /** By folded path: the spelling and kind of the first entry. */
  readonly #seen = new Map<string, { readonly path: string; readonly kind: "file" | "folder" }>()
  #files = 0
  #folders = 0

  constructor(limits: ArchiveLimits) {
    this.#limits = limits
  }

  /** The path of a file relative to the archive's folder. */
  file(name: string): string {
    this.#files++
    if (this.#files > this.#limits.files)
      throw new ArchiveRefused("too_many_files", `the archive has more than ${this.#limits.files} files`)
    const parts = partsOf(name, "file", this.#limits)
    this.#add(parts, "file")
    return parts.join("/")
  }

  folder(name: string): void {
    this.#folders++
    if (this.#folders > this.#limits.files)
      throw new ArchiveRefused("too_many_files", `the archive has more than ${this.#limits.files} folders`)
    this.#add(partsOf(name, "folder", this.#limits), "folder")
  }

  #add(parts: ReadonlyArray<string>, kind: "file" | "folder"): void {
    let key = ""
    let path = ""
    for (const [index, part] of parts.entries()) {
      key += `/${folded(part)}`
      path += index === 0 ? part : `/${part}`
      const own = index === parts.length - 1 ? kind : "folder"
      const first = this.#seen.get(key)
      if (first === undefined) this.#seen.set(key, { path, kind: own })
      else if (first.path !== path || first.kind !== own || own === "file") throw conflict(path, first.path)
    }
  }
}

const conflict = (path: string, first: string): ArchiveRefused =>
  new ArchiveRefused(
    "name_conflict",
    path === first
      ? `the archive has two entries named ${quoted(path)}`
      : `the names ${quoted(first)} and ${quoted(path)} are one on some file systems`
  )
