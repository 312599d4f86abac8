import * as fc from "fast-check"
import { expect, test } from "vitest"
import { boilerplate } from "../src/boilerplate.ts"
import { copyFinding, shingles, similarity, sketchOf } from "../src/copies.ts"
import { sketchOfRelease } from "../src/sketchOfRelease.ts"

const encoder = new TextEncoder()
const file = (path: string, text: string) => ({ path, bytes: encoder.encode(text) })

/** A text of so many words, which no other seed has. */
const words = (count: number, seed: string): ReadonlyArray<string> =>
  Array.from({ length: count }, (_, n) => `${seed}${(n * 7919) % 10_007}`)

const textOf = (count: number, seed: string): string => words(count, seed).join(" ")

const common = (a: ReadonlyArray<number>, b: ReadonlyArray<number>): number => a.filter((key) => b.includes(key)).length

const isCopy = (one: string, other: string): boolean =>
  copyFinding("SKILL.md", shingles(one), { name: "other", shingles: shingles(other) }) !== undefined

test("SCAN-18 the sketch of a text is the same at every call, and has 32 keys of 32 bits with a sign", () => {
  const text = textOf(2000, "w")
  const sketch = sketchOf(text)
  expect(sketchOf(text)).toEqual(sketch)
  expect(sketch?.shingles.length).toBe(512)
  expect(new Set(sketch?.keys).size).toBe(32)
  for (const key of sketch?.keys ?? []) expect(key).toBe(key | 0)
})

test("SCAN-18 texts that differ in case, spaces and accents have the same sketch", () => {
  const text = textOf(300, "word é ")
  expect(sketchOf(text.toUpperCase().replaceAll(" ", "\r\n  "))).toEqual(sketchOf(text))
})

test("SCAN-18 texts with at least 70 % common shingles have keys in common, and are copies", () => {
  let missed = 0
  for (let n = 0; n < 200; n++) {
    const all = words(400 + n * 10, `s${n}x`)
    // Shingles that the removed tail had are missing in one of the two texts.
    const kept = all.slice(0, Math.ceil(all.length * 0.74))
    const [one, other] = [all.join(" "), kept.join(" ")]
    const [whole, part] = [sketchOf(one), sketchOf(other)]
    const share = similarity(whole?.shingles ?? [], part?.shingles ?? [])
    expect(Math.abs(share - 0.74)).toBeLessThan(0.1)
    if (common(whole?.keys ?? [], part?.keys ?? []) === 0) missed++
    expect(isCopy(one, other)).toBe(share >= 0.7)
  }
  expect(missed).toBe(0)
})

test("SCAN-18 different texts have no key in common, also beside a template of a third of each", () => {
  const template = textOf(100, "template")
  const sketches = Array.from({ length: 100 }, (_, n) => sketchOf(`${template} ${textOf(200, `own${n}x`)}`))
  let shared = 0
  for (const [n, one] of sketches.entries())
    for (const other of sketches.slice(n + 1)) {
      expect(similarity(one?.shingles ?? [], other?.shingles ?? [])).toBeLessThan(0.4)
      if (common(one?.keys ?? [], other?.keys ?? []) > 0) shared++
    }
  expect(shared / 4950).toBeLessThan(0.1)
  expect(isCopy(`${template} ${textOf(200, "a")}`, `${template} ${textOf(200, "b")}`)).toBe(false)
})

test("SCAN-18 short texts and licenses are not compared", () => {
  expect(sketchOf(textOf(70, "w"))).toBeNull()
  expect(sketchOf(textOf(71, "w"))).not.toBeNull()
  expect(isCopy(textOf(70, "w"), textOf(70, "w"))).toBe(false)
  expect(isCopy(textOf(71, "w"), textOf(71, "w"))).toBe(true)
  for (const passage of boilerplate) {
    expect(sketchOf(`Copyright 2026 Ada. ${passage}`)).toBeNull()
    expect(isCopy(`${textOf(100, "a")}\n${passage}`, `${textOf(100, "b")}\n${passage}`)).toBe(false)
  }
})

test("SCAN-18 only the main text counts", () => {
  const text = textOf(200, "w")
  expect(sketchOfRelease([file("README.md", "Short."), file("SKILL.md", text)], "skill")).toEqual(sketchOf(text))
  expect(sketchOfRelease([file("SOUL.md", text)], "soul")).toEqual(sketchOf(text))
  expect(sketchOfRelease([file("README.md", text), file("SKILL.md", "Short.")], "skill")).toBeNull()
  expect(sketchOfRelease([file("README.md", text)], "skill")).toBeNull()
  expect(sketchOfRelease([file("SKILL.md", "\u0000".repeat(2000))], "skill")).toBeNull()
})

test("SCAN-18 the sketch of any text is bounded, and takes seconds for a million words", () => {
  fc.assert(
    fc.property(fc.string({ maxLength: 5000, unit: "binary" }), (text) => {
      const sketch = sketchOf(text)
      if (sketch !== null) expect(sketch.keys.length).toBe(32)
    }),
    { numRuns: 50 }
  )
  const text = textOf(1_000_000, "w")
  const started = performance.now()
  expect(sketchOf(text)?.shingles.length).toBe(512)
  expect(performance.now() - started).toBeLessThan(20_000)
})
