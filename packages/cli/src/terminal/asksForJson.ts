/** Whether arguments ask for JSON, also those of a call that cannot be understood. */
export const asksForJson = (args: ReadonlyArray<string>): boolean => {
  const end = args.indexOf("--")
  return (end === -1 ? args : args.slice(0, end)).includes("--json")
}
