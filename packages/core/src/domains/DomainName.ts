import { Effect, Schema, SchemaGetter, SchemaIssue } from "effect"

/** Names that are not in the public DNS or are reserved for documentation (RFC 2606, 6761, 6762, 7686, 8375, 9476, `internal` of ICANN). */
const specialUse =
  /(?:^|\.)(?:test|example|invalid|localhost|localdomain|local|internal|intranet|lan|home|corp|onion|alt|arpa|example\.(?:com|net|org))$/

const label = /^[a-z0-9](?:[a-z0-9-]{0,61}[a-z0-9])?$/

/** The ASCII form of a domain name, or why its ownership cannot be proven (DOMAIN-2). */
export const domainNameOf = (text: string): { readonly name: string } | { readonly fault: string } => {
  const written = text.trim().replace(/\.$/, "")
  const isName = /^[^\s/\\:@?#[\]%<>"'`|^{}]+$/u.test(written)
  const url = `https://${written}`
  if (!isName || !URL.canParse(url)) return { fault: "must be a domain name, without scheme, port or path" }
  const name = new URL(url).hostname
  if (/^[0-9.]+$/.test(name)) return { fault: "must be a name, not an IP address" }
  const labels = name.split(".")
  if (name.length > 253 || labels.length < 2 || !labels.every((each) => label.test(each))) {
    return { fault: "must be a full domain name, such as ada.dev" }
  }
  if (specialUse.test(name))
    return { fault: "must not be a name that is reserved for special use, which nobody can prove to own" }
  return { name }
}

/** A domain name, decoded to lower-case ASCII (IDNA). */
export const DomainName = Schema.String.annotate({ message: "must be a string" })
  .annotateKey({ messageMissingKey: "is required" })
  .pipe(
    Schema.decodeTo(Schema.String, {
      decode: SchemaGetter.transformEffect((text: string, options) => {
        const found = domainNameOf(text)
        return "name" in found
          ? Effect.succeed(found.name)
          : Effect.fail(new SchemaIssue.InvalidValue({ message: found.fault }, text, options))
      }),
      encode: SchemaGetter.passthrough()
    })
  )
