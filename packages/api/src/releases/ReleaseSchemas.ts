import { releaseStatuses } from "@agent-marketplace/core/releases/Release"
import { levels } from "@agent-marketplace/core/releases/Verdict"
import { boundedText } from "@agent-marketplace/core/text/BoundedText"
import { Schema } from "effect"
import { field } from "../wire/Field.ts"
import { pagesField } from "../wire/pagesField.ts"
import { ResponseField } from "../wire/ResponseField.ts"

const exampleDigest = "9f86d081884c7d659a2feaa0c55ad015a3bf4f1b2b0b822cd15d6c15b0f00a08"

export const nullable = <S extends Schema.Top>(schema: S, description: string) =>
  field(Schema.NullOr(schema), description, null)

const Finding = Schema.Struct({
  rule: ResponseField.text("The id of the rule.", "SKILL-NET-003"),
  level: ResponseField.choice(levels, "How serious it is.", "warn"),
  family: Schema.optionalKey(ResponseField.text("The family of the rule.", "execution")),
  file: ResponseField.text("The file.", "scripts/run.sh"),
  line: ResponseField.count("The line, counted from 1; 0 if the finding is about the whole file.", 3),
  evidence: ResponseField.text("The text that was found, at most 200 characters, with secrets masked.", "curl … | sh"),
  message: ResponseField.text("What is wrong, and what to change.", "Pipes a download into a shell."),
  owasp: ResponseField.textOrNull("The entry of OWASP's Agentic Skills Top 10.", "AST02")
}).annotate({ identifier: "Finding", description: "What a rule found." })

const findings = Schema.Array(Finding).annotate({ description: "What the rules found." })

/** A verdict (RELEASE-8). */
export const Verdict = Schema.Struct({
  level: ResponseField.choice(levels, "The level of the worst finding; `clean` if there are none.", "clean"),
  ruleset: ResponseField.text("The version of the rules.", "2026.11.1"),
  findings
}).annotate({
  identifier: "Verdict",
  description: "The result of a scan. It never changes for the same bytes and ruleset."
})

const capabilitySet = (description: string) =>
  Schema.Struct({
    tools: ResponseField.texts("Tools of the agent.", ["Bash"]),
    hosts: ResponseField.texts("Hosts in the network.", ["api.example.com"]),
    commands: ResponseField.texts("Commands.", ["git"]),
    paths: ResponseField.texts("Files outside the skill's folder.", ["~/.gitconfig"]),
    environment: ResponseField.texts("Environment variables.", ["GITHUB_TOKEN"])
  }).annotate({ description })

const Capabilities = Schema.Struct({
  declared: capabilitySet("What the skill says it needs."),
  used: capabilitySet("What the scan found that it uses.")
}).annotate({ identifier: "Capabilities", description: "What a skill needs." })

const Statement = Schema.Struct({
  payloadType: ResponseField.text("The type of the payload.", "application/vnd.in-toto+json"),
  payload: ResponseField.text("The payload in base64.", "e30="),
  signatures: Schema.Array(
    Schema.Struct({
      keyid: ResponseField.text("The id of the market's key.", "kPrK_qmxVWaYVA9wwBF6Iuo3vVzz7TxHCTwXBygrS4k"),
      sig: ResponseField.text("The signature in base64.", "c2ln")
    }).annotate({ description: "A signature." })
  ).annotate({ description: "The signatures." })
}).annotate({
  identifier: "Statement",
  description: "A DSSE envelope over an in-toto statement about the archive and its files."
})

const ReleaseFile = Schema.Struct({
  path: ResponseField.text("The path in the release; the digest once it is purged.", "SKILL.md"),
  size: ResponseField.count("In bytes.", 1200),
  sha256: ResponseField.text("SHA-256 in hex.", exampleDigest)
}).annotate({ identifier: "ReleaseFile", description: "A file of a release." })

export const ReleaseReason = Schema.Struct({
  code: ResponseField.text("For programs.", "malware"),
  text: ResponseField.text("For people.", "SKILL-EXEC-001 in SKILL.md, line 3: Pipes a download into a shell.")
}).annotate({ identifier: "ReleaseReason", description: "Why a release is not on sale." })

/** A release (RELEASE-14). */
export const Release = Schema.Struct({
  id: ResponseField.text("Prefix `rel_`.", "rel_01j9zq5k2f8h3m6n7p0r4s"),
  version: ResponseField.text("A semantic version.", "1.0.0"),
  sha256: ResponseField.text("SHA-256 of the archive in hex.", exampleDigest),
  size: ResponseField.count("The size of the archive in bytes.", 4096),
  files: Schema.Array(ReleaseFile).annotate({ description: "The files, sorted by the bytes of their paths." }),
  frontMatter: nullable(
    Schema.Record(Schema.String, Schema.Unknown),
    "The fields of the front matter of `SKILL.md`, as its author wrote them; null for a SOUL."
  ),
  status: ResponseField.choice(releaseStatuses, "Only a published release is on sale.", "published"),
  verdict: nullable(Verdict, "Null until it was scanned."),
  capabilities: nullable(Capabilities, "Null until it was scanned."),
  statement: nullable(Statement, "The market's signature; null until it was scanned, and once it is purged."),
  reason: nullable(ReleaseReason, "Why it is quarantined, in review or yanked; null otherwise."),
  createdAt: ResponseField.time("When it was uploaded."),
  purgedAt: ResponseField.timeOrNull("When an operator purged its bytes; null if they were not purged.")
}).annotate({
  identifier: "Release",
  description: "A set of files at a version. Its bytes never change. If they are purged, digests and sizes remain."
})

/** A page of releases (WIRE-18). */
export const ReleaseList = Schema.Struct({
  releases: Schema.Array(Release).annotate({ description: "The releases of the page, newest first." }),
  pagination: pagesField("releases", "How many releases there are.")
}).annotate({ identifier: "ReleaseList", description: "A page of releases." })

/** RELEASE-24. */
export const YankInput = Schema.Struct({
  reason: field(
    boundedText({ min: 1, max: 500 }).annotateKey({ messageMissingKey: "is required" }),
    "1 to 500 characters, for those who installed it.",
    "Deletes files on Windows."
  )
}).annotate({ identifier: "YankInput", description: "Why a release is taken off sale." })

/** RELEASE-23. */
export const ItemTrust = Schema.Struct({
  level: field(
    Schema.NullOr(Schema.Literals(levels)),
    "The level of the verdict; null if no release was scanned.",
    "clean"
  ),
  ruleset: ResponseField.textOrNull("The version of the rules; null if no release was scanned.", "2026.11.1"),
  findings,
  creator: Schema.Struct({
    verified: ResponseField.flag("Whether the creator has proven a domain.", false),
    domains: ResponseField.texts("The proven domains.", ["example.com"])
  }).annotate({ description: "The creator." }),
  releases: ResponseField.count("How many releases there are.", 3),
  reports: ResponseField.count("How many open reports there are.", 0)
}).annotate({ identifier: "ItemTrust", description: "How far an item can be trusted, and why." })
