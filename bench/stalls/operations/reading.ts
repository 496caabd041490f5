import { register } from '../../../src/core/events/queues/register.ts'
import { sendMessage } from '../../../src/core/messages/send/send.ts'
import { indexerOf } from '../../../src/core/narrow/search/indexer.ts'
import {
  getOk,
  idsOf,
  seedDrafts,
  seedEdited,
  seedPresences,
  seedReactions,
  seedReading,
  seedStreams,
  seedSubscriptions,
  seedTopic,
  seedTopics,
  seedUsers,
} from '../seeds.ts'
import { type Operation, of } from './operation.ts'

/** Long answers. */
export const readingOperations: readonly Operation[] = [
  {
    name: 'reading 5,000 messages',
    action: 'getMessages',
    async prepare(w, share) {
      const [stream] = await seedStreams(w, 1)
      await seedTopic(w, stream!, 'many', of(share, 5000))
      const narrow = [['channel', stream!.name]]
      const wanted = { anchor: 'newest', num_before: of(share, 5000), num_after: 0, narrow }
      return getOk(w, w.people.hamlet, '/messages', wanted)
    },
  },
  {
    name: '5 messages of 600 edits each, 9 kB a text',
    action: 'getMessages',
    async prepare(w, share) {
      const [stream] = await seedStreams(w, 1)
      const { ids } = await seedEdited(w, stream!, of(share, 5), of(share, 600))
      const narrow = [['channel', stream!.name]]
      return getOk(w, w.people.hamlet, '/messages', { anchor: 'newest', num_before: ids.length, num_after: 0, narrow })
    },
  },
  {
    name: 'the history of a message of 600 edits, 9 kB a text',
    action: 'getHistory',
    async prepare(w, share) {
      const [stream] = await seedStreams(w, 1)
      const { ids } = await seedEdited(w, stream!, 1, of(share, 600))
      return getOk(w, w.people.hamlet, `/messages/${ids[0]}/history`)
    },
  },
  {
    name: 'reading 5,000 messages with 2 edits, 5 reactions and a read receipt each',
    action: 'getMessages',
    async prepare(w, share) {
      const [stream] = await seedStreams(w, 1)
      const { ids } = await seedEdited(w, stream!, of(share, 5000), 2, 'A short text.')
      await seedReactions(w, ids, 5)
      const narrow = [['channel', stream!.name]]
      return getOk(w, w.people.hamlet, '/messages', { anchor: 'newest', num_before: ids.length, num_after: 0, narrow })
    },
  },
  {
    name: '5,000 results of a search, 9 kB each, highlighted all through',
    action: 'getMessages',
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
    action: 'getMessages',
    async prepare(w, share) {
      const [stream] = await seedStreams(w, 1)
      await seedTopic(w, stream!, 'many', of(share, 100_000))
      await indexerOf(w.chat).catchUp(w.people.iago)
      // Each trigram of the word is frequent, but the word itself never occurs.
      const narrow = [['search', 'quiick']]
      const wanted = { anchor: 'newest', num_before: 100, num_after: 0, narrow }
      return getOk(w, w.people.hamlet, '/messages', wanted)
    },
  },
  {
    name: 'indexing 20,000 messages when somebody searches',
    action: 'getMessages',
    async prepare(w, share) {
      const [stream] = await seedStreams(w, 1)
      const content = 'Words that are indexed by their pieces, '.repeat(10)
      await seedTopic(w, stream!, 'many', of(share, 20_000), { content })
      const wanted = { anchor: 'newest', num_before: 10, num_after: 0, narrow: [['search', 'pieces']] }
      return getOk(w, w.people.hamlet, '/messages', wanted)
    },
  },
  {
    name: 'listing 10,000 users',
    action: 'listUsers',
    async prepare(w, share) {
      await seedUsers(w, of(share, 10_000))
      return getOk(w, w.people.hamlet, '/users')
    },
  },
  {
    name: 'listing 20,000 streams',
    action: 'listStreams',
    async prepare(w, share) {
      await seedStreams(w, of(share, 20_000))
      return getOk(w, w.people.hamlet, '/streams')
    },
  },
  {
    name: 'listing 10,000 drafts',
    action: 'listDrafts',
    async prepare(w, share) {
      await seedDrafts(w, w.people.hamlet.id, of(share, 10_000))
      return getOk(w, w.people.hamlet, '/drafts')
    },
  },
  {
    name: 'holding 5,000 messages of 9 kB against a search',
    action: 'matchesNarrow',
    async prepare(w, share) {
      const [stream] = await seedStreams(w, 1)
      // As many messages as fit into one response.
      const { ids } = await seedTopic(w, stream!, 'many', of(share, 250), { content: 'ab '.repeat(3000) })
      const { ids: others } = await seedTopic(w, stream!, 'others', of(share, 4750))
      await indexerOf(w.chat).catchUp(w.people.iago)
      return getOk(w, w.people.hamlet, '/messages/matches_narrow', {
        msg_ids: [...ids, ...others],
        narrow: [['search', 'ab']],
      })
    },
  },
  {
    name: 'the readers of a message, 10,000 of them',
    action: 'getReadReceipts',
    async prepare(w, share) {
      const members = await seedUsers(w, of(share, 10_000))
      const [stream] = await seedStreams(w, 1)
      await seedSubscriptions(w, [w.people.hamlet.id, ...members], [stream!.id])
      const { ids } = await seedTopic(w, stream!, 'read', 1)
      await seedReading(w, members, stream!, ids[0]!)
      return getOk(w, w.people.hamlet, `/messages/${ids[0]}/read_receipts`)
    },
  },
  {
    name: 'the subscribers of a stream, 10,000 of them',
    action: 'getSubscribers',
    async prepare(w, share) {
      const members = await seedUsers(w, of(share, 10_000))
      const [stream] = await seedStreams(w, 1)
      await seedSubscriptions(w, members, [stream!.id])
      return getOk(w, w.people.hamlet, `/streams/${stream!.id}/members`)
    },
  },
  {
    name: 'subscriptions to 1,000 streams of 1,000, with their subscribers',
    action: 'getSubscriptions',
    async prepare(w, share) {
      const members = await seedUsers(w, of(share, 300))
      const streams = await seedStreams(w, of(share, 1000))
      await seedSubscriptions(w, [w.people.hamlet.id, ...members], idsOf(streams))
      return getOk(w, w.people.hamlet, '/users/me/subscriptions', { include_subscribers: true })
    },
  },
  {
    name: 'listing 20,000 topics of a stream',
    action: 'getTopics',
    async prepare(w, share) {
      const [stream] = await seedStreams(w, 1)
      await seedTopics(w, stream!, of(share, 20_000))
      return getOk(w, w.people.hamlet, `/users/me/${stream!.id}/topics`)
    },
  },
  {
    name: 'listing the presence of 10,000',
    action: 'getRealmPresence',
    async prepare(w, share) {
      await seedPresences(w, await seedUsers(w, of(share, 10_000)))
      return getOk(w, w.people.hamlet, '/realm/presence')
    },
  },
  {
    name: 'taking up 20,000 events that were missed',
    action: 'getEvents',
    async prepare(w, share) {
      const { hamlet, iago } = w.people
      const { queue_id, last_event_id } = await register(hamlet, { event_types: ['message'], fetch_event_types: [] })
      for (let left = of(share, 20_000); left > 0; left -= 100) {
        const message = { type: 'stream', to: 'general', topic: 't', content: 'The quick brown fox.' } as const
        await Promise.all(Array.from({ length: Math.min(left, 100) }, () => sendMessage(iago, message)))
      }
      return getOk(w, hamlet, '/events', { queue_id, last_event_id, dont_block: true })
    },
  },
]
