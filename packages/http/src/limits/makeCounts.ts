/** Numbers of open things by subject. A subject with none takes no memory. */
export const makeCounts = () => {
  const counts = new Map<string, number>()
  return {
    of: (subject: string) => counts.get(subject) ?? 0,
    add: (subject: string, by: 1 | -1) => {
      const count = (counts.get(subject) ?? 0) + by
      if (count === 0) counts.delete(subject)
      else counts.set(subject, count)
    }
  }
}
