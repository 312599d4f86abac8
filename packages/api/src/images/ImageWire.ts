import { Timestamp } from "@agent-marketplace/core/clock/Timestamp"
import type { ImageVariant, ItemImage as CoreImage } from "@agent-marketplace/core/images/ItemImage"
import { imagePath } from "@agent-marketplace/core/images/ItemImage"
import type { ItemImage } from "./ImageSchemas.ts"

/** `baseUrl` without a trailing slash; relative URLs if it is empty. */
export const toItemImage =
  (baseUrl: string) =>
  ({ alt, createdAt, full, id, kind, small }: CoreImage): typeof ItemImage.Type => {
    const variantOf = (variant: ImageVariant) => ({
      url: baseUrl + imagePath(variant),
      width: variant.width,
      height: variant.height,
      size: variant.size
    })
    return { id, kind, alt, full: variantOf(full), small: variantOf(small), createdAt: Timestamp.toIso(createdAt) }
  }
