/** The id of the last scanned block, and up to which block all nodes have reported the same transfers. */
export const scannedBlocks: ReadonlyArray<string> = [
  // block_id counts only while id_block equals block: an older process moves block alone. agreed_block is null until the position moves again.
  `ALTER TABLE scan_cursors ADD COLUMN block_id text, ADD COLUMN id_block bigint, ADD COLUMN agreed_block bigint`
]
