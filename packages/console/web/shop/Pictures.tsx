import type { ItemImage, SkillItem } from "@agent-marketplace/client/wire/Endpoints"
import type { ItemPage } from "./ShopPage.ts"

/** The path of a thumbnail that is stored here. A URL of another origin is not loaded (SHOP-4). */
export const ownThumbnail = (base: string, pictures: string, { thumbnailUrl }: Pick<SkillItem, "thumbnailUrl">) =>
  thumbnailUrl?.startsWith(pictures) === true ? `${base}/images/${thumbnailUrl.slice(pictures.length)}` : undefined

/** The picture of a card, or the empty place for one beside other cards. The title names the item, so the picture has no name of its own. */
export const Thumbnail = ({ source }: { readonly source: string | undefined }) => (
  <div
    className={`aspect-video overflow-hidden rounded-t-xl border-b border-line bg-accent-soft ${source === undefined ? "hidden sm:block" : ""}`}
  >
    {source === undefined ? null : (
      <img className="size-full object-cover" src={source} alt="" width={640} height={360} loading="lazy" />
    )}
  </div>
)

const Screenshot = ({
  base,
  image: { alt, full, small },
  name
}: {
  readonly base: string
  readonly image: ItemImage
  readonly name: string
}) => (
  <li className="shrink-0 snap-start">
    <a className="block rounded-lg" href={base + full.url} target="_blank" rel="noopener">
      <img
        className="h-40 w-auto rounded-lg border border-line bg-page object-contain sm:h-56"
        src={base + small.url}
        srcSet={`${base}${small.url} ${small.width}w, ${base}${full.url} ${full.width}w`}
        sizes={`${Math.ceil((224 * full.width) / full.height)}px`}
        alt={alt === "" ? name : alt}
        width={small.width}
        height={small.height}
        loading="lazy"
      />
    </a>
  </li>
)

/** The uploaded screenshots in a strip, each a link to its full size, and the links that the seller wrote (IMAGE-15). */
export const Screenshots = ({
  base,
  images,
  listing
}: Pick<ItemPage, "images" | "listing"> & { readonly base: string }) => {
  const links = listing?.screenshots ?? []
  const screenshots = images.filter(({ kind }) => kind === "screenshot")
  if (links.length === 0 && screenshots.length === 0) return null
  return (
    <section className="card p-5" aria-label="Screenshots">
      <h2>Screenshots</h2>
      {screenshots.length === 0 ? null : (
        <ul className="mt-3 flex snap-x gap-3 overflow-x-auto p-1">
          {screenshots.map((image, index) => (
            <Screenshot key={image.id} base={base} image={image} name={`Screenshot ${index + 1}`} />
          ))}
        </ul>
      )}
      {links.length === 0 ? null : (
        <ul className="mt-2 grid gap-1 text-sm">
          {links.map((url) => (
            <li key={url}>
              <a className="link wrap-anywhere" href={url} rel="noopener nofollow ugc" target="_blank">
                {url}
              </a>
            </li>
          ))}
        </ul>
      )}
    </section>
  )
}
