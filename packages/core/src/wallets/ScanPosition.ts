/** How far the blocks of a network were scanned for deposits. */
export interface ScanPosition {
  /** The last scanned block. */
  readonly block: number
  /** Its id, to which the next block must refer; null if it was scanned before ids were kept. */
  readonly id: string | null
  /**
   * Up to this block all sources of the chain have reported the same transfers. The blocks from here to `block` were read from one source while the scanner
   * caught up, apart from blocks with deposits, and are read again.
   */
  readonly agreed: number
}

/** The position after both: neither number moves back. */
export const laterPosition = (one: ScanPosition, other: ScanPosition): ScanPosition => {
  const { block, id } = other.block > one.block ? other : one
  return { block, id: id ?? (one.block === other.block ? other.id : null), agreed: Math.max(one.agreed, other.agreed) }
}
