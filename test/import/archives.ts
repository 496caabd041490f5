import { mkdirSync, writeFileSync } from 'node:fs'
import { dirname, join } from 'node:path'
import { runCommand } from '../../src/admin/commands.ts'
import type { Chat } from '../../src/core/kernel/chat.ts'
import { contextOf } from '../../src/core/kernel/context.ts'
import { storeOf } from '../../src/core/kernel/store.ts'
import { indexerOf } from '../../src/core/narrow/search/indexer.ts'
import type { ImportOptions } from '../../src/core/organization/imports/options.ts'
import { TemporaryFolder } from '../temporary-folder.ts'

type Content = string | Uint8Array | object

/** A folder with these files; objects and lists are written as JSON. */
export class ArchiveFolder implements Disposable {
  readonly #folder = new TemporaryFolder()
  readonly path: string
  constructor(files: Readonly<Record<string, Content>>) {
    this.path = join(this.#folder.path, 'archive')
    this.add(files)
  }
  add(files: Readonly<Record<string, Content>>): void {
    for (const [name, content] of Object.entries(files)) {
      const path = join(this.path, name)
      mkdirSync(dirname(path), { recursive: true })
      const isRaw = typeof content === 'string' || content instanceof Uint8Array
      writeFileSync(path, isRaw ? content : JSON.stringify(content))
    }
  }
  [Symbol.dispose]() {
    this.#folder[Symbol.dispose]()
  }
}

/** Lines of the neutral format, with their header. */
export const jsonLines = (...records: object[]): string =>
  [{ type: 'header', format: 'chat-server-import', version: 1, source: 'jsonl' }, ...records]
    .map((record) => `${JSON.stringify(record)}\n`)
    .join('')

/** Imports through the admin command. */
export const importInto = (
  chat: Chat,
  { path }: { path: string },
  { dryRun, downloadFiles, mapping, ...options }: Omit<ImportOptions, 'file'> = {},
  report: (text: string) => void = () => {},
) =>
  runCommand(
    chat,
    'importData',
    {
      ...options,
      file: path,
      dry_run: dryRun,
      download_files: downloadFiles,
      ...(mapping && { mapping: [...mapping] }),
    },
    report,
  )

/** All rows of the tables that an import writes to, without what only counts up or is never undone. */
export async function contentsOf(chat: Chat): Promise<Record<string, unknown[]>> {
  await indexerOf(chat).catchUp(contextOf(chat))
  const store = storeOf(chat)
  const contents: Record<string, unknown[]> = {}
  const left = [
    'import',
    'audit',
    'event',
    'event_log_state',
    'queue',
    'search_progress',
    'web_push_progress',
    'push_progress',
    'outgoing_progress',
    'dropped_blob',
    'blob',
    'blob_chunk',
    'migration',
    'peer_change',
  ]
  for (const { name, key } of await store.dialect.tables(store.db)) {
    if (left.includes(name)) continue
    const rows = await store.db
      .selectFrom(name as 'user')
      .selectAll()
      .execute()
    const order = (row: object) => JSON.stringify(key.map((column) => (row as Record<string, unknown>)[column]))
    contents[name] = rows.toSorted((a, b) => (order(a) < order(b) ? -1 : 1))
  }
  return contents
}
