import { existsSync, readFileSync } from 'node:fs'
import { join } from 'node:path'
import Database from 'better-sqlite3'

/** What the server had answered by a moment of the recording. */
export interface Acknowledged {
  messages: Set<number>
  users: Set<number>
}

export interface Verdict {
  /** Acknowledged, and not there or with another text. */
  lost: number
  /** What is wrong with the file, or there only in part. */
  faults: string[]
}

/** Notes what an answer acknowledges: a message or an account by its id. */
export function noteAnswer(acknowledged: Acknowledged, text: string): void {
  if (!text.startsWith('HTTP/1.1 200')) return
  const [, member, id] = /"result":"success","msg":"","(id|user_id)":(\d+)/.exec(text) ?? []
  if (member === 'id') acknowledged.messages.add(Number(id))
  if (member === 'user_id') acknowledged.users.add(Number(id))
}

/** Opens an image of a disk and holds it against what the clients know. */
export function judge(folder: string, acknowledged: Acknowledged, contents: ReadonlyMap<number, string>): Verdict {
  const file = join(folder, 'chat.db')
  const anything = acknowledged.messages.size + acknowledged.users.size
  if (!existsSync(file)) return { lost: anything, faults: [] }
  const faults: string[] = []
  if (anything > 0 && !/^[0-9a-f]{64}\n$/.test(secretOf(file))) faults.push('the secret is lost')
  const database = new Database(file)
  try {
    const integrity = database.pragma('integrity_check', { simple: true })
    if (integrity !== 'ok') faults.push(`integrity: ${integrity}`)
    if ((database.pragma('foreign_key_check') as unknown[]).length > 0) faults.push('broken references')
    if (!database.prepare("select 1 from sqlite_master where name = 'secret_fingerprint'").get()) {
      return { lost: anything, faults }
    }
    return { lost: lostIn(database, acknowledged, contents), faults: [...faults, ...halves(database)] }
  } catch (error) {
    return { lost: 0, faults: [...faults, String(error)] }
  } finally {
    database.close()
  }
}

const secretOf = (file: string): string => (existsSync(`${file}.secret`) ? readFileSync(`${file}.secret`, 'utf8') : '')

function lostIn(database: Database.Database, { messages, users }: Acknowledged, contents: ReadonlyMap<number, string>) {
  const rows = database.prepare('select id, content from message').raw().all() as [number, string][]
  const stored = new Map(rows)
  const accounts = new Set(database.prepare('select id from user').pluck().all() as number[])
  const lost = [...messages].filter(
    (id) => !stored.has(id) || (contents.has(id) && stored.get(id) !== contents.get(id)),
  )
  return lost.length + [...users].filter((id) => !accounts.has(id)).length
}

/** What one commit makes is there together or not at all. */
const together: Readonly<Record<string, string>> = {
  'a message without its event':
    "select count(*) from message where id not in (select payload ->> '$.message.id' from event where type = 'message')",
  'an event without its message':
    "select count(*) from event where type = 'message' and payload ->> '$.message.id' not in (select id from message)",
  'a message with two events':
    "select count(*) from (select 1 from event where type = 'message' group by payload ->> '$.message.id' having count(*) > 1)",
  'an account without its subscription':
    'select count(*) from user where is_system_bot = 0 and id not in (select user_id from subscription)',
  'an account without its event':
    "select count(*) from user where is_system_bot = 0 and id not in (select payload ->> '$.person.user_id' from event where type = 'realm_user')",
}

function halves(database: Database.Database): string[] {
  return Object.entries(together).flatMap(([what, query]) =>
    database.prepare(query).pluck().get() === 0 ? [] : [what],
  )
}
