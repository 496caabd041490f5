import assert from 'node:assert/strict'
import { storeOf } from '../../src/core/kernel/store.ts'
import { deleteMessage } from '../../src/core/messages/edit/delete.ts'
import { updateMessage } from '../../src/core/messages/edit/edit.ts'
import { updateFlags } from '../../src/core/messages/flags.ts'
import { markAllAsRead, markStreamAsRead, markTopicAsRead } from '../../src/core/messages/mark-as-read.ts'
import { firstUnread } from '../../src/core/narrow/anchor.ts'
import { compileNarrow } from '../../src/core/narrow/compile.ts'
import { isUnreadBy } from '../../src/core/read-state/conditions.ts'
import { newestUnread, unreadOf } from '../../src/core/read-state/unread-list.ts'
import { subscribe } from '../../src/core/streams/subscriptions/subscribe.ts'
import { unsubscribe } from '../../src/core/streams/subscriptions/unsubscribe.ts'
import { type Person, type World, world } from '../../src/testing/world.ts'
import { picker, seeded } from '../random.ts'

/** A simple model of read state: a flag on each message. */
interface Kept {
  own: boolean
  /** 0 is the direct conversation. */
  sentIn: number
  isIn: number
  topic: string
  received: boolean
  read: boolean
}

export type Step =
  | 'say'
  | 'sayOwn'
  | 'read'
  | 'unread'
  | 'readStream'
  | 'readTopic'
  | 'readAll'
  | 'delete'
  | 'move'
  | 'join'
  | 'leave'

const DIRECT = 0
const topics = ['a', 'b', 'c']
const names = ['one', 'two', 'three']

function random(seed: number) {
  const numbers = seeded(seed)
  const below = (n: number) => Math.floor(numbers() * n)
  return { below, of: picker(numbers) }
}

/** Takes random steps with hamlet as the reader, comparing the server's answers with the model. */
export async function walk(seed: number, steps: number, kinds: readonly Step[], checkEvery = 10): Promise<void> {
  await using w = await world({
    streams: Object.fromEntries(names.map((name) => [name, { members: ['iago', 'hamlet'] }])),
  })
  const { iago, hamlet } = w.people
  const dice = random(seed)
  const streams = await Promise.all(names.map((name) => w.streamId(name)))
  const subscribed = new Set(streams)
  const kept = new Map<number, Kept>()
  await markAllAsRead(hamlet, {})

  const effective = (message: Kept) =>
    !message.read && (message.own || message.received) && (message.isIn === DIRECT || subscribed.has(message.isIn))
  const some = (most: number) => {
    const ids = [...kept.keys()]
    if (ids.length === 0) return []
    const from = dice.below(ids.length)
    return dice.below(2)
      ? ids.slice(from, from + dice.below(most))
      : Array.from({ length: dice.below(5) }, () => dice.of(ids))
  }
  const remember = (id: number, own: boolean, place: number, topic: string) => {
    const received = place === DIRECT || subscribed.has(place)
    kept.set(id, { own, sentIn: place, isIn: place, topic, received, read: own || !received })
  }
  const say = async (who: Person, own: boolean) => {
    const place = dice.below(5) === 0 ? DIRECT : dice.of(streams)
    const topic = dice.of(topics)
    const to = place === DIRECT ? { people: [own ? iago : hamlet] } : { stream: names[streams.indexOf(place)]!, topic }
    const { id } = await who.says('words', to)
    remember(id, own, place, topic)
  }
  const take: Record<Step, () => Promise<unknown>> = {
    say: () => say(iago, false),
    sayOwn: () => say(hamlet, true),
    async read() {
      const ids = some(30)
      await updateFlags(hamlet, { messages: ids, op: 'add', flag: 'read' })
      for (const id of ids) if (effective(kept.get(id)!)) kept.get(id)!.read = true
    },
    async unread() {
      const ids = some(10)
      await updateFlags(hamlet, { messages: ids, op: 'remove', flag: 'read' })
      for (const id of ids) {
        const message = kept.get(id)!
        const before = message.read
        message.read = false
        if (!effective(message)) message.read = before
      }
    },
    async readStream() {
      const stream_id = dice.of(streams)
      await markStreamAsRead(hamlet, { stream_id })
      for (const m of kept.values()) if (m.isIn === stream_id && effective(m)) m.read = true
    },
    async readTopic() {
      const stream_id = dice.of(streams)
      const topic_name = dice.of(topics)
      const there = [...kept.values()].filter((m) => m.isIn === stream_id && m.topic === topic_name)
      if (there.length === 0) return
      await markTopicAsRead(hamlet, { stream_id, topic_name })
      for (const m of there) if (effective(m)) m.read = true
    },
    async readAll() {
      await markAllAsRead(hamlet, {})
      const origins = new Set([...kept.values()].filter((m) => effective(m) && !m.own).map((m) => m.sentIn))
      for (const m of kept.values()) if (m.own || origins.has(m.sentIn)) m.read = true
    },
    async delete() {
      const [id] = some(2)
      if (id === undefined) return
      await deleteMessage(iago, { message_id: id })
      kept.delete(id)
    },
    async move() {
      const [id] = some(2)
      const message = id === undefined ? undefined : kept.get(id)
      if (id === undefined || !message || message.isIn === DIRECT) return
      const to = dice.of(streams)
      const topic = dice.of(topics)
      if (to === message.isIn && topic === message.topic) return
      const mode = dice.of(['change_one', 'change_later', 'change_all'] as const)
      const from = { ...message }
      const quiet = { send_notification_to_new_thread: false, send_notification_to_old_thread: false }
      await updateMessage(iago, { message_id: id, stream_id: to, topic, propagate_mode: mode, ...quiet })
      for (const [other, m] of kept) {
        const along = m.isIn === from.isIn && m.topic === from.topic
        const moves = mode === 'change_all' ? along : mode === 'change_later' ? along && other >= id : other === id
        if (!moves) continue
        if (effective(m) && subscribed.has(from.isIn) && !subscribed.has(to)) m.read = true
        Object.assign(m, { isIn: to, topic })
      }
    },
    async join() {
      const stream_id = dice.of(streams)
      await subscribe(hamlet, { subscriptions: [{ name: names[streams.indexOf(stream_id)]! }] })
      subscribed.add(stream_id)
    },
    async leave() {
      const stream_id = dice.of(streams)
      for (const m of kept.values())
        if (subscribed.has(stream_id) && m.isIn === stream_id && effective(m)) m.read = true
      await unsubscribe(hamlet, { subscriptions: [names[streams.indexOf(stream_id)]!] })
      subscribed.delete(stream_id)
    },
  }
  for (let step = 1; step <= steps; step++) {
    const kind = dice.of(kinds)
    await take[kind]()
    if (step % checkEvery === 0 || step === steps) {
      const wanted = [...kept].filter(([, m]) => effective(m)).map(([id]) => id)
      const detail = `seed ${seed}, step ${step}, after ${kind}`
      const rows = await storeOf(w.chat)
        .db.selectFrom('message')
        .select('id')
        .where((eb) => isUnreadBy(eb, hamlet.id))
        .orderBy('id')
        .execute()
      assert.deepEqual(
        rows.map((row) => row.id),
        wanted,
        `${detail}: the condition`,
      )
      assert.deepEqual((await newestUnread(hamlet, 1e6)).map((m) => m.id).reverse(), wanted, `${detail}: the list`)
      assert.equal(await firstUnread(hamlet, await compileNarrow(hamlet, [])), wanted[0], `${detail}: the first`)
      const place = dice.of(streams)
      const here = wanted.filter((id) => kept.get(id)!.isIn === place)
      assert.deepEqual(
        (await unreadOf(hamlet, { conversation_ids: [place] })).map((m) => m.id),
        here,
        `${detail}: in one stream`,
      )
      await checkRanges(w, hamlet, detail, !kinds.some((k) => k === 'delete' || k === 'move' || k === 'leave'))
    }
  }
}

/** Ranges are disjoint, and where messages were only read, none could be merged. */
async function checkRanges({ chat }: World, reader: Person, detail: string, merged: boolean): Promise<void> {
  const { db } = storeOf(chat)
  const ranges = await db
    .selectFrom('read_range')
    .selectAll()
    .where('user_id', '=', reader.id)
    .orderBy('conversation_id')
    .orderBy('lo')
    .execute()
  for (const [i, range] of ranges.entries()) {
    assert.ok(range.lo <= range.hi, detail)
    const next = ranges[i + 1]
    if (next?.conversation_id !== range.conversation_id) continue
    assert.ok(range.hi < next.lo, `${detail}: disjoint`)
    if (!merged) continue
    const between = await db
      .selectFrom('message')
      .select('id')
      .where('conversation_id', '=', range.conversation_id)
      .where('id', '>', range.hi)
      .where('id', '<', next.lo)
      .where('sender_id', '!=', reader.id)
      .executeTakeFirst()
    assert.ok(between, `${detail}: ${range.hi} and ${next.lo} touch`)
  }
}
