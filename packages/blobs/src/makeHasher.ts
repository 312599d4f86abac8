import type { Hasher } from "@agent-marketplace/core/blobs/verifiedBytes"
import { createHash } from "node:crypto"

/** SHA-256 on Node. */
export const makeHasher = (): Hasher => {
  const hash = createHash("sha256")
  return { update: (bytes) => void hash.update(bytes), hex: () => hash.digest("hex") }
}
