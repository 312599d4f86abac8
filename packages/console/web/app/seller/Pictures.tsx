import { useQuery, useQueryClient } from "@tanstack/react-query"
import { useRef, useState } from "react"
import { Loaded } from "../../ui/Loaded.tsx"
import { Alert, Card, Notice } from "../../ui/Page.tsx"
import type { Chosen } from "./ChosenPicture.tsx"
import { ChosenPicture } from "./ChosenPicture.tsx"
import { FileDrop } from "./FileDrop.tsx"
import type { IllustratedItem } from "./pictures.ts"
import { maxScreenshots, picturesQuery, refusalOf } from "./pictures.ts"
import { StoredPicture } from "./StoredPicture.tsx"

/** The pictures of an item: uploads with a preview, descriptions, order and removal (IMAGE-16). */
export const Pictures = ({ of }: { readonly of: IllustratedItem }) => {
  const client = useQueryClient()
  const query = useQuery(picturesQuery(of))
  const [chosen, setChosen] = useState<ReadonlyArray<Chosen>>([])
  const [refused, setRefused] = useState<ReadonlyArray<string>>([])
  const [done, setDone] = useState("")
  const next = useRef(0)
  const take = (files: ReadonlyArray<File>) => {
    const refusals = files.map(refusalOf)
    const accepted = files.filter((_, index) => refusals[index] === undefined)
    setRefused(refusals.filter((refusal) => refusal !== undefined))
    setChosen((before) => [...before, ...accepted.map((file) => ({ id: next.current++, file }))])
  }
  const drop = (id: number) => setChosen((before) => before.filter((one) => one.id !== id))
  const changed = (text: string) => {
    setDone(text)
    void client.invalidateQueries({ queryKey: picturesQuery(of).queryKey })
  }
  return (
    <Card title="Pictures">
      <div className="grid grid-cols-[minmax(0,1fr)] gap-3">
        <FileDrop
          label="Drop pictures here, or choose files"
          hint={`PNG, JPEG or WebP of at most 5 MiB: one thumbnail and up to ${maxScreenshots} screenshots. Metadata, such as where a photo was taken, is removed.`}
          accept="image/png,image/jpeg,image/webp"
          multiple
          take={take}
        />
        {refused.length === 0 ? null : <Alert>{refused.join(" ")}</Alert>}
        {chosen.length === 0 ? null : (
          <ul className="grid grid-cols-[minmax(0,1fr)] gap-3" aria-label="Chosen pictures">
            {chosen.map((one) => (
              <ChosenPicture
                key={one.id}
                chosen={one}
                of={of}
                onDiscard={() => drop(one.id)}
                onUploaded={({ kind }) => {
                  drop(one.id)
                  changed(`${one.file.name} is uploaded as a ${kind}.`)
                }}
              />
            ))}
          </ul>
        )}
        {done === "" ? null : <Notice>{done}</Notice>}
      </div>
      <Loaded query={query}>
        {(images) => {
          const screenshots = images.filter(({ kind }) => kind === "screenshot")
          return images.length === 0 ? (
            <p className="mt-4 text-muted">
              No pictures yet. Lists show the thumbnail, and the page of the item shows the screenshots.
            </p>
          ) : (
            <ul className="mt-2 divide-y divide-line" aria-label="Uploaded pictures">
              {images.map((image) => (
                <StoredPicture
                  key={image.id}
                  image={image}
                  of={of}
                  count={screenshots.length}
                  place={image.kind === "thumbnail" ? undefined : screenshots.indexOf(image) + 1}
                  onChange={changed}
                />
              ))}
            </ul>
          )
        }}
      </Loaded>
    </Card>
  )
}
