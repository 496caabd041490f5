import assert from 'node:assert/strict'
import { readdirSync, readFileSync } from 'node:fs'
import { join } from 'node:path'
import test from 'node:test'
import { sql } from 'kysely'
import { runCommand } from '../../src/admin/commands.ts'
import { references } from '../../src/core/accounts/merging/references.ts'
import type { Chat } from '../../src/core/kernel/chat.ts'
import { storeOf } from '../../src/core/kernel/store.ts'
import { expireMessages } from '../../src/core/messages/retention/expire.ts'
import { type Person, world } from '../../src/testing/index.ts'
import { onlyOnSqlite } from '../dialect.ts'
import { ArchiveFolder, importInto, jsonLines } from '../import/archives.ts'
import { everything } from '../import/everything.ts'
import { plansWhile } from '../messages/plans.ts'

const DAY = 86_400

async function scene() {
  const w = await world({ people: ['yorick'] })
  using archive = new ArchiveFolder(everything(Math.floor(w.clock.now() / 1000)))
  const { import_id } = await importInto(w.chat, archive)
  const { members } = await w.iago.api.get('/users')
  const idOf = (name: string): number =>
    members.find((user: { full_name: string }) => user.full_name === name).user_id as number
  const merge = (user_id: number, into: Person, by: Person = w.iago) =>
    by.api.post(`/users/${user_id}/merge`, { into: into.id })
  return {
    w,
    import_id: import_id!,
    ann: idOf('Ann the Cook'),
    gone: idOf('Gone Person'),
    merge,
    [Symbol.asyncDispose]: () => w[Symbol.asyncDispose](),
  }
}

/** Every place that has the ID of an account. */
async function placesOf(chat: Chat, user_id: number): Promise<string[]> {
  const { db } = storeOf(chat)
  const found: string[] = []
  for (const [place, how] of Object.entries(references)) {
    if (typeof how === 'object' && 'stays' in how) continue
    const [table, column] = place.split('.') as [string, string]
    const { rows } = await sql`select 1 from ${sql.table(table)} where ${sql.ref(column)} = ${user_id}`.execute(db)
    if (rows.length > 0) found.push(place)
  }
  return found
}

const messagesOf = async (who: Person, narrow: unknown[]) =>
  (await who.api.get('/messages', { anchor: 'oldest', num_before: 0, num_after: 100, narrow, apply_markdown: false }))
    .messages as { id: number; sender_id: number; content: string; flags: string[] }[]

const statusOf = async (reader: Person, { id }: Person): Promise<string> =>
  ((await reader.api.get(`/users/${id}/status`)).status as unknown as { status_text: string }).status_text

const sortedPlaces = [
  ...['alert_word.user_id', 'custom_emoji.author_id', 'direct_participant.user_id', 'file.owner_id'],
  ...['message.sender_id', 'message_edit.user_id', 'muted_user.user_id', 'profile_value.user_id'],
  ...['read_range.user_id', 'saved_snippet.user_id', 'stream.creator_id', 'subscription.user_id'],
  ...['subscription_period.user_id', 'user.bot_owner_id', 'user_group_member.user_id', 'user_status.user_id'],
  'user_topic.user_id',
]

test('merges an imported account with everything that belongs to it', async () => {
  await using s = await scene()
  const { w, ann, merge } = s
  const { yorick, hamlet, iago } = w
  const before = await placesOf(w.chat, ann)
  for (const place of sortedPlaces.filter((one) => one !== 'direct_participant.user_id'))
    assert.ok(before.includes(place), place)
  const kitchen = [{ operator: 'channel', operand: 'kitchen' }]
  const { queue_id } = await yorick.api.post('/register')
  assert.equal((await merge(ann, yorick)).result, 'success')

  assert.deepEqual(await placesOf(w.chat, ann), [])
  assert.equal((await iago.api.get(`/users/${ann}`)).msg, 'No such user')
  assert.equal((await yorick.api.get('/events', { queue_id, dont_block: true })).code, 'BAD_EVENT_QUEUE_ID')
  const [first, second] = await messagesOf(yorick, kitchen)
  assert.deepEqual([first!.sender_id, second!.sender_id], [yorick.id, hamlet.id])
  assert.match(second!.content, new RegExp(`@_\\*\\*yorick\\|${yorick.id}\\*\\*`))
  assert.ok(!second!.flags.includes('read'))
  assert.ok(first!.flags.includes('read'))
  const html = (await yorick.api.get(`/messages/${second!.id}`)).message.content
  assert.match(html, new RegExp(`data-user-id="${yorick.id}">yorick<`))
  assert.deepEqual((await yorick.api.get('/users/me/alert_words')).alert_words, ['soup'])
  assert.equal((await yorick.api.get('/saved_snippets')).saved_snippets[0].title, 'Hello')
  assert.equal((await yorick.api.get('/attachments')).attachments.length, 1)
  assert.equal(await statusOf(iago, yorick), 'cooking')
  assert.match((await iago.api.get(`/users/${yorick.id}`)).user.avatar_url, /^\/user_avatars\//)
  assert.deepEqual(
    (await yorick.api.get('/users/me/subscriptions')).subscriptions.map(({ name }: { name: string }) => name).sort(),
    ['general', 'kitchen', 'pantry'],
  )
  const rows = await storeOf(w.chat).db.selectFrom('audit').selectAll().where('action', '=', 'mergeUser').execute()
  assert.deepEqual(
    rows.map(({ actor_id, subject_id, after }) => [actor_id, subject_id, after]),
    [[iago.id, ann, JSON.stringify({ into: yorick.id })]],
  )
})

test('an account keeps its own choices when another one is merged into it', async () => {
  await using s = await scene()
  const { w, ann, gone, merge } = s
  const { yorick, iago, hamlet } = w
  const { db } = storeOf(w.chat)
  await yorick.api.post('/users/me/status', { status_text: 'digging' })
  await yorick.api.post('/users/me/alert_words', { alert_words: ['Soup'] })
  await yorick.api.post('/users/me/subscriptions', { subscriptions: [{ name: 'kitchen' }] })
  const [message] = await messagesOf(hamlet, [{ operator: 'channel', operand: 'kitchen' }])
  await yorick.api.post(`/messages/${message!.id}/reactions`, { emoji_name: 'tada' })
  await yorick.api.post('/messages/flags', { messages: [message!.id], op: 'add', flag: 'starred' })
  const stream_id = await w.streamId('kitchen')
  await yorick.api.post('/user_topics', { stream_id, topic: 'recipes', visibility_policy: 1 })
  await yorick.api.delete('/users/me/subscriptions', { subscriptions: ['kitchen'] })
  // Permissions that name both, and drafts to both.
  const both = { direct_members: [ann, yorick.id, hamlet.id], direct_subgroups: [] }
  await iago.api.patch(`/streams/${stream_id}`, { can_add_subscribers_group: { new: both } })
  await iago.api.patch('/realm', { can_create_groups: { new: both } })
  await hamlet.api.post('/drafts', {
    drafts: [{ type: 'private', to: [ann, yorick.id], topic: '', content: 'to both' }],
  })
  assert.equal((await merge(ann, yorick)).result, 'success')
  assert.equal((await merge(gone, yorick)).result, 'success')

  assert.deepEqual([...(await placesOf(w.chat, ann)), ...(await placesOf(w.chat, gone))], [])
  assert.equal(await statusOf(iago, yorick), 'digging')
  assert.deepEqual((await yorick.api.get('/users/me/alert_words')).alert_words, ['Soup'])
  const reactions = await db.selectFrom('reaction').selectAll().where('user_id', '=', yorick.id).execute()
  assert.deepEqual(
    reactions.map(({ message_id, emoji_name }) => [message_id, emoji_name]),
    [[message!.id, 'tada']],
  )
  const mine = (await messagesOf(yorick, [{ operator: 'channel', operand: 'kitchen' }]))[0]!
  assert.ok(mine.flags.includes('starred'))
  const topics = await db.selectFrom('user_topic').selectAll().where('user_id', '=', yorick.id).execute()
  assert.deepEqual(
    topics.map(({ topic_name, visibility_policy }) => [topic_name, visibility_policy]),
    [['recipes', 1]],
  )
  // It had left the channel.
  assert.equal((await iago.api.get(`/streams/${stream_id}/members`)).subscribers.includes(yorick.id), false)
  const { stream } = await iago.api.get(`/streams/${stream_id}`)
  assert.equal(stream.subscriber_count, (await iago.api.get(`/streams/${stream_id}/members`)).subscribers.length)
  const two = [hamlet.id, yorick.id].sort((a, b) => a - b)
  assert.deepEqual(stream.can_add_subscribers_group.direct_members, two)
  const settings = await db
    .selectFrom('organization_setting')
    .selectAll()
    .where('name', '=', 'can_create_groups')
    .execute()
  assert.deepEqual(JSON.parse(settings[0]!.value).direct_members.sort(), two)
  const [draft] = (await hamlet.api.get('/drafts')).drafts.filter(({ type }: { type: string }) => type === 'private')
  assert.deepEqual(draft.to, [yorick.id])
  const periods = await db
    .selectFrom('subscription_period')
    .selectAll()
    .where('user_id', '=', yorick.id)
    .where('stream_id', '=', stream_id)
    .execute()
  assert.deepEqual(
    periods.map(({ to_message_id }) => to_message_id === null),
    [false],
  )
})

test('direct conversations of the same people become one, with what each has read', async () => {
  await using s = await scene()
  const { w, gone, merge } = s
  const { yorick, hamlet } = w
  const { id: read } = await yorick.says('read this', { people: [hamlet] })
  await hamlet.api.post('/messages/flags', { messages: [read], op: 'add', flag: 'read' })
  await yorick.says('and this later', { people: [hamlet] })
  assert.equal((await merge(gone, yorick)).result, 'success')
  const dm = [{ operator: 'dm', operand: [yorick.id] }]
  assert.deepEqual(
    (await messagesOf(hamlet, dm)).map(({ content, sender_id, flags }) => [
      content,
      sender_id === yorick.id,
      flags.includes('read'),
    ]),
    [
      ['psst', true, false],
      ['read this', true, true],
      ['and this later', true, false],
    ],
  )
  const own = await messagesOf(yorick, [{ operator: 'dm', operand: [hamlet.id] }])
  assert.deepEqual(
    own.map(({ flags }) => flags.includes('read')),
    [true, true, true],
  )
})

test('a conversation between the two accounts becomes one with oneself', async () => {
  await using w = await world({ people: ['yorick'] })
  const now = Math.floor(w.clock.now() / 1000)
  const more = { direct: ['u2'], content: 'note' }
  using archive = new ArchiveFolder({
    'import.jsonl': jsonLines(
      { type: 'user', id: 'u1', name: 'Old Yorick' },
      { type: 'user', id: 'u2', name: 'Yorick', email: 'yorick@example.com' },
      { type: 'message', id: 'm1', user: 'u1', date: now - DAY, ...more },
      { type: 'message', id: 'm2', user: 'u1', date: now - DAY, ...more, widget: [] },
    ),
  })
  await importInto(w.chat, archive)
  const merged = await runCommand(
    w.chat,
    'mergeUser',
    { email: 'jsonl-u1@imported.invalid', into: 'yorick@example.com' },
    () => {},
  )
  assert.equal(merged.user_id, w.yorick.id)
  const own = await messagesOf(w.yorick, [{ operator: 'dm', operand: [w.yorick.id] }])
  assert.deepEqual(
    own.map(({ content }) => content),
    ['note', 'note'],
  )
})

test('polls and to-do lists keep the options, tasks and votes of both accounts', async () => {
  await using w = await world({ people: ['yorick'] })
  const now = Math.floor(w.clock.now() / 1000)
  const step = (user: string, content: object) => ({ user, content: JSON.stringify(content) })
  const list = { type: 'message', user: 'u3', channel: 'c1', topic: 'x', date: now - DAY }
  using archive = new ArchiveFolder({
    'import.jsonl': jsonLines(
      { type: 'user', id: 'u1', name: 'Old Yorick' },
      { type: 'user', id: 'u2', name: 'Yorick', email: 'yorick@example.com' },
      { type: 'user', id: 'u3', name: 'Hamlet', email: 'hamlet@example.com' },
      { type: 'channel', id: 'c1', name: 'polls' },
      { ...list, id: 'm1', content: '/poll Who?', widget: [] },
      {
        ...list,
        id: 'm2',
        content: '/todo List',
        widget: [step('u1', { type: 'new_task', key: 1, task: 'dig', desc: '', completed: false })],
      },
    ),
  })
  await importInto(w.chat, archive)
  const { db } = storeOf(w.chat)
  const { members } = await w.iago.api.get('/users')
  const old = members.find((user: { full_name: string }) => user.full_name === 'Old Yorick').user_id as number
  const { rows } = await sql<{ id: number; content: string }>`
    select id, content from message where content like '/%' order by id`.execute(db)
  const [poll, todo] = rows.map(({ id }) => id) as [number, number]
  const add = (message_id: number, sender_id: number, content: object) =>
    storeOf(w.chat).write((tx) =>
      tx.db
        .insertInto('submessage')
        .values({ message_id, sender_id, msg_type: 'widget', content: JSON.stringify(content) })
        .execute(),
    )
  await add(poll, old, { type: 'new_option', idx: 1, option: 'Alas' })
  await add(poll, w.yorick.id, { type: 'new_option', idx: 1, option: 'Poor' })
  await add(poll, old, { type: 'vote', key: `${old},1`, vote: 1 })
  await add(poll, w.hamlet.id, { type: 'vote', key: `${w.yorick.id},1`, vote: 1 })
  await add(todo, w.hamlet.id, { type: 'strike', key: `1,${old}` })
  await add(todo, old, { type: 'strike', key: '0,canned' })
  assert.equal((await w.iago.api.post(`/users/${old}/merge`, { into: w.yorick.id })).result, 'success')
  const stepsOf = async (message_id: number) =>
    (await db.selectFrom('submessage').selectAll().where('message_id', '=', message_id).orderBy('id').execute())
      .slice(1)
      .map(({ sender_id, content }) => [sender_id, JSON.parse(content).idx ?? JSON.parse(content).key])
  const mine = w.yorick.id
  assert.deepEqual(await stepsOf(poll), [
    [mine, 3],
    [mine, 1],
    [mine, `${mine},3`],
    [w.hamlet.id, `${mine},1`],
  ])
  assert.deepEqual((await stepsOf(todo)).slice(-2), [
    [w.hamlet.id, `1,${mine}`],
    [mine, '0,canned'],
  ])
})

test('archived messages come back under the other account', async () => {
  await using s = await scene()
  const { w, ann, gone, merge } = s
  const { yorick, hamlet } = w
  await w.iago.api.patch(`/streams/${await w.streamId('kitchen')}`, { message_retention_days: 1 })
  const [message] = await messagesOf(hamlet, [{ operator: 'channel', operand: 'kitchen' }])
  await yorick.api.post(`/messages/${message!.id}/reactions`, { emoji_name: 'tada' })
  await expireMessages(w.chat)
  assert.equal((await merge(gone, yorick)).result, 'success')
  assert.equal((await merge(ann, yorick)).result, 'success')
  await w.iago.api.patch(`/streams/${await w.streamId('kitchen')}`, { message_retention_days: 'unlimited' })
  await runCommand(w.chat, 'undelete', { stream: 'kitchen' }, () => {})
  const [back] = await messagesOf(hamlet, [{ operator: 'channel', operand: 'kitchen' }])
  assert.equal(back!.sender_id, yorick.id)
  const reactions = await storeOf(w.chat).db.selectFrom('reaction').selectAll().execute()
  assert.deepEqual(reactions.filter(({ user_id }) => user_id === yorick.id).length, 1)
})

test('an import can be undone after a merge, and leaves the account', async () => {
  await using s = await scene()
  const { w, ann, gone, merge, import_id } = s
  await merge(ann, w.yorick)
  await merge(gone, w.yorick)
  await runCommand(w.chat, 'undoImport', { id: import_id }, () => {})
  const { user } = await w.iago.api.get(`/users/${w.yorick.id}`)
  assert.deepEqual([user.full_name, user.is_active], ['yorick', true])
  const { subscriptions } = await w.yorick.api.get('/users/me/subscriptions')
  assert.deepEqual(
    subscriptions.map(({ name }: { name: string }) => name),
    ['general'],
  )
})

test('only owners merge accounts, and only those that an import created', async () => {
  await using s = await scene()
  const { w, ann, gone, merge } = s
  const { iago, hamlet, cordelia, yorick } = w
  const refused = async (user_id: number, into: Person, message: string) =>
    assert.equal((await merge(user_id, into)).msg, message)
  assert.equal((await merge(ann, yorick, hamlet)).msg, 'Must be an organization owner')
  await refused(hamlet.id, yorick, 'Only accounts that an import created can be merged.')
  await refused(yorick.id, yorick, "An account can't be merged into itself.")
  await refused(9999, yorick, 'No such user')
  await refused(iago.id, yorick, "You can't merge your own account. Ask another owner.")
  const { members } = await iago.api.get('/users')
  const robot = members.find((user: { full_name: string }) => user.full_name === 'Robot').user_id
  await refused(robot, yorick, "Bots can't be merged.")
  await iago.api.delete(`/users/${cordelia.id}`)
  await refused(gone, cordelia, "Deactivated accounts can't take over another account.")
  await storeOf(w.chat).write((tx) => tx.db.updateTable('import').set({ finished_at: null }).execute())
  await refused(gone, yorick, "Import 1 isn't finished. Finish or undo it first.")
})

test('marks stubs as imported', async () => {
  await using s = await scene()
  const stubs = (await s.w.iago.api.get('/users')).members.filter(
    (user: { is_imported_stub: boolean }) => user.is_imported_stub,
  )
  assert.ok(stubs.some(({ user_id }: { user_id: number }) => user_id === s.gone))
  assert.ok(!stubs.some(({ user_id }: { user_id: number }) => user_id === s.ann))
})

test('every column with the ID of an account is merged or has a reason', async () => {
  await using w = await world()
  const { db, dialect } = storeOf(w.chat)
  const tables = await dialect.tables(db)
  const isAccount =
    /(?:^|_)(?:user|sender|owner|actor|author|creator|inviter|bot)_id$|^created_by$|^(?:taken|decided)_by$|^on_behalf_of$/
  const columns = tables.flatMap(({ name, columns }) =>
    columns.filter((column) => isAccount.test(column)).map((column) => `${name}.${column}`),
  )
  assert.deepEqual(columns.sort(), Object.keys(references).sort())
  for (const { name, references: others } of tables)
    if (others.includes('user') && name !== 'user')
      assert.ok(
        columns.some((column) => column.startsWith(`${name}.`)),
        `${name} refers to accounts`,
      )
  const folder = 'src/core/accounts/merging'
  const source = readdirSync(folder)
    .map((file) => readFileSync(join(folder, file), 'utf8'))
    .join('\n')
  for (const how of Object.values(references))
    if (typeof how === 'object' && 'by' in how) assert.match(source, new RegExp(`export async function ${how.by}\\(`))
})

const plan = onlyOnSqlite('it reads the plans of its queries')
test(
  'a merge finds the reactions of an account by an index, because other writes wait for each slice',
  plan,
  async () => {
    await using s = await scene()
    const steps = await plansWhile(async () => {
      assert.equal((await s.merge(s.ann, s.w.people.yorick)).msg, '')
    })
    const reactions = steps.filter((step) => /\breaction\b/.test(step))
    assert.ok(reactions.length > 0)
    assert.deepEqual(
      reactions.filter((step) => step.startsWith('SCAN')),
      [],
    )
  },
)
