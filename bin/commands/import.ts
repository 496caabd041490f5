import { readFileSync, writeFileSync } from 'node:fs'
import { resolve } from 'node:path'
import { parse } from 'csv-parse/sync'
import type { CommandArgs, CommandResult } from '../../src/admin/commands.ts'
import { runOn } from '../../src/admin/run-on.ts'
import { cell } from '../../src/core/organization/audit/formats.ts'
import type { ImportProgress } from '../../src/core/organization/imports/options.ts'
import { nameOf } from '../../src/storage/index.ts'
import { DEFAULT_BASE } from '../addresses.ts'
import type { Io } from '../io.ts'
import { type Common, columns, print, reportTo } from './print.ts'

interface ImportOptions extends Common, Pick<CommandArgs<'importData'>, 'from' | 'into' | 'topics'> {
  file: string
  map?: string
  dryRun?: boolean
  downloadFiles?: boolean
}

type Result = CommandResult<'importData'>

/** Imports an export of another server, or says what that would bring. */
export async function importFile(options: ImportOptions, io: Io): Promise<void> {
  const { db, json, file, map, dryRun, downloadFiles, from, into, topics } = options
  const args = {
    // The server that reads it may have another working directory.
    file: resolve(file),
    ...(from !== undefined && { from }),
    ...(into !== undefined && { into }),
    ...(topics !== undefined && { topics }),
    ...(dryRun && { dry_run: true }),
    ...(downloadFiles && { download_files: true }),
    ...(map !== undefined && { mapping: readMap(map) }),
  }
  const result = await runOn(db, 'importData', args, { report: importProgress(io) })
  const head = dryRun
    ? `An import of ${file} would create:`
    : `Imported ${file} into ${nameOf(db)} as import ${result.import_id}${result.resumed ? ', which was resumed' : ''}:`
  print(io, json, result, [head, '', ...reportLines(result.report)])
}

const WIDTH = 30

/** Shows a progress bar on a terminal, and elsewhere a line of JSON for each phase. */
function importProgress({ stderr }: Io): (text: string) => void {
  let shown = ''
  return (text) => {
    // Anything else is a sentence about files that are downloaded.
    const progress: ImportProgress | undefined = text.startsWith('{') ? JSON.parse(text) : undefined
    if (!stderr.isTTY) {
      if (progress && progress.step !== shown) stderr.write(`${text}\n`)
      shown = progress?.step ?? shown
      return
    }
    const { done = 0, total } = progress ?? {}
    const filled = total ? Math.round((WIDTH * done) / total) : 0
    const bar = total === undefined ? '' : ` [${'#'.repeat(filled).padEnd(WIDTH)}]`
    const amount = total === undefined ? String(done) : `${done} of ${total}`
    const isOver = !progress || (progress.step === 'finishing' && shown !== 'finishing')
    stderr.write(`\r\x1b[K${progress ? `${amount} ${nouns[progress.step]}${bar}` : text}${isOver ? '\n' : ''}`)
    shown = progress?.step ?? ''
  }
}

const nouns: Readonly<Record<ImportProgress['step'], string>> = {
  read: 'messages read',
  downloaded: 'files downloaded',
  imported: 'messages imported',
  finishing: 'messages imported',
}

function readMap(file: string): [string, string][] {
  const rows = parse(readFileSync(file), {
    bom: true,
    delimiter: [',', ';', '\t'],
    skip_empty_lines: true,
    trim: true,
    relax_column_count: true,
  })
  const [header, ...lines] = rows as string[][]
  if (header?.[0] !== 'user' || header[1] !== 'account') {
    throw new Error(`${file} has the wrong columns. The first line must be user,account`)
  }
  return lines.map(([user, account], i) => {
    if (!user || !account) throw new Error(`${file}:${i + 2}: each line needs a user and an account`)
    return [user, account]
  })
}

function reportLines(report: Result['report']): string[] {
  const remarks = (title: string, list: Result['report']['changed']) =>
    list.length === 0
      ? []
      : [
          '',
          title,
          ...list.map(
            ({ kind, reason, count, places }) =>
              `  ${count} × ${kind}: ${reason} (${places.slice(0, 3).join(', ')}${places.length > 3 ? ', …' : ''})`,
          ),
        ]
  const { people } = report
  return [
    ...columns(
      Object.keys(report.found).map((kind) => [`  ${kind}`, `${report.imported[kind] ?? 0} of ${report.found[kind]}`]),
    ),
    '',
    `People: ${people.matched} already have an account, ${people.created} get a new one, ${people.stubs} can't sign in, ${people.skipped} are skipped.`,
    ...(report.stubs.length > 0
      ? [`Without an account: ${report.stubs.join(', ')}${people.stubs > report.stubs.length ? ', …' : ''}`]
      : []),
    ...(report.channels.length > 0
      ? [
          '',
          'Largest channels:',
          ...report.channels.slice(0, 10).map(({ name, messages }) => `  ${messages} messages in ${name}`),
        ]
      : []),
    ...remarks('Changed:', report.changed),
    ...remarks('Left out:', report.left_out),
  ]
}

const day = (time: number | null): string =>
  time === null ? '-' : new Date(time * 1000).toISOString().slice(0, 16).replace('T', ' ')

export async function list({ db, json }: Common, io: Io): Promise<void> {
  const result = await runOn(db, 'listImports', {})
  const rows = result.imports.map((one) => [
    String(one.id),
    one.source,
    one.file,
    day(one.started_at),
    one.undone_at !== null
      ? 'undone'
      : one.finished_at !== null
        ? 'done'
        : `${one.messages_done} of ${one.messages} messages`,
  ])
  print(
    io,
    json,
    result,
    rows.length === 0 ? ['There are no imports.'] : columns([['ID', 'SOURCE', 'FILE', 'STARTED', 'STATE'], ...rows]),
  )
}

export async function show({ db, json, id }: Common & { id: number }, io: Io): Promise<void> {
  const result = await runOn(db, 'showImport', { id })
  const lines = result.report
    ? reportLines(result.report)
    : [`${result.messages_done} of ${result.messages} messages are imported.`]
  print(io, json, result, [`Import ${id}: ${result.file} (${result.source}), ${day(result.started_at)}`, '', ...lines])
}

interface InviteOptions extends Common {
  id: number
  out?: string
  mail?: boolean
  publicUrl?: string
}

/** Invites everyone whom an import brought: with a CSV file of links, or by email. */
export async function invite({ db, json, id, out, mail = false, publicUrl }: InviteOptions, io: Io): Promise<void> {
  const { base, newcomers } = await runOn(db, 'inviteNewcomers', { id, mail })
  const rows = newcomers.map(({ email, full_name, path }) => ({
    email,
    name: full_name,
    link: path && `${publicUrl ?? base ?? DEFAULT_BASE}${path}`,
  }))
  const people = `${rows.length} ${rows.length === 1 ? 'person' : 'people'}`
  if (mail) return print(io, json, { newcomers: rows }, [`Sending a link to ${people}.`])
  const csv = [['email', 'name', 'link'], ...rows.map((row) => Object.values(row))]
    .map((row) => `${row.map(cell).join(',')}\n`)
    .join('')
  if (out === undefined) return print(io, json, { newcomers: rows }, [csv.trimEnd()])
  // The links are credentials.
  writeFileSync(out, csv, { flag: 'wx', mode: 0o600 })
  print(io, json, { file: out, count: rows.length }, [
    `Wrote the links of ${people} to ${out}. Each works once within 7 days. Delete the file when you have sent them.`,
  ])
}

export async function undo({ db, json, id }: Common & { id: number }, io: Io): Promise<void> {
  const result = await runOn(db, 'undoImport', { id }, { report: reportTo(io) })
  print(io, json, result, [`Undid import ${id}: removed ${result.messages} messages and everything else it created.`])
}
