/** The program of a worker thread: unpacks archives and scans releases, one task after another. */
import { readFileSync, writeFileSync } from "node:fs"
import { getPriority, setPriority } from "node:os"
import { join } from "node:path"
import { parentPort } from "node:worker_threads"
import type { ScanResult } from "@agent-marketplace/core/releases/Scanner"
import type { ScanTask, ThreadTask, UnpackReply, UnpackTask } from "./ThreadTask.ts"

const refused = (message: string): UnpackReply => ({ _tag: "Refused", message })

/** Writes the files below the folder under the positions of their paths in the manifest, so that no name of the archive reaches the disk. */
const unpack = async ({ folder, format, path }: UnpackTask): Promise<UnpackReply> => {
  const { ArchiveRefused } = await import("@agent-marketplace/trust/archive/ArchiveRefused")
  const { manifestOf } = await import("@agent-marketplace/trust/archive/manifestOf")
  const { readSkill } = await import("@agent-marketplace/trust/archive/readSkill")
  const { unpackArchive } = await import("@agent-marketplace/trust/archive/unpackArchive")
  const unpacked = unpackArchive(readFileSync(path))
  if (unpacked instanceof ArchiveRefused) return refused(unpacked.message)
  if (unpacked.format !== format)
    return refused(`the archive is a ${unpacked.format}, but the content type says ${format}`)
  const skill = readSkill(unpacked.files)
  if (skill instanceof ArchiveRefused) return refused(skill.message)
  const files = manifestOf(unpacked.files)
  const contents = new Map(unpacked.files.map((file) => [file.path, file.bytes]))
  for (const [position, { path: name }] of files.entries()) {
    writeFileSync(join(folder, String(position)), contents.get(name) ?? new Uint8Array())
  }
  return { _tag: "Unpacked", files, version: skill.version ?? null, frontMatter: skill.written }
}

/** A third of the processor time of a thread that answers requests, while both are busy: the largest releases still end within their limit of time. */
const niceness = 5

let yields = false

/** Lets requests go before scans (RELEASE-32). Only on Linux does the priority belong to the thread alone, and not to its process. */
const yieldToRequests = (): void => {
  if (yields || process.platform !== "linux") return
  yields = true
  try {
    setPriority(Math.min(19, getPriority() + niceness))
  } catch {
    // A sandbox may forbid it. The scan then has the priority of its process.
  }
}

const scanned = async ({ files, kind }: ScanTask): Promise<ScanResult> => {
  const { capabilities } = await import("@agent-marketplace/trust/capabilities")
  const { scan } = await import("@agent-marketplace/trust/scan")
  const { sketchOfRelease } = await import("@agent-marketplace/trust/sketchOfRelease")
  // Only now, because loading the modules takes longer than most scans.
  yieldToRequests()
  return {
    verdict: await scan(files, { kind }),
    capabilities: capabilities(files),
    sketch: sketchOfRelease(files, kind)
  }
}

// Each task loads only the modules that it needs.
const handle = async (task: ThreadTask): Promise<void> => {
  const reply = task._tag === "Unpack" ? await unpack(task) : await scanned(task)
  // Not the method of browsers, which takes an origin.
  // oxlint-disable-next-line unicorn/require-post-message-target-origin
  parentPort?.postMessage(reply)
}

// A task that throws ends the thread with its error.
parentPort?.on("message", (task: ThreadTask) => void handle(task))
