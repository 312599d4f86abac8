import { maliciousArchives } from "@agent-marketplace/fixtures/archives/maliciousArchives"
import { maliciousUploadsSuite } from "../fixtures/maliciousUploadsSuite.ts"

/** Sizes take seconds to build and to read; the long test has them. */
const slow = new Set(["too_large", "unpacked_too_large", "ratio", "too_many_files"])

/** One archive for each reason. */
const oneOfEach = new Map(maliciousArchives.toReversed().map((form) => [form.reason, form]))

maliciousUploadsSuite([...oneOfEach.values()].filter(({ reason }) => !slow.has(reason)))
