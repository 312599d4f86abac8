import type { SlugRequest } from "@agent-marketplace/core/slugs/Slug"
import { Slug } from "@agent-marketplace/core/slugs/Slug"

/** The slugs in use. A slug is never released. */
export class UniqueSlugs {
  private readonly given = new Set<string>()
  /** The suffix from which to search: all before it are taken, so that many items with the same name stay cheap. */
  private readonly next = new Map<string, number>()

  /** Takes the base, or the base with the first free suffix from 2, for ever. */
  take({ base, reserved }: SlugRequest): string {
    const slug = reserved || this.given.has(base) ? this.suffixed(base) : base
    this.given.add(slug)
    return slug
  }

  private suffixed(base: string): string {
    let suffix = this.next.get(base) ?? 2
    while (this.given.has(Slug.withSuffix(base, suffix))) suffix++
    this.next.set(base, suffix + 1)
    return Slug.withSuffix(base, suffix)
  }
}
