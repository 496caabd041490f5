import { appendFileSync, mkdirSync, writeFileSync } from 'node:fs'
import { join } from 'node:path'
import { randomFrom, vocabulary } from '../words.ts'

/** Ten years of 300 channels and 500 people: one message in twenty begins a thread, one in five answers in one. */
const USERS = 500
const CHANNELS = 300
const DAY = 86_400
const DAYS = 3650
const BEGIN = 1_400_000_000
/** One person in this many is in a channel. */
const SPARSE = 25

interface Generated {
  nth: number
  /** Seconds since 1970, with a fraction. */
  date: number
  day: number
  channel: number
  user: number
  text: string
  /** The number of the message that began its thread. */
  thread: number | undefined
  /** Who added a reaction. */
  reaction: number | undefined
}

/** The same messages for each source, in their order. */
function* generated(messages: number): Generator<Generated> {
  const random = randomFrom(11)
  const pick = (count: number): number => Math.floor(random() * count)
  const words = vocabulary(random, 20_000)
  const perDay = messages / DAYS
  const threads = new Map<number, number>()
  let nth = 0
  for (let day = 0; day < DAYS; day++) {
    const most = Math.round((day + 1) * perDay)
    // A few channels are busy on each day.
    const busy = [pick(CHANNELS), pick(CHANNELS), pick(CHANNELS)]
    const first = nth
    for (; nth < most; nth++) {
      const channel = busy[pick(3)]!
      const isRoot = random() < 0.05
      if (isRoot) threads.set(channel, nth)
      const length = 4 + Math.floor(random() ** 2 * 40)
      yield {
        ...{ nth, day, channel, user: pick(USERS) },
        date: BEGIN + day * DAY + ((nth - first) / Math.max(1, most - first)) * (DAY - 1),
        text: Array.from({ length }, () => words[Math.floor(words.length * random() ** 3)]!).join(' '),
        thread: isRoot || random() < 0.2 ? threads.get(channel) : undefined,
        reaction: random() < 0.05 ? pick(USERS) : undefined,
      }
    }
  }
}

const numbers = (count: number) => Array.from({ length: count }, (_, i) => i)
const membersOf = (channel: number): number[] => numbers(USERS).filter((user) => (user + channel) % SPARSE === 0)
const into = (folder: string) => (name: string, value: unknown) =>
  writeFileSync(join(folder, name), JSON.stringify(value))

function writeSlack(folder: string, messages: number): void {
  const write = into(folder)
  write(
    'users.json',
    numbers(USERS).map((i) => ({
      id: `U${i}`,
      name: `user${i}`,
      profile: { real_name: `User ${i}`, email: `user${i}@example.com` },
    })),
  )
  write(
    'channels.json',
    numbers(CHANNELS).map((i) => ({
      id: `C${i}`,
      name: `channel-${i}`,
      members: membersOf(i).map((user) => `U${user}`),
    })),
  )
  for (const i of numbers(CHANNELS)) mkdirSync(join(folder, `channel-${i}`))
  const tsOf = ({ nth, date }: Pick<Generated, 'nth' | 'date'>) =>
    `${Math.floor(date)}.${String(nth % 1_000_000).padStart(6, '0')}`
  const roots = new Map<number, string>()
  let files = new Map<number, object[]>()
  let today = 0
  const flush = () => {
    const date = new Date((BEGIN + today * DAY) * 1000).toISOString().slice(0, 10)
    for (const [channel, list] of files) write(`channel-${channel}/${date}.json`, list)
    files = new Map()
  }
  for (const message of generated(messages)) {
    const { nth, day, channel, user, text, thread, reaction } = message
    if (day !== today) flush()
    today = day
    if (thread === nth) roots.set(nth, tsOf(message))
    files.set(channel, [
      ...(files.get(channel) ?? []),
      {
        ...{ type: 'message', user: `U${user}`, text, ts: tsOf(message) },
        ...(thread !== undefined && { thread_ts: roots.get(thread), ...(thread === nth && { reply_count: 3 }) }),
        ...(reaction !== undefined && { reactions: [{ name: 'tada', users: [`U${reaction}`], count: 1 }] }),
      },
    ])
  }
  flush()
}

/** Each member of a channel received all of its messages. */
function writeZulip(folder: string, messages: number): void {
  const write = into(folder)
  const recipientOf = (channel: number) => 1000 + channel
  const subscriptions = numbers(CHANNELS).flatMap((channel) =>
    membersOf(channel).map((user) => ({ user_profile: user + 1, recipient: recipientOf(channel), active: true })),
  )
  const reactions: object[] = []
  let batch: { zerver_message: object[]; zerver_usermessage: object[] } = { zerver_message: [], zerver_usermessage: [] }
  let files = 0
  const flush = () => {
    if (batch.zerver_message.length > 0) write(`messages-${String(++files).padStart(6, '0')}.json`, batch)
    batch = { zerver_message: [], zerver_usermessage: [] }
  }
  let receipts = 0
  const threads = new Map<number, string>()
  for (const { nth, date, channel, user, text, thread, reaction } of generated(messages)) {
    if (thread === nth) threads.set(nth, text.slice(0, 50))
    batch.zerver_message.push({
      ...{ id: nth + 1, sender: user + 1, recipient: recipientOf(channel), content: text, date_sent: date },
      ...{ subject: thread === undefined ? 'all' : threads.get(thread), sending_client: 1, last_edit_time: null },
      ...{ rendered_content: `<p>${text}</p>`, rendered_content_version: 1, edit_history: null, realm: 1 },
    })
    for (const member of membersOf(channel))
      batch.zerver_usermessage.push({ id: ++receipts, user_profile: member + 1, message: nth + 1, flags_mask: 1 })
    if (reaction !== undefined)
      reactions.push({ id: reactions.length + 1, user_profile: reaction + 1, message: nth + 1, emoji_name: 'tada' })
    if (batch.zerver_message.length === 1000) flush()
  }
  flush()
  write('migration_status.json', {})
  write('realm.json', {
    zerver_realm: [{ id: 1, name: 'Bench' }],
    zerver_client: [{ id: 1, name: 'website' }],
    zerver_userprofile: numbers(USERS).map((i) => ({
      ...{ id: i + 1, full_name: `User ${i}`, delivery_email: `user${i}@example.com`, role: 400, is_active: true },
    })),
    zerver_stream: numbers(CHANNELS).map((i) => ({ id: i + 1, name: `channel-${i}`, date_created: BEGIN })),
    zerver_recipient: numbers(CHANNELS).map((i) => ({ id: recipientOf(i), type: 2, type_id: i + 1 })),
    zerver_subscription: subscriptions.map((row, i) => ({ id: i + 1, ...row })),
    zerver_reaction: reactions,
  })
}

function writeMattermost(folder: string, messages: number): void {
  const lines: string[] = []
  const path = join(folder, 'import.jsonl')
  const flush = () => appendFileSync(path, lines.splice(0).join(''))
  const write = (type: string, body: unknown) => {
    lines.push(`${JSON.stringify({ type, [type]: body })}\n`)
    if (lines.length === 10_000) flush()
  }
  write('version', 1)
  write('team', { name: 'bench', display_name: 'Bench', type: 'O' })
  const place = (channel: number) => ({ team: 'bench', channel: `channel-${channel}` })
  for (const i of numbers(CHANNELS))
    write('channel', { team: 'bench', name: `channel-${i}`, display_name: `channel-${i}`, type: 'O' })
  for (const i of numbers(USERS)) {
    const channels = numbers(CHANNELS).filter((channel) => (i + channel) % SPARSE === 0)
    write('user', {
      ...{ username: `user${i}`, email: `user${i}@example.com`, nickname: `User ${i}` },
      teams: [{ name: 'bench', channels: channels.map((channel) => ({ name: `channel-${channel}` })) }],
    })
  }
  // A thread is one line, so it is written when the next one of its channel begins.
  const open = new Map<number, { replies: object[] }>()
  for (const { nth, date, channel, user, text, thread, reaction } of generated(messages)) {
    const post = {
      ...{ user: `user${user}`, message: text, create_at: Math.floor(date * 1000) },
      ...(reaction !== undefined && { reactions: [{ user: `user${reaction}`, emoji_name: 'tada' }] }),
    }
    const root = open.get(channel)
    if (thread === nth) {
      if (root) write('post', root)
      open.set(channel, { ...place(channel), ...post, replies: [] })
    } else if (thread !== undefined && root) root.replies.push(post)
    else write('post', { ...place(channel), ...post })
  }
  for (const root of open.values()) write('post', root)
  flush()
}

/** Writes an export of each source into an empty folder. */
export const writers = { slack: writeSlack, zulip: writeZulip, mattermost: writeMattermost } as const
export type BenchSource = keyof typeof writers
export const benchSources = Object.keys(writers) as BenchSource[]
