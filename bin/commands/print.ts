/** Options that every command has. */
export interface Common {
  db: string
  json?: boolean
}

/** One JSON object, or lines for people. */
export const print = (json: boolean | undefined, value: object, lines: readonly string[]): void =>
  void process.stdout.write(json ? `${JSON.stringify(value)}\n` : lines.map((line) => `${line}\n`).join(''))

/** How far a long command has come: to people only, and not into what they pipe on. */
export const report = (progress: string): void => {
  if (process.stderr.isTTY) process.stderr.write(`${progress}\n`)
}

/** Rows of a table with their cells below each other. */
export function columns(rows: readonly string[][]): string[] {
  const widths = rows[0]!.map((_, i) => Math.max(...rows.map((row) => row[i]!.length)))
  return rows.map((row) =>
    row
      .map((cell, i) => cell.padEnd(widths[i]!))
      .join('  ')
      .trimEnd(),
  )
}
