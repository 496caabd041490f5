import pg from 'pg'
import { createOrganization } from '../../src/core/accounts/create-organization.ts'
import { openChat } from '../../src/core/open-chat.ts'
import { CONTENT, OWNER } from './node.ts'

const GROUP = 32

/** A row with the members that never differ. */
const MESSAGE = {
  content: CONTENT,
  rendered_content: `<p>${CONTENT}</p>`,
  client: 'bench',
  sent_at: 4,
  read_by_sender: 1,
  stream_wildcard: 0,
  topic_wildcard: 0,
  has_link: 0,
  has_image: 0,
  has_attachment: 0,
  is_me_message: 0,
}

export interface RowInserts {
  /** Inserts for so many seconds. Returns how many messages a second. */
  perSecond(seconds: number): Promise<number>
  close(): Promise<void>
}

/**
 * Inserts the rows of a message and its event through the driver alone, in groups of 32. A transaction is two prepared
 * multi-row inserts, and only its commit is awaited. The tables are the server's, with their keys and indexes.
 */
export async function insertRows(url: string): Promise<RowInserts> {
  const chat = await openChat({ db: url, passwordCost: 4 })
  await createOrganization(chat, OWNER)
  await chat.close()
  const client = new pg.Client({ connectionString: url, pipeline: true } as pg.ClientConfig)
  client.on('error', () => {})
  await client.connect()
  const { rows } = await client.query(`
    with s as (select min(id) as id from stream), t as (
      insert into topic (stream_id, name, name_key) select id, 'floor', 'floor' from s returning id, stream_id)
    select t.id as topic_id, t.stream_id as conversation_id, (select min(id) from "user") as sender_id from t`)
  const message = { ...MESSAGE, ...rows[0] }
  let id = 1_000_000
  const insert = (table: string, group: Record<string, unknown>[]) => {
    const columns = Object.keys(group[0]!)
    const places = group.map((_, n) => `(${columns.map((_, i) => `$${n * columns.length + i + 1}`).join(', ')})`)
    const text = `insert into ${table} (${columns.join(', ')}) values ${places.join(', ')}`
    return client.query({ name: table, text, values: group.flatMap((each) => Object.values(each)) })
  }
  const commitGroup = async () => {
    const ids = Array.from({ length: GROUP }, () => ++id)
    const events = { type: 'message', payload: 'x'.repeat(385), audience: '{"stream":2}', created_at: 4 }
    const messages = ids.map((id) => ({ ...message, id }))
    await Promise.all([
      client.query('begin'),
      insert('message', messages),
      insert(
        'event',
        ids.map((id) => ({ ...events, id })),
      ),
      client.query('commit'),
    ])
  }
  for (let i = 0; i < 20; i++) await commitGroup()
  return {
    async perSecond(seconds) {
      const began = performance.now()
      let groups = 0
      for (; performance.now() - began < seconds * 1000; groups++) await commitGroup()
      return (groups * GROUP * 1000) / (performance.now() - began)
    },
    close: () => client.end(),
  }
}

/** Creates an empty database on the same server. */
export async function anotherDatabase(url: string, name: string): Promise<string> {
  const client = new pg.Client({ connectionString: url })
  await client.connect()
  await client.query(`create database ${name}`)
  await client.end()
  return Object.assign(new URL(url), { pathname: `/${name}` }).href
}
