import { addUsers } from '../../src/admin/commands/import-users.ts'
import { deleteQueue } from '../../src/core/event-queues/poll.ts'
import { register } from '../../src/core/event-queues/register.ts'
import { uploadFile } from '../../src/core/files/upload.ts'
import { indexerOf } from '../../src/core/search/indexer.ts'
import { storeOf } from '../../src/core/store.ts'
import type { World } from '../../src/testing/world.ts'
import {
  apiOk,
  getOk,
  idsOf,
  seedDrafts,
  seedLinkifiers,
  seedMessages,
  seedStreams,
  seedSubscriptions,
  seedTopic,
  seedUsers,
} from './seeds.ts'

/** A single request that affects very many rows. */
export interface Operation {
  name: string
  /** Prepares a world for it, at a fraction of its largest size, and returns the function that does it. */
  prepare(w: World, share: number): Promise<() => Promise<unknown>>
  /** It is over the limit, and known to be: its figure is shown, and the run does not fail. */
  known?: true
}

const of = (share: number, largest: number) => Math.max(1, Math.round(largest * share))

/** Every request whose work grows with its parameters, at their largest values. */
export const operations: readonly Operation[] = [
  {
    name: 'leaving 20,000 streams',
    async prepare(w, share) {
      const streams = await seedStreams(w, of(share, 20_000))
      await seedSubscriptions(w, [w.people.hamlet.id], idsOf(streams))
      const subscriptions = streams.map((stream) => stream.name)
      return () => apiOk(w.people.hamlet.api.delete('/users/me/subscriptions', { subscriptions }))
    },
  },
  {
    name: 'joining 20,000 streams',
    async prepare(w, share) {
      const streams = await seedStreams(w, of(share, 20_000))
      const subscriptions = streams.map(({ name }) => ({ name }))
      return () => apiOk(w.people.hamlet.api.post('/users/me/subscriptions', { subscriptions }))
    },
  },
  {
    name: 'making 5,000 streams',
    async prepare(w, share) {
      const subscriptions = Array.from({ length: of(share, 5000) }, (_, i) => ({ name: `new ${i}` }))
      return () => apiOk(w.people.hamlet.api.post('/users/me/subscriptions', { subscriptions }))
    },
  },
  {
    name: 'subscribing 10,000 people to a stream',
    async prepare(w, share) {
      const principals = await seedUsers(w, of(share, 10_000))
      const [stream] = await seedStreams(w, 1)
      const subscriptions = [{ name: stream!.name }]
      return () => apiOk(w.people.iago.api.post('/users/me/subscriptions', { subscriptions, principals }))
    },
  },
  {
    name: 'unsubscribing 10,000 people from a stream',
    async prepare(w, share) {
      const principals = await seedUsers(w, of(share, 10_000))
      const [stream] = await seedStreams(w, 1)
      await seedSubscriptions(w, principals, [stream!.id])
      await seedTopic(w, stream!, 'unread', 1000)
      const subscriptions = [stream!.name]
      return () => apiOk(w.people.iago.api.delete('/users/me/subscriptions', { subscriptions, principals }))
    },
  },
  {
    name: 'marking 50,000 of a stream as read',
    async prepare(w, share) {
      const [stream] = await seedStreams(w, 1)
      await seedSubscriptions(w, [w.people.hamlet.id], [stream!.id])
      await seedTopic(w, stream!, 'unread', of(share, 50_000))
      return () => apiOk(w.people.hamlet.api.post('/mark_stream_as_read', { stream_id: stream!.id }))
    },
  },
  {
    name: 'marking all of 20,000 streams as read',
    async prepare(w, share) {
      const streams = await seedStreams(w, of(share, 20_000))
      await seedSubscriptions(w, [w.people.hamlet.id], idsOf(streams))
      await seedMessages(w, streams, 2)
      return () => apiOk(w.people.hamlet.api.post('/mark_all_as_read'))
    },
  },
  {
    name: 'starring 50,000 messages',
    async prepare(w, share) {
      const [stream] = await seedStreams(w, 1)
      const { ids: messages } = await seedTopic(w, stream!, 'many', of(share, 50_000))
      return () => apiOk(w.people.hamlet.api.post('/messages/flags', { messages, op: 'add', flag: 'starred' }))
    },
  },
  {
    name: 'marking 50,000 messages as read, by id, every other first',
    async prepare(w, share) {
      const [stream] = await seedStreams(w, 1)
      await seedSubscriptions(w, [w.people.hamlet.id], [stream!.id])
      const { ids } = await seedTopic(w, stream!, 'unread', of(share, 50_000))
      const messages = ids.filter((_, i) => i % 2 === 0)
      return () => apiOk(w.people.hamlet.api.post('/messages/flags', { messages, op: 'add', flag: 'read' }))
    },
  },
  {
    name: 'marking 50,000 messages as unread',
    async prepare(w, share) {
      const [stream] = await seedStreams(w, 1)
      await seedSubscriptions(w, [w.people.hamlet.id], [stream!.id])
      const { ids: messages } = await seedTopic(w, stream!, 'read', of(share, 50_000))
      await apiOk(w.people.hamlet.api.post('/mark_all_as_read'))
      return () => apiOk(w.people.hamlet.api.post('/messages/flags', { messages, op: 'remove', flag: 'read' }))
    },
  },
  {
    name: 'renaming a topic of 20,000 messages',
    async prepare(w, share) {
      const [stream] = await seedStreams(w, 1)
      const members = await seedUsers(w, of(share, 1000))
      await seedSubscriptions(w, [w.people.iago.id, ...members], [stream!.id])
      const { ids } = await seedTopic(w, stream!, 'many', of(share, 20_000), { senders: members })
      const change = { topic: 'another', propagate_mode: 'change_all' }
      return () => apiOk(w.people.iago.api.patch(`/messages/${ids[0]}`, change))
    },
  },
  {
    name: 'moving 20,000 messages to another stream, 1,000 in each',
    async prepare(w, share) {
      const [from, to] = await seedStreams(w, 2)
      const members = await seedUsers(w, of(share, 1000))
      await seedSubscriptions(w, [w.people.iago.id, ...members], [from!.id])
      await seedSubscriptions(w, members.slice(0, members.length / 2), [to!.id])
      const { ids } = await seedTopic(w, from!, 'many', of(share, 20_000), { senders: members })
      const change = { stream_id: to!.id, propagate_mode: 'change_all' }
      return () => apiOk(w.people.iago.api.patch(`/messages/${ids[0]}`, change))
    },
  },
  {
    name: 'deleting a topic of 20,000 messages',
    async prepare(w, share) {
      const [stream] = await seedStreams(w, 1)
      const members = await seedUsers(w, of(share, 1000))
      await seedSubscriptions(w, [w.people.iago.id, ...members], [stream!.id])
      const content = 'Words that are indexed by their pieces, '.repeat(10)
      const topic = await seedTopic(w, stream!, 'many', of(share, 20_000), { senders: members, content })
      await indexerOf(w.chat).catchUp(w.people.iago)
      const what = { topic_name: topic.name }
      return () => apiOk(w.people.iago.api.post(`/streams/${stream!.id}/delete_topic`, what))
    },
  },
  {
    name: 'reading 5,000 messages',
    async prepare(w, share) {
      const [stream] = await seedStreams(w, 1)
      await seedTopic(w, stream!, 'many', of(share, 5000))
      const narrow = [['channel', stream!.name]]
      const wanted = { anchor: 'newest', num_before: of(share, 5000), num_after: 0, narrow }
      return getOk(w, w.people.hamlet, '/messages', wanted)
    },
  },
  {
    name: '5,000 results of a search, 9 kB each, highlighted all through',
    async prepare(w, share) {
      const [stream] = await seedStreams(w, 1)
      await seedTopic(w, stream!, 'many', of(share, 5000), { content: 'ab '.repeat(3000) })
      await indexerOf(w.chat).catchUp(w.people.iago)
      const narrow = [
        ['channel', stream!.name],
        ['search', 'ab'],
      ]
      const wanted = { anchor: 'newest', num_before: of(share, 5000), num_after: 0, narrow }
      return getOk(w, w.people.hamlet, '/messages', wanted)
    },
  },
  {
    name: 'searching what is nowhere among 100,000 messages',
    async prepare(w, share) {
      const [stream] = await seedStreams(w, 1)
      await seedTopic(w, stream!, 'many', of(share, 100_000))
      await indexerOf(w.chat).catchUp(w.people.iago)
      // Every piece of it occurs everywhere, but never in succession.
      const narrow = [['search', 'quiick']]
      const wanted = { anchor: 'newest', num_before: 100, num_after: 0, narrow }
      return getOk(w, w.people.hamlet, '/messages', wanted)
    },
  },
  {
    name: 'a group of 10,000 mentioned',
    async prepare(w, share) {
      const members = await seedUsers(w, of(share, 10_000))
      const [stream] = await seedStreams(w, 1)
      await seedSubscriptions(w, [w.people.iago.id, ...members], [stream!.id])
      await apiOk(w.people.iago.api.post('/user_groups/create', { name: 'many', description: '', members }))
      const message = { type: 'stream', to: stream!.name, topic: 't', content: 'Dear @*many*, hello' }
      return () => apiOk(w.people.iago.api.post('/messages', message))
    },
  },
  {
    name: 'mentioning a group of 20,000 at once',
    async prepare(w, share) {
      const members = await seedUsers(w, of(share, 20_000))
      const [stream] = await seedStreams(w, 1)
      await seedSubscriptions(w, [w.people.iago.id, ...members], [stream!.id])
      await apiOk(w.people.iago.api.post('/user_groups/create', { name: 'many', description: '', members }))
      const message = { type: 'stream', to: stream!.name, topic: 't', content: 'Dear @*many*, hello' }
      return () => apiOk(w.people.iago.api.post('/messages', message))
    },
  },
  {
    name: 'making a group of 10,000',
    async prepare(w, share) {
      const members = await seedUsers(w, of(share, 10_000))
      return () => apiOk(w.people.iago.api.post('/user_groups/create', { name: 'many', description: '', members }))
    },
  },
  {
    name: 'archiving a stream of 10,000',
    async prepare(w, share) {
      const members = await seedUsers(w, of(share, 10_000))
      const [stream] = await seedStreams(w, 1)
      await seedSubscriptions(w, [w.people.iago.id, ...members], [stream!.id])
      await seedTopic(w, stream!, 'many', of(share, 20_000), { senders: members })
      return () => apiOk(w.people.iago.api.delete(`/streams/${stream!.id}`))
    },
  },
  {
    name: 'making a stream of 10,000 private',
    async prepare(w, share) {
      const members = await seedUsers(w, of(share, 10_000))
      const [stream] = await seedStreams(w, 1)
      await seedSubscriptions(w, [w.people.iago.id, ...members], [stream!.id])
      return () => apiOk(w.people.iago.api.patch(`/streams/${stream!.id}`, { is_private: true }))
    },
  },
  {
    name: 'deactivating somebody in 2,000 streams',
    async prepare(w, share) {
      const streams = await seedStreams(w, of(share, 2000))
      await seedSubscriptions(w, [w.people.hamlet.id], idsOf(streams))
      return () => apiOk(w.people.iago.api.delete(`/users/${w.people.hamlet.id}`))
    },
  },
  {
    name: 'registering among 10,000 users and 1,000 streams',
    async prepare(w, share) {
      await seedUsers(w, of(share, 10_000))
      const streams = await seedStreams(w, of(share, 1000))
      await seedSubscriptions(w, [w.people.hamlet.id], idsOf(streams))
      return () => apiOk(w.people.hamlet.api.post('/register', {}))
    },
  },
  {
    name: '500 clients registering at once',
    async prepare(w, share) {
      await seedUsers(w, of(share, 10_000))
      const streams = await seedStreams(w, of(share, 1000))
      const { hamlet, cordelia, iago } = w.people
      await seedSubscriptions(w, [hamlet.id, cordelia.id], idsOf(streams))
      const crowd = Array.from({ length: of(share, 500) }, (_, i) => [hamlet, cordelia, iago][i % 3]!)
      // Each has at most 100 queues: those of before are over.
      const what = { event_types: ['message'], fetch_event_types: ['realm_user', 'stream', 'subscription'] }
      return async () => {
        for (let start = 0; start < crowd.length; start += 200) {
          const some = crowd.slice(start, start + 200)
          const queues = await Promise.all(some.map((person) => register(person, what)))
          await Promise.all(queues.map(({ queue_id }, i) => deleteQueue(some[i]!, { queue_id })))
        }
      }
    },
  },
  {
    name: 'listing 10,000 users',
    async prepare(w, share) {
      await seedUsers(w, of(share, 10_000))
      return getOk(w, w.people.hamlet, '/users')
    },
  },
  {
    name: 'listing 20,000 streams',
    async prepare(w, share) {
      await seedStreams(w, of(share, 20_000))
      return getOk(w, w.people.hamlet, '/streams')
    },
  },
  {
    name: 'indexing 20,000 messages when somebody searches',
    async prepare(w, share) {
      const [stream] = await seedStreams(w, 1)
      const content = 'Words that are indexed by their pieces, '.repeat(10)
      await seedTopic(w, stream!, 'many', of(share, 20_000), { content })
      const wanted = { anchor: 'newest', num_before: 10, num_after: 0, narrow: [['search', 'pieces']] }
      return getOk(w, w.people.hamlet, '/messages', wanted)
    },
  },
  {
    name: 'sending a message of 9 kB that 1,000 linkifiers are tried on',
    async prepare(w, share) {
      await seedLinkifiers(w, of(share, 1000))
      const content = 'Ticket 12 of the first words of ABC-1 and so on. '.repeat(180)
      const message = { type: 'stream', to: 'general', topic: 't', content }
      return () => apiOk(w.people.iago.api.post('/messages', message))
    },
  },
  {
    name: 'listing 10,000 drafts',
    async prepare(w, share) {
      await seedDrafts(w, w.people.hamlet.id, of(share, 10_000))
      return getOk(w, w.people.hamlet, '/drafts')
    },
  },
  {
    name: 'registering with 10,000 drafts',
    async prepare(w, share) {
      await seedDrafts(w, w.people.hamlet.id, of(share, 10_000))
      return () => apiOk(w.people.hamlet.api.post('/register', {}))
    },
  },
  {
    // All of them or none: one write.
    name: 'importing 2,000 accounts from a file',
    known: true,
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
    async prepare(w, share) {
      async function* chunks() {
        for (let left = of(share, 400); left > 0; left--) yield Buffer.alloc(65_536, left)
      }
      return () => uploadFile(w.people.hamlet, { filename: { name: 'x', content_type: '', chunks: chunks() } })
    },
  },
  {
    name: 'a copy of the database',
    async prepare(w, share) {
      const [stream] = await seedStreams(w, 1)
      await seedTopic(w, stream!, 'many', of(share, 50_000), { content: 'Words. '.repeat(100) })
      const file = `${storeOf(w.chat).file}.copy`
      return () => storeOf(w.chat).backup(file)
    },
  },
]
