import { useMutation, useQueryClient } from "@tanstack/react-query"
import { useId, useState } from "react"
import { Field } from "../../ui/Field.tsx"
import { Alert, Notice } from "../../ui/Page.tsx"
import { confirmed, market, messageOf } from "../market.ts"

const largest = 20 * 1024 * 1024

/** An upload takes longer than other calls; in milliseconds. */
const timeout = 300_000

class WrongFile extends Error {}

const check = ({ name, size }: File): void => {
  if (!/\.(?:tar\.gz|tgz|zip)$/i.test(name)) throw new WrongFile("Choose a file that ends with .tar.gz, .tgz or .zip.")
  if (size > largest) throw new WrongFile("The file is larger than 20 MiB, which is the most that a release may have.")
}

/** A release from a file that is dropped or chosen (CONSOLE-24). */
export const Upload = ({ listing }: { readonly listing: string }) => {
  const client = useQueryClient()
  const [version, setVersion] = useState("")
  const [over, setOver] = useState(false)
  const id = useId()
  const { data, error, isPending, mutate } = useMutation({
    mutationFn: async (file: File) => {
      check(file)
      const bytes = new Uint8Array(await file.arrayBuffer())
      return confirmed(() => market.releases.upload(listing, bytes, version.trim() || undefined, { timeout }))
    },
    onSettled: () => client.invalidateQueries({ queryKey: ["releases", listing] })
  })
  const take = (files: FileList | null) => {
    const file = files?.[0]
    if (file !== undefined && !isPending) mutate(file)
  }
  return (
    <div className="grid gap-3">
      <Field
        label="Version (optional)"
        hint="Such as 1.2.0. Without it, the version in SKILL.md counts."
        value={version}
        onChange={(event) => setVersion(event.target.value)}
      />
      <div
        className={`grid justify-items-center gap-2 rounded-lg border border-dashed p-6 text-center ${over ? "border-accent bg-accent-soft" : "border-muted"}`}
        onDragOver={(event) => {
          event.preventDefault()
          setOver(true)
        }}
        onDragLeave={() => setOver(false)}
        onDrop={(event) => {
          event.preventDefault()
          setOver(false)
          take(event.dataTransfer.files)
        }}
      >
        <label htmlFor={id} className="font-medium">
          {isPending ? "Uploading…" : "Drop an archive here, or choose a file"}
        </label>
        <p id={`${id}-hint`} className="text-sm text-muted">
          A tar.gz or zip of at most 20 MiB with a SKILL.md.
        </p>
        <input
          id={id}
          type="file"
          className="w-full max-w-xs text-sm file:me-3 file:min-h-10 file:cursor-pointer file:rounded-lg file:border file:border-line file:bg-card file:px-4 file:font-medium file:text-ink"
          accept=".tar.gz,.tgz,.gz,.zip,application/gzip,application/zip"
          aria-describedby={`${id}-hint`}
          disabled={isPending}
          onChange={(event) => {
            take(event.target.files)
            event.target.value = ""
          }}
        />
      </div>
      {error === null ? null : <Alert>{error instanceof WrongFile ? error.message : messageOf(error)}</Alert>}
      {data === undefined ? null : <Notice>Version {data.version} is uploaded. Its verdict appears below.</Notice>}
    </div>
  )
}
