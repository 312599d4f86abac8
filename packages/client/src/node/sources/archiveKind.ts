import { open } from "node:fs/promises"

/** What a file is by its first bytes, whatever it is called. */
export const archiveKind = async (file: string): Promise<"zip" | "gzip" | "tar" | undefined> => {
  const handle = await open(file, "r")
  try {
    const { buffer, bytesRead } = await handle.read(Buffer.alloc(512), 0, 512, 0)
    const starts = (...bytes: ReadonlyArray<number>) => bytes.every((byte, at) => bytesRead > at && buffer[at] === byte)
    if (starts(0x50, 0x4b, 3, 4) || starts(0x50, 0x4b, 5, 6)) return "zip"
    if (starts(0x1f, 0x8b)) return "gzip"
    return buffer.toString("latin1", 257, 262) === "ustar" ? "tar" : undefined
  } finally {
    await handle.close()
  }
}
