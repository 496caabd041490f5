import { readFileSync } from 'node:fs'
import { CsvError, parse } from 'csv-parse/sync'
import { runOn } from '../../src/admin/run-on.ts'
import type { Io } from '../io.ts'
import { print, reportTo } from './print.ts'

const known = ['email', 'name', 'role', 'password']

interface Line {
  user: Record<string, string>
  line: number
}

/** Runs `user add --from users.csv`: creates all users or none, and lists errors by line. */
export async function importUsers(
  { db, json, from }: { db: string; json: boolean; from: string },
  io: Io,
): Promise<void> {
  const lines = readLines(from)
  const result = await runOn(db, 'addUsers', { users: lines.map(({ user }) => user) }, { report: reportTo(io) })
  if ('errors' in result) {
    const errors = result.errors.map(({ index, message }) => ({ line: lines[index]!.line, message }))
    if (json) print(io, true, { errors }, [])
    for (const { line, message } of errors) io.stderr.write(`${from}:${line}: ${message}\n`)
    throw new Error(`No account was created, because ${errors.length} of ${lines.length} lines have errors`)
  }
  const made = result.users.map(({ email, password }) => `${email}  ${password}`)
  print(io, json, result, [
    `Created ${made.length} accounts. Save their passwords now. They won't be shown again:`,
    '',
    ...made,
  ])
}

function readLines(file: string): Line[] {
  const records = readRecords(file)
  if (records.length === 0) throw new Error(`${file} has no accounts after the header line`)
  return records.map(({ record, info }) => ({
    // An empty cell counts as absent.
    user: Object.fromEntries(Object.entries(record).filter(([, value]) => value !== '')),
    line: info.lines,
  }))
}

interface CsvRecord {
  record: Record<string, string>
  info: { lines: number }
}

function readRecords(file: string): CsvRecord[] {
  try {
    return parse(readFileSync(file), {
      bom: true,
      columns: (header: string[]) => checkHeader(file, header),
      delimiter: [',', ';', '\t'],
      info: true,
      skip_empty_lines: true,
      trim: true,
    })
  } catch (error) {
    if (!(error instanceof CsvError)) throw error
    throw new Error(`${file}:${error.lines}: ${error.message}; no account was created`)
  }
}

function checkHeader(file: string, header: string[]): string[] {
  const names = header.map((name) => name.toLowerCase())
  const unknown = names.find((name) => !known.includes(name))
  const missing = ['email', 'name'].find((name) => !names.includes(name))
  const problem =
    unknown !== undefined ? `has a column ${JSON.stringify(unknown)}` : missing && `has no column "${missing}"`
  if (problem)
    throw new Error(`${file} ${problem}; its header line must have email and name, and optionally role and password`)
  return names
}
