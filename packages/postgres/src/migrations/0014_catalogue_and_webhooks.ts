/** Events know their audience and the agent that caused them; webhooks belong to an account or to one of its agents. */
export const catalogueAndWebhooks: ReadonlyArray<string> = [
  `ALTER TABLE events
    ADD COLUMN audience text CHECK (audience IN ('everyone', 'users')),
    ADD COLUMN agent_id text`,
  `ALTER TABLE webhooks ADD COLUMN agent_id text`,
  `CREATE INDEX webhooks_events ON webhooks USING gin (events)`,
  // The log of deliveries is paged by time and id.
  `DROP INDEX webhook_deliveries_webhook`,
  `CREATE INDEX webhook_deliveries_webhook ON webhook_deliveries (webhook_id, event_at, id)`
]
