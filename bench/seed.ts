/**
 * Makes a large database directly with SQL: `node --import tsx bench/seed.ts FILE [messages]`. 200 streams, 1,000 users,
 * 20,000 topics; the first user after the owner has 20,000 unread messages.
 */
import { existsSync } from 'node:fs'
import { performance } from 'node:perf_hooks'
import { pathToFileURL } from 'node:url'
import Database from 'better-sqlite3'
import { storeOf } from '../src/core/kernel/store.ts'
import { actAs, createOrganization, openChat, subscribe } from '../src/index.ts'
import { piecesOf } from '../src/storage/index.ts'
import { randomFrom, vocabulary } from './words.ts'

const USERS = 1000
const STREAMS = 200
const TOPICS_PER_STREAM = 100
const DIRECTS = 2000
const STREAMS_PER_USER = 30
export const READER_EMAIL = 'user1@example.com'
export const READER_UNREAD = 20_000

export async function seed(
  file: string,
  messages: number,
  userCount = USERS,
  { streamCount = STREAMS, streamsPerUser = STREAMS_PER_USER } = {},
): Promise<void> {
  if (existsSync(file)) throw new Error(`${file} exists already`)
  const random = randomFrom(7)
  const pick = (n: number) => Math.floor(random() * n)
  const chat = await openChat({ db: file, passwordCost: 4 })
  const owner = await createOrganization(chat, {
    org: 'Bench',
    owner_email: 'owner@example.com',
    owner_name: 'Owner',
    owner_password: 'correct horse',
  })
  const caller = await actAs(chat, { user_id: owner.user_id })
  const subscriptions = Array.from({ length: streamCount }, (_, i) => ({ name: `stream ${i}` }))
  await subscribe(caller, { subscriptions })
  const streams = await storeOf(chat)
    .db.selectFrom('stream')
    .select('id')
    .where('name', 'like', 'stream %')
    .orderBy('id')
    .execute()
  await chat.close()

  const db = new Database(file)
  db.pragma('journal_mode = MEMORY')
  db.pragma('synchronous = OFF')
  db.pragma('cache_size = -1000000')
  db.pragma('foreign_keys = OFF')
  const row = (table: string, columns: string) =>
    db
      .prepare(
        `insert into ${table} (${columns}) values (${columns
          .split(',')
          .map(() => '?')
          .join(',')}) returning rowid`,
      )
      .pluck()
  db.exec("insert into message_search (message_search, rank) values ('hashsize', 67108864)")
  db.exec('begin')
  // A tenth of the streams are private with open history, a tenth with protected history.
  for (const [i, { id }] of streams.entries()) {
    if (i % 5 === 4)
      db.prepare('update stream set invite_only = 1, history_public_to_subscribers = ? where id = ?').run(
        i % 10 === 9 ? 0 : 1,
        id,
      )
  }
  const addUser = row(
    'user',
    'email,email_key,full_name,name_key,timezone,avatar_source,role,is_active,is_system_bot,date_joined,avatar_version',
  )
  const addSubscription = row('subscription', 'user_id,stream_id,color,is_active,is_muted,pin_to_top')
  const addPeriod = row('subscription_period', 'user_id,stream_id,from_message_id,from_event_id')
  const users: number[] = []
  const received = new Map<number, number[]>()
  for (let i = 1; i <= userCount; i++) {
    const email = `user${i}@example.com`
    const id = addUser.get(email, email, `User ${i}`, `user ${i}`, '', 'G', 400, 1, 0, 1_700_000_000, 1) as number
    users.push(id)
    const mine = new Set<number>()
    while (mine.size < streamsPerUser) mine.add(streams[pick(streamCount)]!.id)
    received.set(id, [...mine])
    for (const stream_id of mine) {
      addSubscription.get(id, stream_id, '#76ce90', 1, 0, 0)
      addPeriod.get(id, stream_id, 1, 1)
    }
  }
  db.exec(
    'update stream set subscriber_count = (select count(*) from subscription where stream_id = stream.id and is_active = 1)',
  )
  const addTopic = row('topic', 'stream_id,name,name_key')
  const words = vocabulary(random, 20_000)
  const topics = streams.map(({ id }) =>
    Array.from({ length: TOPICS_PER_STREAM }, (_, i) => {
      const resolved = i % 10 === 9 ? '✔ ' : ''
      const name = `${resolved}${words[pick(words.length)]} ${words[pick(words.length)]} ${i}`
      return addTopic.get(id, name, name) as number
    }),
  )
  const addConversation = row('conversation', 'kind,participant_key')
  const addParticipant = row('direct_participant', 'user_id,conversation_id')
  const directs = new Map<string, { id: number; people: number[] }>()
  for (let i = 0; i < DIRECTS; i++) {
    const people = [users[pick(userCount)]!, users[pick(userCount)]!].sort((a, b) => a - b)
    const key = [...new Set(people)].join(',')
    if (directs.has(key)) continue
    const id = addConversation.get('direct', key) as number
    for (const person of new Set(people)) addParticipant.get(person, id)
    directs.set(key, { id, people })
  }
  const direct = [...directs.values()]
  const first = 1 + (db.prepare('select coalesce(max(id), 0) from message').pluck().get() as number)
  const addMessage = db.prepare(
    `insert into message (id,sender_id,conversation_id,topic_id,content,rendered_content,client,sent_at,read_by_sender,
     stream_wildcard,topic_wildcard,has_link,has_image,has_attachment,is_me_message) values (?,?,?,?,?,?,?,?,1,0,0,?,?,0,0)`,
  )
  const addText = db.prepare('insert into search_text (message_id, text) values (?, ?)')
  const index = db.prepare('insert into message_search (rowid, pieces) values (?, ?)')
  const addReaction = db.prepare(
    "insert into reaction (message_id, user_id, emoji_name, emoji_code, reaction_type) values (?, ?, 'smile', '1f642', 'unicode_emoji')",
  )
  const word = () => words[Math.floor(words.length * random() ** 3)]!
  for (let i = 0; i < messages; i++) {
    const id = first + i
    const count = 4 + Math.floor(random() ** 2 * 40)
    let content = word()
    for (let k = 1; k < count; k++) content += ` ${word()}`
    const link = random() < 0.05 ? 1 : 0
    const html = `<p>${content}</p>`
    if (random() < 0.05) {
      const { id: conversation, people } = direct[pick(direct.length)]!
      addMessage.run(
        id,
        people[pick(people.length)],
        conversation,
        null,
        content,
        html,
        'website',
        1_700_000_000 + i,
        link,
        0,
      )
    } else {
      const s = Math.floor(streamCount * random() ** 1.5)
      const topic = topics[s]![Math.floor(TOPICS_PER_STREAM * random() ** 2)]
      addMessage.run(
        id,
        users[pick(userCount)],
        streams[s]!.id,
        topic,
        content,
        html,
        'website',
        1_700_000_000 + i,
        link,
        link && pick(10) === 0 ? 1 : 0,
      )
    }
    addText.run(id, content)
    index.run(id, [...piecesOf(content)].join(' '))
    if (pick(20) === 0) addReaction.run(id, users[pick(userCount)])
  }
  muteSome(db, users[0]!, streams, topics)
  readMost(db, users, received, direct, first + messages - 1)
  db.exec("insert into message_search (message_search, rank) values ('hashsize', 1048576)")
  db.exec('update search_progress set indexed_up_to = (select max(id) from message)')
  db.exec('commit')
  db.close()
}

/** The reader has muted a topic of every stream, and a stream. */
function muteSome(
  db: Database.Database,
  reader: number,
  streams: readonly { id: number }[],
  topics: readonly (readonly number[])[],
): void {
  const mute = db.prepare(
    `insert into user_topic (user_id, stream_id, topic_name, topic_key, visibility_policy, last_updated)
     select ?, stream_id, name, name_key, 1, 0 from topic where id = ?`,
  )
  for (const own of topics) mute.run(reader, own[5])
  db.prepare('update subscription set is_muted = 1 where user_id = ? and stream_id = ?').run(reader, streams[3]!.id)
}

/**
 * Everyone has read all but the newest message of each conversation. The reader has read all but the newest 20,000.
 */
function readMost(
  db: Database.Database,
  users: readonly number[],
  received: ReadonlyMap<number, readonly number[]>,
  direct: readonly { id: number; people: readonly number[] }[],
  newest: number,
): void {
  const addRange = db.prepare('insert into read_range (user_id, conversation_id, lo, hi) values (?, ?, 1, ?)')
  const own = new Map<number, number[]>()
  for (const { id, people } of direct)
    for (const person of new Set(people)) own.set(person, [...(own.get(person) ?? []), id])
  for (const [i, user] of users.entries()) {
    const conversations = [...(received.get(user) ?? []), ...(own.get(user) ?? [])]
    let hi = newest - Math.floor(newest / 100)
    if (i === 0) {
      const list = JSON.stringify(conversations)
      const last = db
        .prepare(
          `select id from message where conversation_id in (select value from json_each(?)) and sender_id != ? order by id desc limit 1 offset ?`,
        )
        .pluck()
      hi = (last.get(list, user, READER_UNREAD) as number | undefined) ?? hi
    }
    for (const conversation of conversations) addRange.run(user, conversation, hi)
  }
}

if (import.meta.url === pathToFileURL(process.argv[1] ?? '').href) {
  const [file = 'bench.db', messages = '1000000'] = process.argv.slice(2)
  const start = performance.now()
  await seed(file, Number(messages))
  console.log(`${messages} messages in ${file}: ${((performance.now() - start) / 1000).toFixed(1)} s`)
}
