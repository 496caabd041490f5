import assert from 'node:assert/strict'
import { join } from 'node:path'
import test from 'node:test'
import type { Chat } from '../../src/core/kernel/chat.ts'
import { contextOf } from '../../src/core/kernel/context.ts'
import { storeOf } from '../../src/core/kernel/store.ts'
import { writeNeutral } from '../../src/core/organization/exports/neutral.ts'
import { writeArchive } from '../../src/core/organization/exports/write-archive.ts'
import { recountSubscribers } from '../../src/core/streams/subscriber-count.ts'
import { createOrganization, openChat } from '../../src/index.ts'
import { type World, world } from '../../src/testing/index.ts'
import { scene } from '../access/scene.ts'
import { upload } from '../files/files.ts'
import { onePixelPng } from '../fixtures/images.ts'
import { TemporaryFolder } from '../temporary-folder.ts'
import { contentsOf, importInto } from './archives.ts'

/** Tables whose rows an import makes again or can't have, as docs/guide/import.md says. */
const notImported = new Set([
  ...['api_key', 'password_link', 'idempotency_key', 'secret_fingerprint', 'shared_secret', 'push_token', 'device'],
  ...['organization', 'organization_setting', 'organization_picture', 'organization_domain', 'user_setting_default'],
  ...['user_setting', 'presence', 'onboarding_step', 'navigation_view', 'channel_folder', 'default_stream_group'],
  ...['bot', 'bot_storage', 'playground'],
  ...[
    'event',
    'queue',
    'role_change',
    'send_receipt',
    'archived_message',
    'invitation',
    'data_export',
    'dropped_blob',
    'upload',
  ],
  ...['import', 'import_object', 'import_unread', 'file_space', 'search_text', 'subscription_period'],
])

// biome-ignore lint/suspicious/noExplicitAny: rows of any table.
type Row = Record<string, any>

/** What a chat holds, with names in the place of ids. */
async function meaningOf(chat: Chat): Promise<Record<string, unknown[]>> {
  const tables = (await contentsOf(chat)) as Record<string, Row[]>
  const users = new Map(tables.user!.map((row) => [row.id, row.delivery_email as string]))
  const streams = new Map(tables.stream!.map((row) => [row.id, row.name as string]))
  const topics = new Map(tables.topic!.map((row) => [row.id, row.name as string]))
  const people = (id: unknown) =>
    tables
      .direct_participant!.filter((row) => row.conversation_id === id)
      .map((row) => users.get(row.user_id))
      .toSorted()
      .join()
  const place = (id: unknown) => streams.get(id as number) ?? people(id)
  const isOurs = (row: Row) => users.get(row.sender_id)?.includes('@chat.invalid') !== true
  const all = tables.message!.filter(isOurs).toSorted((a, b) => a.id - b.id)
  const nth = new Map(all.map((row, i) => [row.id, i]))
  // Ids inside of contents are of people, messages and files.
  const text = (content: unknown) =>
    String(content)
      .replace(/\|(\d+)\*\*/g, (_, id) => `|${users.get(Number(id))}**`)
      .replace(/@(\d+)\*\*/g, (_, id) => `@${nth.get(Number(id))}**`)
      .replace(/\/user_uploads\/\d+\/\w\w\/\w+\//g, '/user_uploads/')
  const html = (content: unknown) =>
    text(content)
      .replace(
        /(user|stream|channel)(-id=")(\d+)/g,
        (_, kind, id, n) => `${kind}${id}${kind === 'user' ? users.get(Number(n)) : streams.get(Number(n))}`,
      )
      .replace(/#narrow[^"]*|emoji\/images\/\d+|loading-placeholder[^>]*|src="[^"]*"/g, '')
  // Votes repeat the ID of the person who added the option, and changes the ID of the person who added the task.
  const named = (step: unknown) =>
    String(step)
      .replace(/"vote","key":"(\d+),/, (_, id) => `"vote","key":"${users.get(Number(id))},`)
      .replace(/"strike","key":"(\d+),(\d+)"/, (_, key, id) => `"strike","key":"${key},${users.get(Number(id))}"`)
  const ids = (message: unknown) => nth.get(message as number)
  const ofMessages = (rows: Row[]) => rows.filter((row) => nth.has(row.message_id))
  const isRead = (user: number, message: Row) =>
    tables.read_range!.some(
      (range) =>
        range.user_id === user &&
        range.conversation_id === message.conversation_id &&
        range.lo <= message.id &&
        message.id <= range.hi,
    )
  const received = (user: number, message: Row) =>
    message.topic_id === null
      ? people(message.conversation_id).includes(users.get(user)!)
      : tables.subscription_period!.some(
          (one) =>
            one.user_id === user &&
            one.stream_id === message.conversation_id &&
            one.from_message_id <= message.id &&
            (one.to_message_id === null || message.id < one.to_message_id),
        )
  return {
    user: tables
      .user!.filter((row) => !row.is_system_bot)
      .map((row) => [
        row.delivery_email,
        row.full_name,
        row.role,
        row.is_active,
        row.bot_type,
        row.timezone,
        row.date_joined,
        row.avatar_source,
      ])
      .toSorted(),
    stream: tables
      .stream!.map(({ id: _, creator_id, first_message_id, settings: __, ...row }) => ({
        ...(row as object),
        creator: users.get(creator_id),
        first: ids(first_message_id),
      }))
      .toSorted((a, b) => (JSON.stringify(a) < JSON.stringify(b) ? -1 : 1)),
    message: all.map((row) => ({
      sender: users.get(row.sender_id),
      place: place(row.conversation_id),
      topic: topics.get(row.topic_id),
      content: text(row.content),
      html: html(row.rendered_content),
      sent_at: row.sent_at,
      client: row.client,
      edited: row.edited_at,
      moved: row.moved_at,
      me: row.is_me_message,
      link: row.has_link,
      image: row.has_image,
      attachment: row.has_attachment,
      wildcard: row.stream_wildcard,
    })),
    reaction: ofMessages(tables.reaction!)
      .map((row) => [ids(row.message_id), users.get(row.user_id), row.emoji_name, row.reaction_type])
      .toSorted(),
    message_flag: ofMessages(tables.message_flag!)
      .map((row) => [ids(row.message_id), users.get(row.user_id), row.flags])
      .toSorted(),
    message_edit: ofMessages(tables.message_edit!).map((row) => [
      ids(row.message_id),
      users.get(row.user_id),
      row.edited_at,
      row.prev_content,
      row.prev_topic,
      row.topic,
    ]),
    submessage: ofMessages(tables.submessage!).map((row) => [
      ids(row.message_id),
      users.get(row.sender_id),
      named(row.content),
    ]),
    read: all
      .flatMap((message) =>
        tables
          .user!.filter(
            (user) => received(user.id, message) && user.id !== message.sender_id && !isRead(user.id, message),
          )
          .map((user) => [ids(message.id), user.delivery_email]),
      )
      .toSorted(),
    received: all
      .filter((message) => ['closed', 'protected'].includes(place(message.conversation_id)))
      .flatMap((message) =>
        tables.user!.filter((user) => received(user.id, message)).map((user) => [ids(message.id), user.delivery_email]),
      )
      .toSorted(),
    subscription: tables
      .subscription!.filter((row) => row.is_active)
      .map((row) => [users.get(row.user_id), streams.get(row.stream_id), row.is_muted, row.pin_to_top, row.color])
      .toSorted(),
    default_stream: tables.default_stream!.map((row) => streams.get(row.stream_id)).toSorted(),
    topic: tables.topic!.map((row) => [streams.get(row.stream_id), row.name]).toSorted(),
    user_topic: tables
      .user_topic!.map((row) => [
        users.get(row.user_id),
        streams.get(row.stream_id),
        row.topic_name,
        row.visibility_policy,
      ])
      .toSorted(),
    user_group: tables
      .user_group!.filter((row) => !row.is_system_group)
      .map((row) => [row.name, row.description])
      .toSorted(),
    user_group_member: tables.user_group_member!.map((row) => users.get(row.user_id)).toSorted(),
    custom_emoji: tables.custom_emoji!.map((row) => [row.name, users.get(row.author_id), row.is_animated]),
    linkifier: tables.linkifier!.map((row) => [row.pattern, row.url_template]),
    alert_word: tables.alert_word!.map((row) => [users.get(row.user_id), row.word]),
    muted_user: tables.muted_user!.map((row) => [users.get(row.user_id), users.get(row.muted_user_id)]),
    user_status: tables.user_status!.map((row) => [users.get(row.user_id), row.status_text, row.emoji_name]),
    draft: tables.draft!.map((row) => [
      ...[users.get(row.user_id), row.type, row.topic, text(row.content), row.edited_at],
      JSON.parse(row.recipients).map((id: number) => (row.type === 'stream' ? streams.get(id) : users.get(id))),
    ]),
    scheduled_message: tables.scheduled_message!.map((row) => [
      ...[users.get(row.sender_id), place(row.conversation_id), row.topic, row.deliver_at],
      ...[text(row.content), html(row.rendered_content)],
    ]),
    reminder: tables.reminder!.map((row) => [users.get(row.user_id), ids(row.message_id), row.note, row.deliver_at]),
    pinned_message: tables.pinned_message!.map((row) => [
      ...[ids(row.message_id), place(row.stream_id), users.get(row.user_id), row.pinned_at],
    ]),
    saved_snippet: tables.saved_snippet!.map((row) => [users.get(row.user_id), row.title, row.content, row.created_at]),
    file: tables.file!.map((row) => [row.name, users.get(row.owner_id), row.size, row.content_type, row.width]),
    profile_field: tables.profile_field!.map((row) => [row.name, row.type]),
    profile_value: tables.profile_value!.map((row) => [users.get(row.user_id), row.value]),
  }
}

/** Everything that members do. */
async function busy(w: World): Promise<void> {
  const { hamlet, cordelia, iago } = w.people
  await iago.api.post('/users/me/subscriptions', {
    subscriptions: [{ name: 'closed' }],
    invite_only: true,
    history_public_to_subscribers: false,
    principals: [hamlet.id, iago.id],
  })
  await iago.api.post('/users/me/subscriptions', { subscriptions: [{ name: 'gone', description: 'was here' }] })
  await hamlet.says('before cordelia came', { stream: 'closed', topic: 'doors' })
  await iago.api.post('/users/me/subscriptions', { subscriptions: [{ name: 'closed' }], principals: [cordelia.id] })
  await cordelia.says('I am in', { stream: 'closed', topic: 'doors' })
  const { id } = await hamlet.says('to be', { stream: 'general', topic: 'question' })
  await cordelia.api.post(`/messages/${id}/reactions`, { emoji_name: 'tada' })
  await cordelia.api.post('/messages/flags', { messages: [id], op: 'add', flag: 'starred' })
  await hamlet.api.patch(`/messages/${id}`, { content: 'or not' })
  await hamlet.api.patch(`/messages/${id}`, { topic: 'answer' })
  await iago.api.post(`/messages/${id}/pin`)
  await cordelia.says(`@**Hamlet** and @_**King Claudius** see #**general>answer@${id}**`, {
    stream: 'general',
    topic: 'answer',
  })
  const poll = await hamlet.says('/poll Supper?\nyes\nno', { stream: 'general', topic: 'polls' })
  const step = (by: typeof hamlet, message_id: number, content: object) =>
    by.api.post('/submessage', { message_id, msg_type: 'widget', content: JSON.stringify(content) })
  await step(cordelia, poll.id, { type: 'new_option', idx: 1, option: 'later' })
  await step(hamlet, poll.id, { type: 'vote', key: `${cordelia.id},1`, vote: 1 })
  await step(cordelia, poll.id, { type: 'vote', key: 'canned,0', vote: 1 })
  const tasks = await cordelia.says('/todo Play\nlines', { stream: 'general', topic: 'polls' })
  await step(hamlet, tasks.id, { type: 'new_task', key: 2, task: 'masks', desc: '', completed: false })
  await step(cordelia, tasks.id, { type: 'strike', key: `2,${hamlet.id}` })
  await hamlet.says('/me waits', { people: [cordelia] })
  await cordelia.says('three of us', { people: [hamlet, iago] })
  const url = await upload(hamlet)
  await iago.api.upload('/realm/emoji/blob', onePixelPng())
  await hamlet.says(`[play.txt](${url}) :blob:`, { stream: 'general', topic: 'files' })
  await iago.api.post('/user_groups/create', {
    name: 'watch',
    description: 'at night',
    members: [hamlet.id, cordelia.id],
  })
  await iago.api.post('/realm/filters', { pattern: '#(?P<id>[0-9]+)', url_template: 'https://example.com/{id}' })
  await hamlet.says('see #12', { stream: 'general', topic: 'files' })
  await hamlet.api.post('/users/me/alert_words', { alert_words: ['ghost'] })
  await cordelia.says('a ghost', { stream: 'general', topic: 'files' })
  await hamlet.api.post('/users/me/status', { status_text: 'thinking', emoji_name: 'tada' })
  await hamlet.api.post('/saved_snippets', { title: 'Hello', content: 'Hello there' })
  const scheduled_delivery_timestamp = Math.floor(w.clock.now() / 1000) + 3600
  const general = await w.streamId('general')
  const link = `see [it](${url}) and #**general>answer@${id}**`
  await hamlet.api.post('/drafts', {
    drafts: [
      { type: 'stream', to: [general], topic: 'answer', content: link, timestamp: 1_700_000_000 },
      { type: 'private', to: [cordelia.id, iago.id], topic: '', content: 'not yet', timestamp: 1_700_000_001 },
      { type: '', to: [], topic: '', content: 'to nobody', timestamp: 1_700_000_002 },
    ],
  })
  for (const to of [
    { type: 'stream', to: general, topic: 'later' },
    { type: 'private', to: [cordelia.id] },
  ])
    await hamlet.api.post('/scheduled_messages', { ...to, content: link, scheduled_delivery_timestamp })
  await cordelia.api.post('/reminders', { message_id: id, scheduled_delivery_timestamp, note: 'answer' })
  await hamlet.api.post(`/users/me/muted_users/${cordelia.id}`)
  await hamlet.api.post('/user_topics', {
    stream_id: await w.streamId('general'),
    topic: 'answer',
    visibility_policy: 3,
  })
  await iago.api.delete(`/streams/${await w.streamId('gone')}`)
  await iago.api.post('/realm/profile_fields', { name: 'Title', hint: 'of honor', field_type: 1 })
  await hamlet.api.patch('/users/me/profile_data', { data: [{ id: 1, value: 'Prince' }] })
}

const write = {
  "an export of Zulip's format": (chat: Chat, files: { path: string; work: string; folder: string }) =>
    writeArchive(contextOf(chat), { kind: 'full', ...files }),
  'an export of JSON lines': (chat: Chat, files: { path: string; work: string; folder: string }) =>
    writeNeutral(contextOf(chat), files),
}
const scenes: Record<string, () => Promise<World>> = {
  'what members do': async () => {
    const w = await world()
    await busy(w)
    return w
  },
  'the scene of access': async () => {
    const { w } = await scene()
    const streams = await storeOf(w.chat).db.selectFrom('stream').select('id').execute()
    // The scene deactivates an account by its row.
    await contextOf(w.chat).write((tx) =>
      recountSubscribers(
        tx,
        streams.map(({ id }) => id),
      ),
    )
    return w
  },
}
const cases = Object.entries(write).flatMap(([name, exported]) =>
  Object.entries(scenes).map(([what, make]) => ({ name, exported, what, make })),
)
for (const { name, exported, what, make } of cases)
  test(`${name} imports into an empty organization as the same: ${what}`, async () => {
    await using from = await make()
    using folder = new TemporaryFolder()
    const path = join(folder.path, 'elsinore.tar.gz')
    await exported(from.chat, { path, work: folder.path, folder: 'export' })
    await using to = await openChat({ clock: from.clock, passwordCost: 4 })
    await createOrganization(to, {
      org: 'Elsinore',
      owner_email: from.iago.email,
      owner_name: 'iago',
      owner_password: 'correct horse',
    })
    await emptied(to)
    const { report } = await importInto(to, { path })
    const [before, after] = [await meaningOf(from.chat), await meaningOf(to)]
    for (const [table, rows] of Object.entries(before)) assert.deepEqual(after[table], rows, table)
    assert.equal(report.found.message, report.imported.message)
    const compared = new Set([
      ...Object.keys(before),
      'conversation',
      'direct_participant',
      'read_range',
      'message_file',
      'draft_file',
      'scheduled_message_file',
      'thumbnail',
      'user_group_subgroup',
    ])
    const all = (await storeOf(from.chat).dialect.tables(storeOf(from.chat).db)).map(({ name }) => name)
    const forgotten = Object.entries(await contentsOf(from.chat)).filter(
      ([name, rows]) => rows.length > 0 && !compared.has(name) && !notImported.has(name),
    )
    assert.deepEqual(
      forgotten.map(([name]) => name),
      [],
    )
    assert.deepEqual(
      [...notImported].filter((name) => !all.includes(name)),
      [],
    )
  })

/** Removes the channels of a new world, so that it is empty but for its people. */
async function emptied(chat: Chat): Promise<void> {
  await storeOf(chat).write(async ({ db }) => {
    for (const table of ['default_stream', 'subscription', 'subscription_period'] as const)
      await db.deleteFrom(table).execute()
    await db.deleteFrom('topic').execute()
    await db.deleteFrom('stream').execute()
    await db.deleteFrom('conversation').where('kind', '=', 'stream').execute()
  })
}
