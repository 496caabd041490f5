// Begins long work on a database, until it is killed: `killed-work.ts <what> <file> <what there is, as JSON>`.
import { flushCompileCache } from 'node:module'
import { exportData } from '../../src/admin/commands/database.ts'
import { storeOf } from '../../src/core/kernel/store.ts'
import { openFrom } from '../../src/core/open-chat.ts'
import { apiOf } from '../../src/testing/api.ts'
import { manualClock } from '../../src/testing/index.ts'
import { chatOptions } from '../../src/testing/template.ts'
import type { Seeded, Work } from './killed.test.ts'

// A process that is killed stores nothing of it.
flushCompileCache()
const [what, file, seeded] = process.argv.slice(2) as [Work, string, string]
const { owner, from, to, topic, ids } = JSON.parse(seeded) as Seeded
const say = (text: string) => process.stdout.write(`${text}\n`)

const chat = await openFrom(chatOptions({ db: file, checkContract: false, clock: manualClock() }))
const { db } = storeOf(chat)
const api = apiOf(chat, owner)
const work = {
  move: () => api.patch(`/messages/${ids[0]}`, { stream_id: to, topic: 'new', propagate_mode: 'change_all' }),
  delete: () => api.post(`/streams/${from}/delete_topic`, { topic_name: topic.name }),
  export: () => exportData.run(chat, { file: `${file}.tar.gz`, kind: 'full' }, () => {}),
}

let over = false
const done = work[what]().then(() => {
  over = true
})
// The first commit of the work is what the killing waits for.
if (what !== 'export') {
  const left = async () =>
    (await db.selectFrom('message').select('id').where('topic_id', '=', topic.id).execute()).length
  while (!over && (await left()) === ids.length) await new Promise(setImmediate)
}
say('begun')
await done
say('done')
setInterval(() => {}, 60_000)
