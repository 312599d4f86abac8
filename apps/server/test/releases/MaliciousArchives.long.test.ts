import { maliciousArchives } from "@agent-marketplace/fixtures/archives/maliciousArchives"
import { maliciousUploadsSuite } from "../fixtures/maliciousUploadsSuite.ts"

maliciousUploadsSuite(maliciousArchives)
