import assert from 'node:assert/strict'
import { readdirSync, readFileSync } from 'node:fs'
import { join } from 'node:path'
import { test } from 'node:test'
import Database from 'better-sqlite3'
import { runCommand } from '../../src/admin/commands.ts'
import { manualClock } from '../../src/core/kernel/base/clock.ts'
import { contextOf } from '../../src/core/kernel/context.ts'
import { storeOf } from '../../src/core/kernel/store.ts'
import { expireMessages } from '../../src/core/messages/retention/expire.ts'
import { indexerOf } from '../../src/core/narrow/search/indexer.ts'
import { exporterOf } from '../../src/core/organization/exports/exporter.ts'
import { openChat } from '../../src/index.ts'
import type { Person } from '../../src/testing/index.ts'
import { type World, world } from '../../src/testing/world.ts'
import { onlyOnSqlite } from '../dialect.ts'
import { upload } from '../files/files.ts'
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

const DAY = 86_400_000
/** Nothing is fetched. */
const quiet = { chat: { outgoing: { fetch: () => Promise.reject(new Error('offline')) } } }

/** A person with traces everywhere. `db` is the file of the database, which is in memory without it. */
async function scene(db?: string) {
  const w = await world({ streams: { short: {} }, chat: { ...quiet.chat, ...(db !== undefined && { db }) } })
  const { cordelia, hamlet, iago } = w.people
  const general = { stream: 'general', topic: 'graves' }
  await cordelia.says('I met @**hamlet**.', general)
  await iago.api.patch(`/users/${hamlet.id}`, { full_name: 'Yorick Jester' })
  await hamlet.says('gibber note', { people: [hamlet] })
  await hamlet.says('infinite gibberish', { stream: 'general', topic: 'skulls' })
  const { id } = await hamlet.says('secret gibberish', { people: [cordelia] })
  await hamlet.api.patch(`/messages/${id}`, { content: 'another gibberish' })
  await cordelia.says(`Alas, poor @**Yorick Jester**! And @_**yorick jester|${hamlet.id}**.`, general)
  await hamlet.api.post('/users/me/status', { status_text: 'gibber status' })
  await hamlet.api.post('/users/me/alert_words', { alert_words: ['gibber word'] })
  await hamlet.api.post('/saved_snippets', { title: 'gibber title', content: 'gibber snippet' })
  const url = await upload(hamlet, Buffer.from('gibber bytes'), 'gibber-draft.txt')
  const draft = { type: '', to: [], topic: '', content: `gibber draft [x](${url})` }
  await hamlet.api.post('/drafts', { drafts: [draft] })
  // Texts of others that name them.
  await cordelia.api.post('/drafts', { drafts: [{ ...draft, content: 'Ask @**Yorick Jester**' }] })
  await cordelia.api.post('/saved_snippets', { title: 'skull', content: 'Thank you, @**Yorick Jester**' })
  const { id: edited } = await cordelia.says('Dear @**Yorick Jester**', general)
  await cordelia.api.patch(`/messages/${edited}`, { content: 'Dear nobody' })
  await iago.api.patch(`/streams/${await w.streamId('general')}`, { description: 'Jokes of @**Yorick Jester**' })
  await cordelia.api.post('/scheduled_messages', {
    ...{ type: 'channel', to: await w.streamId('general'), topic: 'graves', content: 'Later, @**Yorick Jester**' },
    scheduled_delivery_timestamp: w.clock.now() / 1000 + 90 * 86_400,
  })
  const { id: poll } = await cordelia.says('/poll Who?\nNobody', general)
  const content = JSON.stringify({ type: 'new_option', idx: 1, option: 'gibber option' })
  await hamlet.api.post('/submessage', { message_id: poll, msg_type: 'widget', content })
  // Messages that the retention policy deleted can be restored.
  await iago.api.patch(`/streams/${await w.streamId('short')}`, { message_retention_days: 2 })
  await hamlet.says('archived gibberish', { stream: 'short', topic: 'x' })
  await cordelia.says('And you, @**Yorick Jester**', { stream: 'short', topic: 'x' })
  w.clock.advance(3 * DAY)
  await expireMessages(w.chat)
  // A bot of theirs, with a feed.
  const bot = await hamlet.api.post('/bots', { full_name: 'Yorick Bot', short_name: 'yorick', bot_type: 2 })
  const feed = { url: 'https://yorick.example/feed', stream: 'general', topic: 'news' }
  assert.equal((await hamlet.api.post(`/bots/${bot.user_id}/feeds`, feed)).result, 'success')
  // The audit log has these names and addresses.
  await iago.api.post('/invites', { invitee_emails: 'yorick@example.com', stream_ids: [] })
  await iago.api.post('/export/realm')
  await exporterOf(w.chat).settled()
  // Keys belong to an address, so this comes last.
  await iago.api.patch(`/users/${hamlet.id}`, { new_email: 'yorick@example.com' })
  return w
}

test('erasing a person leaves no name, address or setting anywhere, and keeps messages under another name', async () => {
  await using w = await scene()
  const words = [
    'yorick',
    '@**hamlet',
    'gibber status',
    'gibber word',
    'gibber title',
    'gibber snippet',
    'gibber draft',
    'gibber bytes',
    'gibber note',
  ]
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
  const clock = manualClock()
  {
    await using w = await scene(file)
    clock.advance(w.clock.now() - clock.now())
    await indexerOf(w.chat).catchUp(contextOf(w.chat))
  }
  const trace = /yorick|gibber|jester/i
  assert.match(readFileSync(file, 'latin1'), trace)
  {
    await using chat = await openChat({ db: file, passwordCost: 4, clock, ...quiet.chat })
    await runCommand(chat, 'eraseUser', { email: 'yorick@example.com', messages: true }, () => {})
  }
  const db = new Database(file)
  db.exec('vacuum')
  db.pragma('wal_checkpoint(truncate)')
  db.close()
  const names = readdirSync(folder.path, { recursive: true, withFileTypes: true }).filter((one) => one.isFile())
  assert.ok(names.length > 0)
  for (const { parentPath, name } of names) {
    const text = readFileSync(join(parentPath, name), 'latin1')
    const at = text.search(trace)
    assert.equal(at === -1 ? '' : text.slice(Math.max(0, at - 80), at + 80), '', name)
  }
})

test('an owner erases a deactivated account, and learns which files still have its data', async () => {
  await using w = await scene()
  const { hamlet, iago, cordelia } = w.people
  using folder = new TemporaryFolder()
  const file = join(folder.path, 'people.tar.gz')
  await runCommand(w.chat, 'exportData', { file, kind: 'public' }, () => {})
  await iago.api.delete(`/users/${hamlet.id}`)
  assert.equal((await iago.api.delete(`/users/${hamlet.id}`)).msg, 'User already deactivated')
  const { queue_id } = await cordelia.api.post('/register')
  const actions = { erase: true, delete_direct_messages: true }
  const { result, copies } = await iago.api.delete(`/users/${hamlet.id}`, { actions })
  assert.equal(result, 'success')
  assert.deepEqual(copies, [{ kind: 'export', file, written_at: Math.floor(w.clock.now() / 1000) }])
  assert.equal((await cordelia.api.get('/events', { queue_id, dont_block: true })).code, 'BAD_EVENT_QUEUE_ID')
  const left = await everythingIn(w)
  // The path of the export stays, since it says where the data still is.
  assert.deepEqual(traces(left, ['yorick', 'another gibberish', 'secret gibberish']), [])
  assert.notDeepEqual(traces(left, ['infinite gibberish']), [])
  const { user } = await cordelia.api.get(`/users/${hamlet.id}`)
  assert.deepEqual([user.full_name, user.is_deleted, user.is_active], ['Deleted user', true, false])
  const rows = await storeOf(w.chat).db.selectFrom('audit').selectAll().where('action', '=', 'eraseUser').execute()
  assert.deepEqual(
    rows.map(({ actor_id, subject_id, after }) => [actor_id, subject_id, after]),
    [[iago.id, hamlet.id, JSON.stringify({ messages: 'delete_direct_messages' })]],
  )
  assert.deepEqual((await iago.api.get('/export/realm')).exports[0].export_url, null)
})

test('only owners erase people, and not themselves, bots, or anyone during an export', async () => {
  await using w = await world(quiet)
  const { hamlet, iago, cordelia } = w.people
  const erase = (who: Person, user_id: number) =>
    who.api.delete(`/users/${user_id}`, { actions: { erase: true, delete_profile: false } })
  assert.equal((await erase(cordelia, hamlet.id)).code, 'UNAUTHORIZED_PRINCIPAL')
  await iago.api.patch(`/users/${cordelia.id}`, { role: 200 })
  assert.equal((await erase(cordelia, hamlet.id)).msg, 'Must be an organization owner')
  assert.equal((await erase(iago, iago.id)).code, 'CANNOT_DEACTIVATE_LAST_USER')
  const bot = await hamlet.api.post('/bots', { full_name: 'Skull', short_name: 'skull' })
  assert.equal((await erase(iago, bot.user_id)).msg, 'Bots are erased with their owner')
  await iago.api.patch(`/users/${cordelia.id}`, { role: 100 })
  assert.equal((await erase(iago, iago.id)).msg, "You can't erase your own account. Ask another owner.")
  await iago.api.post('/export/realm')
  const busy = await erase(iago, hamlet.id)
  assert.equal(busy.msg, 'An export is in progress. Try again when it is complete.')
  assert.equal((await iago.api.get(`/users/${hamlet.id}`)).user.is_active, true)
  await exporterOf(w.chat).settled()
  assert.equal((await erase(iago, hamlet.id)).result, 'success')
  // The command line acts for another owner.
  const email = (await iago.api.get('/users/me')).delivery_email
  const erased = await runCommand(w.chat, 'eraseUser', { email, messages: false }, () => {})
  assert.equal(erased.user_id, iago.id)
})
