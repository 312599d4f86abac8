import { describe, expect, it } from "vitest"
import { maliciousArchives } from "@agent-marketplace/fixtures/archives/maliciousArchives"
import { ArchiveRefused } from "../src/archive/ArchiveRefused.ts"
import { readSkill } from "../src/archive/readSkill.ts"
import { unpackArchive } from "../src/archive/unpackArchive.ts"

describe("a malicious archive is refused with its reason (ARCHIVE-2, ARCHIVE-5, ARCHIVE-9, ARCHIVE-10, ARCHIVE-11)", () => {
  it.each(maliciousArchives.map((form) => [form.name, form] as const))("%s", (_name, { build, reason }) => {
    const unpacked = unpackArchive(build())
    const refused = unpacked instanceof ArchiveRefused ? unpacked : readSkill(unpacked.files)
    expect(refused).toBeInstanceOf(ArchiveRefused)
    if (!(refused instanceof ArchiveRefused)) return
    expect({ reason: refused.reason, message: refused.message }).toEqual({ reason, message: refused.message })
    // A message can be shown in a terminal as it is.
    expect(refused.message).toMatch(/^[^\p{Cc}\p{Cf}]{10,400}$/u)
  })
})
