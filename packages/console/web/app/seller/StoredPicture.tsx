import type { ItemImage } from "@agent-marketplace/client/wire/Endpoints"
import { useMutation, useQuery } from "@tanstack/react-query"
import { useState } from "react"
import { Confirm } from "../../ui/Confirm.tsx"
import { Field } from "../../ui/Field.tsx"
import { Alert } from "../../ui/Page.tsx"
import { confirmed } from "../market.ts"
import type { IllustratedItem } from "./pictures.ts"
import { operationsOf, pictureMessage, pictureQuery } from "./pictures.ts"

/** Moves a screenshot by one place. At an end the button stays, so that the focus does, and does nothing. */
const Move = ({
  direction,
  isPossible,
  move,
  name
}: {
  readonly direction: "earlier" | "later"
  readonly isPossible: boolean
  readonly move: () => void
  readonly name: string
}) => (
  <button
    type="button"
    className="button aria-disabled:cursor-default aria-disabled:opacity-60"
    aria-disabled={!isPossible}
    aria-label={`Move ${name} ${direction}`}
    onClick={() => (isPossible ? move() : undefined)}
  >
    {direction === "earlier" ? "↑ Earlier" : "↓ Later"}
  </button>
)

/** An uploaded picture: its description, place and removal. `place` counts from 1 and is undefined for the thumbnail. */
export const StoredPicture = ({
  count,
  image,
  of,
  onChange,
  place
}: {
  readonly count: number
  readonly image: ItemImage
  readonly of: IllustratedItem
  readonly onChange: (text: string) => void
  readonly place: number | undefined
}) => {
  const name = place === undefined ? "Thumbnail" : `Screenshot ${place}`
  const [alt, setAlt] = useState(image.alt)
  const { data: source } = useQuery(pictureQuery(of, image))
  const { error, isPending, mutate } = useMutation({
    mutationFn: (change: { readonly alt?: string; readonly position?: number }) =>
      confirmed(() => operationsOf(of).update(of.key, image.id, change)),
    onSuccess: (_, { position }) =>
      onChange(position === undefined ? `${name} is described.` : `${name} has place ${position} of ${count} now.`)
  })
  const move = (by: number) => () => {
    if (place !== undefined && !isPending) mutate({ position: place + by })
  }
  return (
    <li className="grid grid-cols-[minmax(0,1fr)] gap-3 py-4 sm:grid-cols-[10rem_minmax(0,1fr)]" aria-label={name}>
      <img
        className="aspect-video w-full max-w-60 rounded-md border border-line bg-page object-contain"
        src={source}
        alt={image.alt === "" ? name : image.alt}
        width={image.small.width}
        height={image.small.height}
      />
      <div className="grid grid-cols-[minmax(0,1fr)] gap-3">
        <p className="font-medium">{name}</p>
        <Field
          label={`Description of ${name.toLowerCase()}`}
          maxLength={200}
          value={alt}
          onChange={(event) => setAlt(event.target.value)}
        />
        {error === null ? null : <Alert>{pictureMessage(error)}</Alert>}
        <div className="flex flex-wrap gap-3">
          {alt.trim() === image.alt ? null : (
            <button
              type="button"
              className="button button-primary"
              disabled={isPending}
              onClick={() => mutate({ alt: alt.trim() })}
            >
              Save description
            </button>
          )}
          {place === undefined ? null : (
            <>
              <Move direction="earlier" isPossible={place > 1} move={move(-1)} name={name} />
              <Move direction="later" isPossible={place < count} move={move(1)} name={name} />
            </>
          )}
          <Confirm
            button="Remove"
            label={`Remove ${name}`}
            title={`Remove ${name.toLowerCase()}?`}
            danger
            act={() => operationsOf(of).delete(of.key, image.id)}
            onDone={() => onChange(`${name} is removed.`)}
          >
            The shop stops showing it. It cannot be restored, only uploaded again.
          </Confirm>
        </div>
      </div>
    </li>
  )
}
