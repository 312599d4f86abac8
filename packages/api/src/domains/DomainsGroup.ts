import { Timestamp } from "@agent-marketplace/core/clock/Timestamp"
import type { Domain as Stored } from "@agent-marketplace/core/domains/Domain"
import { domainStatuses } from "@agent-marketplace/core/domains/Domain"
import { DomainName } from "@agent-marketplace/core/domains/DomainName"
import { Schema } from "effect"
import { HttpApiGroup, HttpApiSchema, OpenApi } from "effect/http-api"
import { access } from "../access/Access.ts"
import { endpoint } from "../access/Endpoint.ts"
import { Deleted, enveloped, pageOf } from "../wire/Envelope.ts"
import { field } from "../wire/Field.ts"
import { pageQuery } from "../wire/Query.ts"
import { ResponseField } from "../wire/ResponseField.ts"

export const Domain = Schema.Struct({
  domain: ResponseField.text("In lower-case ASCII.", "ada.dev"),
  token: ResponseField.text(
    "What the domain must publish: as the value of a TXT record, or in `/.well-known/agent-marketplace.txt`.",
    "amv_3f8k2m9q7r5t1v6x4z0a2c8e6g4j1n5p"
  ),
  status: ResponseField.choice(domainStatuses, "Whether the token was found.", "pending"),
  checkedAt: ResponseField.timeOrNull("When it was last checked; null if never."),
  problem: ResponseField.textOrNull("Why the last check did not find the token.", "no TXT record has the token")
}).annotate({ identifier: "Domain", description: "A domain that an account proves to be its own." })

const DomainInput = Schema.Struct({
  domain: field(DomainName, "A domain name; other scripts are stored in ASCII (IDNA).", "ada.dev")
}).annotate({ identifier: "DomainInput", description: "The domain to prove." })

/** A domain in a response (DOMAIN-1). */
export const toDomain = ({ checkedAt, domain, problem, status, token }: Stored): typeof Domain.Type => ({
  domain,
  token,
  status,
  checkedAt: checkedAt === null ? null : Timestamp.toIso(checkedAt),
  problem
})

const params = { domain: field(DomainName, "The domain's name.", "ada.dev") }

const add = endpoint.post("add", "/api/v1/account/domains", {
  summary: "Add a domain",
  description:
    "Returns the token that the domain must publish. A domain that the account has already keeps its token. At most 20 domains.",
  access: access.owner,
  payload: DomainInput,
  success: enveloped(Domain).pipe(HttpApiSchema.status(201)),
  errors: ["CONFLICT"]
})

const list = endpoint.get("list", "/api/v1/account/domains", {
  summary: "List domains",
  description: "The account's domains, by name.",
  access: access.ownerRead,
  query: pageQuery,
  success: pageOf(Schema.Array(Domain).annotate({ description: "The domains of the page." }))
})

const verify = endpoint.post("verify", "/api/v1/account/domains/:domain/verify", {
  summary: "Verify a domain",
  description:
    "Looks for the token in the TXT records of the domain and of `_agent-marketplace.<domain>`, and in " +
    "`https://<domain>/.well-known/agent-marketplace.txt`. If it is not there, `status` stays pending and `problem` says why.",
  access: access.owner,
  params,
  success: enveloped(Domain),
  errors: ["DOMAIN_NOT_FOUND"]
})

const remove = endpoint.delete("remove", "/api/v1/account/domains/:domain", {
  summary: "Remove a domain",
  description: "Without another verified domain, the creator's mark ends at once.",
  access: access.owner,
  params,
  success: enveloped(Deleted),
  errors: ["DOMAIN_NOT_FOUND"]
})

/** Domains of creators (DOMAIN-1 to DOMAIN-8). */
export const DomainsGroup = HttpApiGroup.make("domains")
  .add(add, list, verify, remove)
  .annotateMerge(OpenApi.annotations({ title: "Domains", description: "Domains that creators prove to be theirs." }))
