import { useMutation, useQueryClient } from "@tanstack/react-query"
import { useState } from "react"
import { Field } from "../../ui/Field.tsx"
import { Alert, Notice } from "../../ui/Page.tsx"
import { confirmed, market, messageOf } from "../market.ts"
import { FileDrop } from "./FileDrop.tsx"

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
  const { data, error, isPending, mutate } = useMutation({
    mutationFn: async (file: File) => {
      check(file)
      const bytes = new Uint8Array(await file.arrayBuffer())
      return confirmed(() => market.releases.upload(listing, bytes, version.trim() || undefined, { timeout }))
    },
    onSettled: () => client.invalidateQueries({ queryKey: ["releases", listing] })
  })
  return (
    <div className="grid grid-cols-[minmax(0,1fr)] gap-3">
      <Field
        label="Version (optional)"
        hint="Such as 1.2.0. Without it, the version in SKILL.md counts."
        value={version}
        onChange={(event) => setVersion(event.target.value)}
      />
      <FileDrop
        label={isPending ? "Uploading…" : "Drop an archive here, or choose a file"}
        hint="A tar.gz or zip of at most 20 MiB with a SKILL.md."
        accept=".tar.gz,.tgz,.gz,.zip,application/gzip,application/zip"
        disabled={isPending}
        take={([file]) => (file === undefined ? undefined : mutate(file))}
      />
      {error === null ? null : <Alert>{error instanceof WrongFile ? error.message : messageOf(error)}</Alert>}
      {data === undefined ? null : <Notice>Version {data.version} is uploaded. Its verdict appears below.</Notice>}
    </div>
  )
}
