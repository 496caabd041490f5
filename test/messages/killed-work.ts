// Begins long work on a database, until it is killed: `killed-work.ts <what> <file> <messages>`.
import { seedStreams, seedSubscriptions, seedTopic } from '../../bench/stalls/seeds.ts'
import { exportData } from '../../src/admin/commands/database.ts'
import { storeOf } from '../../src/core/kernel/store.ts'
import { world } from '../../src/testing/index.ts'

const [what, file, count] = process.argv.slice(2) as ['move' | 'delete' | 'export', string, string]
const say = (text: string) => process.stdout.write(`${text}\n`)

const w = await world({ chat: { db: file, checkContract: false } })
const { iago, hamlet } = w.people
const [from, to] = await seedStreams(w, 2)
await seedSubscriptions(w, [iago.id, hamlet.id], [from!.id, to!.id])
const topic = await seedTopic(w, from!, 'old', Number(count))
const { db } = storeOf(w.chat)
for (const id of topic.ids.filter((_, i) => i % 40 === 0)) {
  await hamlet.api.post(`/messages/${id}/reactions`, { emoji_name: 'heart' })
}

const work = {
  move: () =>
    iago.api.patch(`/messages/${topic.ids[0]}`, { stream_id: to!.id, topic: 'new', propagate_mode: 'change_all' }),
  delete: () => iago.api.post(`/streams/${from!.id}/delete_topic`, { topic_name: topic.name }),
  export: () => exportData.run(w.chat, { file: `${file}.tar.gz`, kind: 'full' }, () => {}),
}
say(JSON.stringify({ from: from!.id, to: to!.id, ids: topic.ids, seen: (await w.events()).length }))

let over = false
const done = work[what]().then(() => {
  over = true
})
// The first commit of the work is what the killing waits for.
if (what !== 'export') {
  const left = async () =>
    (await db.selectFrom('message').select('id').where('topic_id', '=', topic.topic_id).execute()).length
  while (!over && (await left()) === topic.ids.length) await new Promise(setImmediate)
}
say('begun')
await done
say('done')
setInterval(() => {}, 60_000)
