/** Files that share a process, and how long they take together. */
export interface Share {
  readonly files: string[]
  seconds: number
}

/**
 * Distributes files over processes, the longest first, so that each process takes about as long as the others. Loading the program
 * takes longer than most files, so a process gets files worth `most` seconds; a longer file gets a process to itself.
 */
export function distribute(
  files: readonly string[],
  secondsOf: (file: string) => number,
  { most, least = 1 }: { most: number; least?: number },
): Share[] {
  const sorted = [...files].sort((a, b) => secondsOf(b) - secondsOf(a) || (a < b ? -1 : 1))
  const total = files.reduce((sum, file) => sum + secondsOf(file), 0)
  const count = Math.min(files.length, Math.max(least, Math.ceil(total / most)))
  const shares = Array.from({ length: count }, (): Share => ({ files: [], seconds: 0 }))
  for (const file of sorted) {
    const emptiest = shares.reduce((best, share) => (share.seconds < best.seconds ? share : best))
    emptiest.files.push(file)
    emptiest.seconds += secondsOf(file)
  }
  return shares.sort((a, b) => b.seconds - a.seconds)
}
