interface ShownPage {
  /** The last part of its address below `/docs/guides`. */
  readonly name: string
  /** The heading of the contents below which it stands. */
  readonly group: string
  /** The path in the repository. */
  readonly file: string
}

const inGuides = (group: string, ...names: ReadonlyArray<string>): ReadonlyArray<ShownPage> =>
  names.map((name) => ({ name, group, file: `docs/guides/${name}.md` }))

/** The pages of `docs` that are shown below `/docs/guides`, in the order of the contents (DOCS-2). */
export const guides: ReadonlyArray<ShownPage> = [
  ...inGuides("Start", "first-purchase", "limits-and-approvals", "errors", "idempotency", "webhooks", "oauth", "trust"),
  ...inGuides("Buy and sell", "publish-and-install", "let-an-application-buy", "check-licenses-offline"),
  { name: "receivers", group: "Buy and sell", file: "docs/receivers.md" },
  { name: "scanning", group: "Buy and sell", file: "docs/trust.md" },
  ...inGuides("Embed", "embedding"),
  { name: "embedding-in-detail", group: "Embed", file: "docs/embedding/README.md" },
  { name: "adapters", group: "Embed", file: "docs/embedding/adapters.md" },
  ...inGuides("Run a market", "backup", "database-roles", "reverse-proxy", "upgrade"),
  { name: "operations", group: "Run a market", file: "docs/operations.md" },
  { name: "tron", group: "Run a market", file: "docs/tron.md" },
  { name: "screening", group: "Run a market", file: "docs/screening.md" },
  { name: "signer", group: "Run a market", file: "docs/signer.md" }
]
