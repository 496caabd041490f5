import { exportData } from '../../../src/admin/commands/database.ts'
import { addUsers } from '../../../src/admin/commands/import-users.ts'
import { undelete } from '../../../src/admin/commands/messages.ts'
import { uploadFile } from '../../../src/core/files/upload.ts'
import { storeOf } from '../../../src/core/kernel/store.ts'
import { weekOf } from '../../../src/core/mail/sending/week.ts'
import { expireMessages } from '../../../src/core/messages/retention/expire.ts'
import type { World } from '../../../src/testing/world.ts'
import { apiOk, seedStreams, seedSubscriptions, seedTopic, seedUsers } from '../seeds.ts'
import { type Operation, of } from './operation.ts'

/** The server's own work, and commands. */
export const serverOperations: readonly Operation[] = [
  {
    name: 'importing 2,000 accounts from a file',
    async prepare(w, share) {
      const users = Array.from({ length: of(share, 2000) }, (_, i) => ({
        email: `new${i}@example.com`,
        name: `New ${i}`,
        password: 'correct horse battery',
      }))
      return () => addUsers.run(w.chat, { users }, () => {})
    },
  },
  {
    name: 'uploading 25 MiB',
    action: 'uploadFile',
    async prepare(w, share) {
      async function* chunks() {
        for (let left = of(share, 400); left > 0; left--) yield Buffer.alloc(65_536, left)
      }
      return () => uploadFile(w.people.hamlet, { filename: { name: 'x', content_type: '', chunks: chunks() } })
    },
  },
  {
    name: 'a backup of a database of 490 MB',
    async prepare(w, share) {
      const [stream] = await seedStreams(w, 1)
      await seedTopic(w, stream!, 'many', of(share, 24_000), { content: 'Words. '.repeat(1430) })
      const file = `${storeOf(w.chat).file}.copy`
      return () => storeOf(w.chat).backup(file)
    },
  },
  ...(['public', 'consent', 'full'] as const).map((kind) => ({
    name: `exporting 20,000 messages in a stream of 1,000: ${kind}`,
    async prepare(w: World, share: number) {
      const members = await seedUsers(w, of(share, 1000))
      const [stream] = await seedStreams(w, 1)
      await seedSubscriptions(w, members, [stream!.id])
      await seedTopic(w, stream!, 'many', of(share, 20_000), { senders: members })
      const file = `${storeOf(w.chat).file}.tar.gz`
      return () => exportData.run(w.chat, { file, kind }, () => {})
    },
  })),
  {
    name: 'the weekly summary of 20,000 messages in 50 channels',
    async prepare(w, share) {
      const streams = await seedStreams(w, of(share, 50))
      const { hamlet } = w.people
      await seedSubscriptions(
        w,
        [hamlet.id],
        streams.map(({ id }) => id),
      )
      for (const stream of streams) await seedTopic(w, stream, 'many', 400)
      return () => weekOf(hamlet)
    },
  },
  {
    name: 'removing 20,000 messages by their age',
    async prepare(w, share) {
      const [stream] = await seedStreams(w, 1)
      await seedTopic(w, stream!, 'many', of(share, 20_000))
      await apiOk(w.people.iago.api.patch('/realm', { message_retention_days: 1 }))
      w.clock.advance(10 * 24 * 3600 * 1000)
      return () => expireMessages(w.chat)
    },
  },
  {
    name: 'bringing 20,000 of them back',
    async prepare(w, share) {
      const [stream] = await seedStreams(w, 1)
      await seedTopic(w, stream!, 'many', of(share, 20_000))
      await apiOk(w.people.iago.api.patch('/realm', { message_retention_days: 1 }))
      w.clock.advance(10 * 24 * 3600 * 1000)
      await expireMessages(w.chat)
      return () => undelete.run(w.chat, {}, () => {})
    },
  },
]
