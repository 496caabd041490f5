/** The servers of send.ts, each a process of its own: `send-servers.ts floor`, `… chat FILE` and `… ceiling FILE`. */
import { createServer, type ServerResponse } from 'node:http'
import type { AddressInfo } from 'node:net'
import Database from 'better-sqlite3'
import { H3, serve } from 'h3'
import { actAs } from '../src/core/accounts/act-as.ts'
import { createOrganization, systemCaller } from '../src/core/accounts/create-organization.ts'
import type { Chat } from '../src/core/kernel/chat.ts'
import { contextOf } from '../src/core/kernel/context.ts'
import { sendMessage } from '../src/core/messages/send/send.ts'
import { indexerOf } from '../src/core/narrow/search/indexer.ts'
import { openChat } from '../src/core/open-chat.ts'
import { insertStream } from '../src/core/streams/create.ts'
import { createChatServer } from '../src/http/index.ts'
import { MARKED, PROSE } from './send-texts.ts'

/** What a server reports: its address once, then its processor time on request, in microseconds. */
export interface Ready {
  port: number
  key?: string
}

/** @param settle - completes work that the answered sends have left for later */
function tell(ready: Ready, settle = async () => {}): void {
  // A profile is only written at an orderly exit.
  process.on('SIGINT', () => process.exit(0))
  process.on('disconnect', () => process.exit(0))
  process.on('message', (wanted) => void answer(wanted === 'settled'))
  process.send?.(ready)

  async function answer(isSettled: boolean): Promise<void> {
    if (isSettled) await settle()
    const { user, system } = process.cpuUsage()
    process.send?.(user + system)
  }
}

const [part, file = ''] = process.argv.slice(2)
if (part === 'floor') await serveFloor()
else if (part === 'chat') await serveChat(file)
else await serveCeiling(file)

async function serveFloor() {
  const app = new H3()
  app.post('/', async (event) => {
    new URLSearchParams(await event.req.text())
    return { result: 'success', msg: '' }
  })
  const server = serve(app, { port: 0, hostname: '127.0.0.1', silent: true })
  await server.ready()
  tell({ port: Number(new URL(server.url!).port) })
}

async function serveChat(db: string) {
  const { chat, key } = await openSeeded(db)
  const server = await createChatServer({ chat, port: 0, rateLimit: false })
  tell({ port: server.port, key }, () => indexerOf(chat).catchUp(contextOf(chat)))
}

async function openSeeded(db: string): Promise<{ chat: Chat; key: string; user_id: number }> {
  const chat = await openChat({ db, passwordCost: 4 })
  const owner = await createOrganization(chat, { org: 'Bench', owner_email: 'o@example.com', owner_name: 'Olga' })
  const caller = await systemCaller(chat)
  for (const [name, subscribers] of [
    ['small', 10],
    ['large', 10_000],
  ] as const) {
    await caller.write(async (tx) => {
      const stream = await insertStream(tx, { name })
      const users = Array.from({ length: subscribers }, (_, i) => `${name}${i}`)
      for (const user of users) {
        const { id } = await tx.db
          .insertInto('user')
          .values({
            email: `${user}@example.com`,
            delivery_email: `${user}@example.com`,
            email_key: `${user}@example.com`,
            full_name: user,
            name_key: user,
            role: 400,
            is_active: 1,
            bot_type: null,
            bot_owner_id: null,
            is_system_bot: 0,
            date_joined: 0,
            timezone: '',
            avatar_source: 'G',
            avatar_version: 1,
            avatar_blob_id: null,
            password_hash: null,
          })
          .returning('id')
          .executeTakeFirstOrThrow()
        const ids = { user_id: id, stream_id: stream.id }
        await tx.db
          .insertInto('subscription')
          .values({
            ...ids,
            is_active: 1,
            color: '#c2c2c2',
            is_muted: 0,
            pin_to_top: 0,
            desktop_notifications: null,
            audible_notifications: null,
            push_notifications: null,
            email_notifications: null,
            wildcard_mentions_notify: null,
          })
          .execute()
        await tx.db
          .insertInto('subscription_period')
          .values({ ...ids, from_message_id: 1, to_message_id: null, from_event_id: 1, to_event_id: null })
          .execute()
      }
    })
  }
  return { chat, key: owner.api_key, user_id: owner.user_id }
}

type Row = Record<string, unknown>

/**
 * The ceiling: node:http and the driver alone. It stores the rows that a send stores, in the same tables, and commits
 * them in groups as the server does. It knows no users and no rights, renders nothing, and has no search index.
 */
async function serveCeiling(db: string) {
  const { chat, user_id } = await openSeeded(db)
  const sender = await actAs(chat, { user_id })
  for (const content of [PROSE, MARKED]) {
    await sendMessage(sender, { type: 'stream', to: 'small', topic: 'bench', content })
  }
  await chat.close()
  const database = new Database(db)
  for (const pragma of ['synchronous = FULL', 'foreign_keys = ON', 'cache_size = -65536', 'wal_autocheckpoint = 4000'])
    database.pragma(pragma)
  const insert = (table: string, { id: _, ...row }: Row) => {
    const names = Object.keys(row)
    const sql = `insert into ${table} (${names.join()}) values (${names.map(() => '?').join()})`
    const at = (name: string) => names.indexOf(name)
    return {
      statement: database.prepare(sql),
      values: Object.values(row),
      content: at('content'),
      messageId: at('message_id'),
    }
  }
  const rowsByContent = new Map(
    [PROSE, MARKED].map((content) => {
      const message = database.prepare('select * from message where content = ?').get(content) as Row
      const event = database
        .prepare("select * from event where type = 'message' and payload ->> '$.content' = ?")
        .get(content) as Row
      const flags = database.prepare('select * from message_flag where message_id = ?').all(message.id) as Row[]
      const parts = { message: insert('message', message), event: insert('event', event) }
      return [content, { ...parts, flags: flags.map((row) => insert('message_flag', row)) }]
    }),
  )
  const waiting: { content: string; response: ServerResponse }[] = []
  const commit = database.transaction((sends: typeof waiting) =>
    sends.map(({ content }) => {
      const { message, event, flags } = rowsByContent.get(content)!
      const id = message.statement.run(message.values.with(message.content, content)).lastInsertRowid
      event.statement.run(event.values)
      for (const { statement, values, messageId } of flags) statement.run(values.with(messageId, id))
      return id
    }),
  )
  const headers = {
    'content-type': 'application/json; charset=utf-8',
    'cache-control': 'no-store',
    'x-content-type-options': 'nosniff',
  }
  function commitAll() {
    const sends = waiting.splice(0, 256)
    const ids = commit(sends)
    for (const [i, { response }] of sends.entries()) {
      const body = `{"result":"success","msg":"","id":${ids[i]}}`
      response.writeHead(200, { ...headers, 'content-length': String(body.length) }).end(body)
    }
    if (waiting.length > 0) setImmediate(commitAll)
  }
  const server = createServer((request, response) => {
    const chunks: Buffer[] = []
    request
      .on('data', (chunk: Buffer) => void chunks.push(chunk))
      .once('end', () => {
        const content = new URLSearchParams(Buffer.concat(chunks).toString()).get('content')!
        if (waiting.push({ content, response }) === 1) setImmediate(commitAll)
      })
  })
  server.listen(0, '127.0.0.1', () => tell({ port: (server.address() as AddressInfo).port }))
}
