/** How fast this machine is at the moment: goals are for one machine, and the same code takes twice as long on another, or later. */
import Database from 'better-sqlite3'
import { median } from './median.ts'
import { millisecondsSince, moment } from './processor-time.ts'

/** What `work` takes on the machine that the goals were set on. */
const REFERENCE_MS = 15
const ROUNDS = 9

/** How many times slower this machine is than the machine of the goals; at least 1. The median of several tries. */
export function slowness(): number {
  const times = Array.from({ length: ROUNDS }, () => {
    const before = moment()
    work()
    return millisecondsSince(before)
  })
  return Math.max(1, median(times) / REFERENCE_MS)
}

/** The kind of work that a server does: text, JSON and SQL statements. */
function work(): void {
  const db = new Database(':memory:')
  db.exec(
    'create table message (id integer primary key, content text, sender integer); create index sent on message (sender)',
  )
  const insert = db.prepare('insert into message (content, sender) values (?, ?)')
  const select = db.prepare('select id, content from message where sender = ? order by id desc limit 20')
  db.transaction(() => {
    for (let i = 0; i < 2000; i++) {
      const content = JSON.stringify({ id: i, words: `number ${i}`.repeat(20).split(' ') })
      insert.run(content, i % 50)
      if (i % 4 === 0) for (const row of select.all(i % 50) as { content: string }[]) JSON.parse(row.content)
    }
  })()
  db.close()
}
