import type { Io } from '../io.ts'

/** Options that every command has. */
export interface Common {
  db: string
  json?: boolean
}

/** Prints one JSON object, or readable lines. */
export const print = (io: Io, json: boolean | undefined, value: object, lines: readonly string[]): void =>
  void io.stdout.write(json ? `${JSON.stringify(value)}\n` : lines.map((line) => `${line}\n`).join(''))

/** Shows the progress of a long command: only on a terminal, and not on stdout, which may be piped. */
export const reportTo =
  ({ stderr }: Io) =>
  (progress: string): void => {
    if (stderr.isTTY) stderr.write(`${progress}\n`)
  }

/** The rows of a table with aligned columns. */
export function columns(rows: readonly string[][]): string[] {
  const widths = rows[0]!.map((_, i) => Math.max(...rows.map((row) => row[i]!.length)))
  return rows.map((row) =>
    row
      .map((cell, i) => cell.padEnd(widths[i]!))
      .join('  ')
      .trimEnd(),
  )
}
