import type { ItemImage } from "@agent-marketplace/client/wire/Endpoints"
import { useMutation, useQuery } from "@tanstack/react-query"
import { useState } from "react"
import { Field, SelectField } from "../../ui/Field.tsx"
import { Alert } from "../../ui/Page.tsx"
import { confirmed } from "../market.ts"
import type { IllustratedItem } from "./pictures.ts"
import { dataUrl, operationsOf, pictureMessage, timeout } from "./pictures.ts"

/** A file that was chosen and is not yet uploaded. */
export interface Chosen {
  readonly id: number
  readonly file: File
}

/** Shows a chosen file and asks what it is for. A refused upload keeps the file and the description. */
export const ChosenPicture = ({
  chosen: { file, id },
  of,
  onDiscard,
  onUploaded
}: {
  readonly chosen: Chosen
  readonly of: IllustratedItem
  readonly onDiscard: () => void
  readonly onUploaded: (image: ItemImage) => void
}) => {
  const [kind, setKind] = useState<ItemImage["kind"]>("screenshot")
  const [alt, setAlt] = useState("")
  const { data: source } = useQuery({ queryKey: ["chosen", id], gcTime: 0, queryFn: () => dataUrl(file) })
  const { error, isPending, mutate } = useMutation({
    mutationFn: async () => {
      const bytes = new Uint8Array(await file.arrayBuffer())
      return confirmed(() => operationsOf(of).upload(of.key, bytes, { kind, alt: alt.trim(), timeout }))
    },
    onSuccess: onUploaded
  })
  return (
    <li className="grid grid-cols-[minmax(0,1fr)] gap-3 rounded-lg border border-accent p-3 sm:grid-cols-[10rem_minmax(0,1fr)]">
      <img
        className="aspect-video w-full max-w-60 rounded-md bg-page object-contain"
        src={source}
        alt={`Preview of ${file.name}`}
        width={160}
        height={90}
      />
      <form
        aria-label={file.name}
        className="grid grid-cols-[minmax(0,1fr)] gap-3"
        onSubmit={(event) => {
          event.preventDefault()
          mutate()
        }}
      >
        <p className="font-medium wrap-anywhere" dir="auto">
          {file.name}
        </p>
        <SelectField
          label="Used as"
          options={[
            ["screenshot", "Screenshot"],
            ["thumbnail", "Thumbnail (replaces the one before)"]
          ]}
          value={kind}
          onChange={(event) => setKind(event.target.value === "thumbnail" ? "thumbnail" : "screenshot")}
        />
        <Field
          label="Description"
          hint="For people who do not see the picture."
          maxLength={200}
          value={alt}
          onChange={(event) => setAlt(event.target.value)}
        />
        {error === null ? null : <Alert>{pictureMessage(error)}</Alert>}
        <div className="flex flex-wrap gap-3">
          <button className="button button-primary" disabled={isPending}>
            {isPending ? "Uploading…" : "Upload"}
          </button>
          <button type="button" className="button" disabled={isPending} onClick={onDiscard}>
            Discard
          </button>
        </div>
      </form>
    </li>
  )
}
