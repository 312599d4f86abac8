import { quorumSuite } from "../fixtures/quorumSuite.ts"

/** Each history takes half a second: it derives keys, signs, and reads hundreds of blocks. The long form has a thousand of them. */
quorumSuite(Number(process.env["QUORUM_SCENARIOS"] ?? 12), 4)
