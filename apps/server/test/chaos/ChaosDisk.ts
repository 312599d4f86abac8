import { chmod, mkdir, mkdtemp, rm } from "node:fs/promises"
import { tmpdir } from "node:os"
import { join } from "node:path"
import { fillDisk, mountSmallDisk, unmountSmallDisk } from "../fixtures/SmallDisk.ts"

const megabytes = 200

/** A folder, on a disk of its own where the system can mount one. */
export class ChaosDisk {
  readonly #mount: string
  /** Why it cannot be filled; undefined where it can. */
  readonly problem: string | undefined

  private constructor(mount: string, problem: string | undefined) {
    this.#mount = mount
    this.problem = problem
  }

  static async make(): Promise<ChaosDisk> {
    const mount = await mkdtemp(join(tmpdir(), "agent-marketplace-chaos-disk-"))
    await chmod(mount, 0o711)
    const disk = new ChaosDisk(mount, mountSmallDisk(mount, megabytes))
    await mkdir(disk.folder, { mode: 0o700 })
    return disk
  }

  get folder(): string {
    return join(this.#mount, "files")
  }

  /** Leaves no space. Returns a function that frees it again. */
  fill(): Promise<() => Promise<void>> {
    return fillDisk(this.#mount)
  }

  async close(): Promise<void> {
    if (this.problem === undefined) unmountSmallDisk(this.#mount)
    await rm(this.#mount, { recursive: true, force: true })
  }
}
