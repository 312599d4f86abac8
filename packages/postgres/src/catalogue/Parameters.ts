/** The parameters of a statement that is put together. */
export class Parameters {
  readonly values: Array<unknown> = []

  /** The SQL that stands for the value. */
  add(value: unknown, type: string): string {
    this.values.push(value)
    return `$${this.values.length}::${type}`
  }
}
