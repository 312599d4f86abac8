/** Ends the sessions, links and passkeys of an account, which is locked. */
export const endSessions = [
  "DELETE FROM sessions WHERE account_id = $1::text",
  "DELETE FROM sign_in_links WHERE account_id = $1::text",
  "DELETE FROM passkeys WHERE account_id = $1::text"
]
