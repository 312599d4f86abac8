/** Collects the parameters of a statement while its text is built. */
export class Parameters {
  readonly values: Array<unknown> = []

  /** Adds the value and returns its placeholder. */
  add(value: unknown, type: string): string {
    this.values.push(value)
    return `$${this.values.length}::${type}`
  }
}
