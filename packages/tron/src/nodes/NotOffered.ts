import { ChainUnavailable } from "@agent-marketplace/core/chain/Chain"

/** The node does not offer the method: it was built without it, or the method is disabled. */
export class NotOffered extends ChainUnavailable {}
