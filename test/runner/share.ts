/** Files of one part, and how long they take together. */
export interface Share {
  readonly files: string[]
  seconds: number
}

/** Distributes files over parts that take about as long as each other, the longest files first. */
export function distribute(files: readonly string[], secondsOf: (file: string) => number, parts: number): Share[] {
  const shares = Array.from({ length: Math.min(files.length, parts) }, (): Share => ({ files: [], seconds: 0 }))
  for (const file of longestFirst(files, secondsOf)) {
    const emptiest = shares.reduce((best, share) => (share.seconds < best.seconds ? share : best))
    emptiest.files.push(file)
    emptiest.seconds += secondsOf(file)
  }
  return shares.sort((a, b) => b.seconds - a.seconds)
}

export const longestFirst = (files: readonly string[], secondsOf: (file: string) => number): string[] =>
  [...files].sort((a, b) => secondsOf(b) - secondsOf(a) || (a < b ? -1 : 1))
