import type { Marketplace } from "@agent-marketplace/client/Marketplace"
import type { CallOptions } from "@agent-marketplace/client/requests/Send"
import type { ItemImage } from "@agent-marketplace/client/wire/Endpoints"
import { Effect, FileSystem, Option } from "effect"
import { Argument, Command, Flag } from "effect/cli"
import { usageFailure } from "../errors/CommandFailure.ts"
import { callMarket } from "../identity/session.ts"
import { confirm, yesFlag } from "../terminal/confirm.ts"
import { list } from "../terminal/list.ts"
import { optionalText } from "../terminal/optionalText.ts"
import { report } from "../terminal/report.ts"
import type { Column } from "../terminal/table.ts"
import type { Item } from "./findItem.ts"
import { findItem, itemArguments } from "./findItem.ts"

const columns: ReadonlyArray<Column<ItemImage>> = [
  { title: "ID", value: ({ id }) => id },
  { title: "KIND", value: ({ kind }) => kind },
  { title: "SIZE", value: ({ full }) => `${full.width}×${full.height}` },
  { title: "DESCRIPTION", value: ({ alt }) => alt, yields: true },
  { title: "URL", value: ({ full }) => full.url, yields: true }
]

const image = Argument.String("image").pipe(Argument.withDescription("A picture's id, img_…"))
const file = Argument.String("file").pipe(Argument.withDescription("A PNG, a JPEG or a WebP"))
const alt = optionalText("alt", "Describes the picture for people who do not see it")

/** The operations of the item's kind, and the name that they take. */
const operationsOf = (market: Marketplace, item: Item) =>
  item.type === "soul" ? ([market.soulImages, item.slug] as const) : ([market.images, item.id] as const)

const listOf = async (market: Marketplace, item: Item, options: CallOptions) =>
  item.type === "soul"
    ? { images: await market.soulImages.list(item.slug, options) }
    : market.images.list(item.id, options)

const show = (picture: ItemImage) =>
  report(
    picture,
    () => `${picture.id} ${picture.kind} ${picture.full.width}×${picture.full.height} ${picture.full.url}`
  )

const upload = Command.make(
  "upload",
  {
    ...itemArguments,
    file,
    alt,
    thumbnail: Flag.Boolean("thumbnail").pipe(
      Flag.withDescription("As the thumbnail, which replaces the earlier one"),
      Flag.withDefault(false)
    )
  },
  ({ alt: text, file: path, item: name, thumbnail, type }) =>
    Effect.gen(function* () {
      const files = yield* FileSystem.FileSystem
      const picture = yield* Effect.mapError(files.readFile(path), () => usageFailure(`${path} cannot be read`))
      const found = yield* findItem(name, Option.getOrUndefined(type))
      const kind = thumbnail ? "thumbnail" : "screenshot"
      const described = Option.isSome(text) ? { alt: text.value } : {}
      yield* show(
        yield* callMarket((market, options) => {
          const [images, key] = operationsOf(market, found)
          return images.upload(key, picture, { ...options, ...described, kind })
        })
      )
    })
).pipe(Command.withDescription("Upload a screenshot or the thumbnail of your skill or SOUL"))

const listImages = Command.make("list", itemArguments, ({ item: name, type }) =>
  Effect.gen(function* () {
    const found = yield* findItem(name, Option.getOrUndefined(type))
    const pictures = yield* callMarket((market, options) => listOf(market, found, options))
    yield* report(pictures, (terminal) => list(terminal, { rows: pictures.images, columns, empty: "No picture." }))
  })
).pipe(Command.withDescription("List the pictures of a skill or a SOUL"))

const download = Command.make(
  "download",
  {
    ...itemArguments,
    image,
    output: Flag.String("output").pipe(Flag.withDescription("The file to write; it must not exist"))
  },
  ({ image: wanted, output, item: name, type }) =>
    Effect.gen(function* () {
      const found = yield* findItem(name, Option.getOrUndefined(type))
      const picture = yield* callMarket((market, options) => {
        const [images, key] = operationsOf(market, found)
        return images.download(key, wanted, options)
      })
      const files = yield* FileSystem.FileSystem
      yield* Effect.mapError(files.writeFile(output, picture, { flag: "wx" }), () =>
        usageFailure(`${output} cannot be written: it exists, or its folder is missing`)
      )
      yield* report({ file: output, size: picture.length }, () => `${output}: ${picture.length} bytes`)
    })
).pipe(Command.withDescription("Download a picture as WebP"))

const edit = Command.make(
  "edit",
  {
    ...itemArguments,
    image,
    alt,
    position: Flag.Int("position").pipe(Flag.withDescription("The place among the screenshots, from 1"), Flag.optional)
  },
  ({ alt: text, image: wanted, position, item: name, type }) =>
    Effect.gen(function* () {
      if (Option.isNone(text) && Option.isNone(position)) return yield* usageFailure("give --alt or --position")
      const found = yield* findItem(name, Option.getOrUndefined(type))
      const fields = {
        ...(Option.isSome(text) ? { alt: text.value } : {}),
        ...(Option.isSome(position) ? { position: position.value } : {})
      }
      yield* show(
        yield* callMarket((market, options) => {
          const [images, key] = operationsOf(market, found)
          return images.update(key, wanted, fields, options)
        })
      )
    })
).pipe(Command.withDescription("Describe a picture, or move it among the screenshots"))

const remove = Command.make(
  "remove",
  { ...itemArguments, image, yes: yesFlag },
  ({ image: wanted, item: name, type, yes }) =>
    Effect.gen(function* () {
      const found = yield* findItem(name, Option.getOrUndefined(type))
      yield* confirm(`Remove the picture ${wanted} of ${name}?`, yes)
      const removed = yield* callMarket((market, options) => {
        const [images, key] = operationsOf(market, found)
        return images.delete(key, wanted, options)
      })
      yield* report(removed, () => `${removed.id} is removed.`)
    })
).pipe(Command.withDescription("Remove a picture"))

/** The commands for pictures of a skill or a SOUL (IMAGE-14). */
export const imagesCommand = Command.make("images").pipe(
  Command.withDescription("Thumbnails and screenshots of your skills and SOULs"),
  Command.withSubcommands([upload, listImages, download, edit, remove])
)
