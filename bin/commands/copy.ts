import { copy as copyChat } from '../../src/admin/copy.ts'
import { nameOf } from '../../src/storage/index.ts'
import type { Io } from '../io.ts'

/** Copies a chat between a file and a PostgreSQL database. */
export async function copy({ from, to, json }: { from: string; to: string; json?: boolean }, io: Io): Promise<void> {
  const tables = await copyChat(from, to, ({ name, rows }) => {
    if (!json && rows > 0) io.stdout.write(`  ${String(rows).padStart(9)}  ${name}\n`)
  })
  const rows = tables.reduce((sum, table) => sum + table.rows, 0)
  io.stdout.write(
    json
      ? `${JSON.stringify({ from: nameOf(from), to: nameOf(to), rows, tables })}\n`
      : `Copied and verified ${rows} rows from ${nameOf(from)} to ${nameOf(to)}.\nServe it with --db. ${nameOf(from)} is unchanged.\n`,
  )
}
