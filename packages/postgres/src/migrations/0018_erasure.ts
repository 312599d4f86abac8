/** Erasures of accounts find the events that name agents and keys by an index. */
export const erasure: ReadonlyArray<string> = [
  // Only events that name an agent or a key. Purchases are not among them and pay nothing for the index.
  `CREATE INDEX events_agents_and_keys ON events (subject) WHERE type IN ('agent.frozen', 'key.rotation_due')`
]
