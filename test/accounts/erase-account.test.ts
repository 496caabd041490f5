import assert from 'node:assert/strict'
import { readdirSync, readFileSync } from 'node:fs'
import { join } from 'node:path'
import { test } from 'node:test'
import Database from 'better-sqlite3'
import { runCommand } from '../../src/admin/commands.ts'
import { contextOf } from '../../src/core/kernel/context.ts'
import { storeOf } from '../../src/core/kernel/store.ts'
import { indexerOf } from '../../src/core/narrow/search/indexer.ts'
import { actAs, createOrganization, openChat, sendMessage } from '../../src/index.ts'
import { type World, world } from '../../src/testing/world.ts'
import { onlyOnSqlite } from '../dialect.ts'
import { TemporaryFolder } from '../temporary-folder.ts'

/** Everything that a database has, as one text. */
async function everythingIn({ chat }: World): Promise<string> {
  await indexerOf(chat).catchUp(contextOf(chat))
  const { db, dialect } = storeOf(chat)
  const texts: string[] = []
  for (const { name } of await dialect.tables(db)) {
    const rows = await db
      .selectFrom(name as 'blob_chunk')
      .selectAll()
      .execute()
    for (const row of rows)
      for (const [column, value] of Object.entries(row as object))
        texts.push(`${name}.${column}: ${value instanceof Uint8Array ? Buffer.from(value).toString('latin1') : value}`)
  }
  return texts.join('\n')
}

const traces = (text: string, words: readonly string[]) =>
  text.split('\n').filter((line) => words.some((word) => line.toLowerCase().includes(word)))

async function scene() {
  const w = await world()
  const { cordelia, hamlet, iago } = w.people
  await iago.api.patch(`/users/${hamlet.id}`, { full_name: 'Yorick Jester' })
  await hamlet.says('infinite gibberish', { stream: 'general', topic: 'skulls' })
  const { id } = await hamlet.says('secret gibberish', { people: [cordelia] })
  await hamlet.api.patch(`/messages/${id}`, { content: 'another gibberish' })
  await cordelia.says(`Alas, poor @**Yorick Jester**! And @_**yorick jester|${hamlet.id}**.`, {
    stream: 'general',
    topic: 'graves',
  })
  await hamlet.api.post('/users/me/status', { status_text: 'gibber status' })
  await hamlet.api.post('/users/me/alert_words', { alert_words: ['gibber word'] })
  await hamlet.api.post('/saved_snippets', { title: 'gibber title', content: 'gibber snippet' })
  await hamlet.api.post('/drafts', { drafts: [{ type: '', to: [], topic: '', content: 'gibber draft' }] })
  // The audit log has these names and addresses.
  await iago.api.post('/invites', { invitee_emails: 'yorick@example.com', stream_ids: [] })
  // Keys belong to an address, so this comes last.
  await iago.api.patch(`/users/${hamlet.id}`, { new_email: 'yorick@example.com' })
  return w
}

test('erasing a person leaves no name, address or setting anywhere, and keeps messages under another name', async () => {
  await using w = await scene()
  const words = ['yorick', 'gibber status', 'gibber word', 'gibber title', 'gibber snippet', 'gibber draft']
  const before = await everythingIn(w)
  for (const word of words) assert.notDeepEqual(traces(before, [word]), [], word)
  await runCommand(w.chat, 'eraseUser', { email: 'yorick@example.com', messages: false }, () => {})
  assert.deepEqual(traces(await everythingIn(w), words), [])
  const { messages } = await w.cordelia.api.get('/messages', {
    anchor: 'newest',
    num_before: 10,
    num_after: 0,
    apply_markdown: false,
  })
  const shown = messages.map((one: { sender_full_name: string; content: string }) => [
    one.sender_full_name,
    one.content,
  ])
  assert.ok(shown.some(([name, content]: string[]) => name === 'Deleted user' && content === 'another gibberish'))
  const mention = `Deleted user|${w.hamlet.id}**`
  assert.ok(shown.some(([, content]: string[]) => content === `Alas, poor @**${mention}! And @_**${mention}.`))
  const found = await w.cordelia.api.get('/messages', {
    anchor: 'newest',
    num_before: 10,
    num_after: 0,
    narrow: [{ operator: 'search', operand: 'yorick' }],
  })
  assert.deepEqual(found.messages, [])
})

test('erasing a person with their messages leaves none of their words', async () => {
  await using w = await scene()
  await runCommand(w.chat, 'eraseUser', { email: 'yorick@example.com', messages: true }, () => {})
  assert.deepEqual(traces(await everythingIn(w), ['yorick', 'gibber']), [])
  await w.cordelia.says('still here', { stream: 'general', topic: 'graves' })
})

test('a vacuumed file has no trace of an erased person', onlyOnSqlite('reads the bytes of its file'), async () => {
  using folder = new TemporaryFolder()
  const file = join(folder.path, 'chat.db')
  {
    await using chat = await openChat({ db: file, passwordCost: 4 })
    await createOrganization(chat, {
      org: 'Elsinore',
      owner_email: 'o@example.com',
      owner_name: 'Ophelia',
      owner_password: 'secret',
    })
    const account = { email: 'yorick@example.com', name: 'Yorick Jester', role: 'member' }
    const { user_id } = await runCommand(chat, 'addUser', account, () => {})
    const yorick = await actAs(chat, { user_id })
    await sendMessage(yorick, { type: 'direct', to: [user_id], content: 'infinite gibberish of yorick' })
    await indexerOf(chat).catchUp(contextOf(chat))
  }
  assert.match(readFileSync(file, 'latin1'), /yorick/i)
  {
    await using chat = await openChat({ db: file, passwordCost: 4 })
    await runCommand(chat, 'eraseUser', { email: 'yorick@example.com', messages: true }, () => {})
  }
  const db = new Database(file)
  db.exec('vacuum')
  db.pragma('wal_checkpoint(truncate)')
  db.close()
  for (const name of readdirSync(folder.path))
    assert.doesNotMatch(readFileSync(join(folder.path, name), 'latin1'), /yorick|gibberish/i, name)
})
