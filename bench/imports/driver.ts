import Database from 'better-sqlite3'
import { piecesOf } from '../../src/storage/index.ts'
import { millisecondsSince, moment } from '../processor-time.ts'

/** The ceiling: the rows that each message takes, by the driver, in one transaction for each thousand. */
export function insertByDriver(from: string, file: string): number {
  const source = new Database(from, { readonly: true })
  const target = new Database(file)
  target.pragma('journal_mode = WAL')
  target.pragma('synchronous = NORMAL')
  target.pragma('foreign_keys = OFF')
  const tables = ['message', 'search_text', 'import_object', 'reaction']
  for (const name of tables) {
    const made = source
      .prepare('select sql from sqlite_master where name = ? or (tbl_name = ? and type = ? and sql is not null)')
      .pluck()
      .all(name, name, 'index') as string[]
    for (const sql of made) target.exec(sql)
  }
  target.exec(source.prepare('select sql from sqlite_master where name = ?').pluck().get('message_search') as string)
  const rows = tables.map(
    (name) => [name, source.prepare(`select * from ${name}`).all() as Record<string, unknown>[]] as const,
  )
  const pieces = rows[1]![1].map((one) => [...piecesOf(String(one.text))].join(' '))
  const began = moment()
  for (const [name, all] of rows) {
    if (all.length === 0) continue
    const columns = Object.keys(all[0]!)
    const insert = target.prepare(
      `insert into ${name} (${columns.map((each) => `"${each}"`)}) values (${columns.map(() => '?')})`,
    )
    for (let at = 0; at < all.length; at += 1000) {
      target.exec('begin')
      for (const one of all.slice(at, at + 1000)) insert.run(...Object.values(one))
      target.exec('commit')
    }
  }
  const index = target.prepare('insert into message_search (rowid, pieces) values (?, ?)')
  for (let at = 0; at < pieces.length; at += 1000) {
    target.exec('begin')
    for (let i = at; i < Math.min(at + 1000, pieces.length); i++) index.run(i + 1, pieces[i])
    target.exec('commit')
  }
  return millisecondsSince(began)
}
