import { imageKinds, maxAltLength } from "@agent-marketplace/core/images/ItemImage"
import { integer } from "@agent-marketplace/core/fields/InputRules"
import { boundedText } from "@agent-marketplace/core/text/BoundedText"
import { Schema } from "effect"
import { field } from "../wire/Field.ts"
import { optional } from "../wire/Input.ts"
import { ResponseField } from "../wire/ResponseField.ts"

const exampleUrl =
  "https://market.example.com/images/9f86d081884c7d659a2feaa0c55ad015a3bf4f1b2b0b822cd15d6c15b0f00a08.webp"

const variant = (description: string, width: number, height: number) =>
  Schema.Struct({
    url: ResponseField.text("Where everybody reads it while the item is public.", exampleUrl),
    width: ResponseField.count("In pixels.", width),
    height: ResponseField.count("In pixels.", height),
    size: ResponseField.count("In bytes.", 24_512)
  }).annotate({ description })

/** A picture of a listing or a SOUL (IMAGE-5). */
export const ItemImage = Schema.Struct({
  id: ResponseField.text("The id of the picture.", "img_01j9zq5k2f8h3m6n7p0r4s"),
  kind: ResponseField.choice(imageKinds, "What it is for.", "screenshot"),
  alt: ResponseField.text("Describes it for people who do not see it; can be empty.", "A table, sorted by date."),
  full: variant("The picture as WebP.", 1600, 900),
  small: variant("A smaller one for lists.", 480, 270),
  createdAt: ResponseField.time("When it was uploaded.")
}).annotate({ identifier: "ItemImage", description: "A picture of a listing or a SOUL." })

/** The pictures of one listing: the thumbnail first, then the screenshots in their order. */
export const ItemImageList = Schema.Struct({
  images: Schema.Array(ItemImage).annotate({ description: "The thumbnail first, then the screenshots in their order." })
}).annotate({ identifier: "ItemImageList", description: "The pictures of a listing." })

/** A change of a picture; absent fields stay (IMAGE-8). */
export const ImageUpdate = Schema.Struct({
  alt: field(
    optional(boundedText({ min: 0, max: maxAltLength })),
    `Describes the picture for people who do not see it: at most ${maxAltLength} characters.`,
    "A table, sorted by date."
  ),
  position: field(
    optional(integer(1, 8)),
    "The place among the screenshots, from 1; beyond the last one means the end. A thumbnail ignores it.",
    1
  )
}).annotate({ identifier: "ImageUpdate", description: "Changes of a picture; absent fields stay." })
