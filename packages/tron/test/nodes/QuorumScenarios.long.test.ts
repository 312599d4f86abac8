import { quorumSuite } from "../fixtures/quorumSuite.ts"

quorumSuite(1000, 200)
