import { ChainUnavailable } from "@agent-marketplace/core/chain/Chain"

/** The node has no such method: it was built without it, or it is switched off. */
export class NotOffered extends ChainUnavailable {}
