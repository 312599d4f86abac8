import { setImmediate } from "node:timers/promises"
import { expect, it } from "vitest"
import { trustStep } from "@agent-marketplace/fixtures/fuzzing/trustTargets"
import { readSkill } from "../src/archive/readSkill.ts"
import { unpackArchive } from "../src/archive/unpackArchive.ts"

// `npm run fuzz:trust -- --steps N` runs as many steps as wanted, without permission to write, with limits of time and memory.
it("changed archives and texts are refused or accepted, never anything else, each within 2 s (ARCHIVE-12)", async () => {
  const seed = Math.floor(Math.random() * 2 ** 31)
  let accepted = 0
  for (let step = 0; step < 3000; step++) {
    if (step % 128 === 0) await setImmediate()
    const before = process.cpuUsage()
    try {
      if (await trustStep({ unpackArchive, readSkill }, seed, step)) accepted++
    } catch (error) {
      throw new Error(`repeat with: npm run fuzz:trust -- --seed ${seed} --from ${step} --steps 1`, { cause: error })
    }
    const { system, user } = process.cpuUsage(before)
    expect(system + user, `seed ${seed}, step ${step}`).toBeLessThan(2e6)
  }
  expect(accepted).toBeGreaterThan(50)
})

const filled = (unit: string): string => unit.repeat(16_000 / unit.length)

it.each([
  ["errors in each line", filled("@\n")],
  ["different keys", Array.from({ length: 2000 }, (_, index) => `k${index}:`).join("\n")],
  ["equal keys", filled("a:\n")],
  ["mappings as keys", filled("{}: {}\n")],
  ["lone brackets", filled("]}")],
  ["anchors", filled("&a\n")],
  ["lists in lists", filled("[],")],
  ["text without an end", "text\n".repeat(5_000_000)]
])("front matter of %s costs little time (ARCHIVE-12)", (_name, block) => {
  const bytes = Buffer.from(`---\nname: a\ndescription: b\n${block}\n---\n`)
  const before = process.cpuUsage()
  expect(readSkill([{ path: "SKILL.md", bytes }])).toMatchObject({ reason: "front_matter" })
  const { system, user } = process.cpuUsage(before)
  expect(system + user).toBeLessThan(1e6)
})
