import Database from 'better-sqlite3'
import pg from 'pg'
import type { Journal } from './journal.ts'

export interface MessageRow {
  id: number
  sender_id: number
  content: string
}
export interface EventRow {
  id: number
  type: string
  audience: string
  /** Of the event of a message: which. */
  message_id: number | null
}

/** What is in a database after everything that happened to it. */
export interface Contents {
  messages: readonly MessageRow[]
  log: readonly EventRow[]
  /** "user message emoji" */
  reactions: readonly string[]
}

const queries = {
  messages: 'select id, sender_id, content from message order by id',
  log: 'select id, type, audience, payload from event order by id',
  reactions: 'select user_id, message_id, emoji_name from reaction',
}

type LoggedRow = Omit<EventRow, 'message_id'> & { payload: string }
interface ReactionRow {
  user_id: number
  message_id: number
  emoji_name: string
}

function contentsOf(messages: MessageRow[], log: LoggedRow[], reactions: ReactionRow[]): Contents {
  return {
    messages,
    log: log.map(({ payload, ...row }) => ({
      ...row,
      message_id: row.type === 'message' ? JSON.parse(payload).message.id : null,
    })),
    reactions: reactions.map(({ user_id, message_id, emoji_name }) => `${user_id} ${message_id} ${emoji_name}`),
  }
}

/** Reads a file, and complains where it is damaged. */
export function contentsOfFile(file: string, journal: Journal): Contents {
  const database = new Database(file, { readonly: true })
  const all = <T>(sql: string) => database.prepare(sql).all() as T[]
  const check = (sql: string, wanted: unknown[]) => {
    const found = database.pragma(sql) as object[]
    if (JSON.stringify(found.flatMap(Object.values)) !== JSON.stringify(wanted)) journal.complain(`${sql}: ${found}`)
  }
  check('integrity_check', ['ok'])
  check('foreign_key_check', [])
  try {
    return contentsOf(all(queries.messages), all(queries.log), all(queries.reactions))
  } finally {
    database.close()
  }
}

const INT8 = 20

export async function contentsOfServer(url: string): Promise<Contents> {
  const client = new pg.Client({
    connectionString: url,
    types: { getTypeParser: (oid: number) => (oid === INT8 ? Number : String) } as pg.CustomTypesConfig,
  })
  await client.connect()
  const all = async <T extends object>(sql: string) => (await client.query<T>(sql)).rows
  try {
    const messages = await all<MessageRow>(queries.messages)
    return contentsOf(messages, await all<LoggedRow>(queries.log), await all<ReactionRow>(queries.reactions))
  } finally {
    await client.end()
  }
}
