/** One entry of what was fetched, as it names itself: nothing of it is trusted yet. */
export interface ArchiveEntry {
  readonly path: string
  /** `file`, `folder`, or what else it is: `symbolic link`, `device`, … */
  readonly kind: string
  /** Of a file; read at once, and to its end before the next entry is asked for. */
  readonly content: () => Promise<AsyncIterable<Uint8Array>>
}
