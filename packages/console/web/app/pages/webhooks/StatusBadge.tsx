import type { Webhook } from "@agent-marketplace/client/wire/Endpoints"

export const StatusBadge = ({ status }: Pick<Webhook, "status">) =>
  status === "active" ? (
    <span className="badge text-good">Active</span>
  ) : (
    <span className="badge text-warn">Paused</span>
  )
