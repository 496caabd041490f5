import { indexerOf } from '../../../src/core/narrow/search/indexer.ts'
import type { World } from '../../../src/testing/world.ts'
import {
  apiOk,
  changeStreams,
  idsOf,
  seedLinkifiers,
  seedMessages,
  seedStreams,
  seedSubscriptions,
  seedTopic,
  seedUsers,
} from '../seeds.ts'
import { type Operation, of } from './operation.ts'

const LANGUAGES =
  'ada bash c clojure cmake cpp csharp css d dart delphi diff django dockerfile elixir elm erlang fortran fsharp go ' +
  'gradle groovy haml handlebars haskell haxe http ini java javascript json julia kotlin less lisp lua makefile ' +
  'markdown matlab nginx nim objectivec ocaml perl php powershell prolog r ruby rust sas scala scheme scss smalltalk ' +
  'sql swift tcl typescript verilog vim xml yaml'

/** Changes of many messages, and messages for many people. */
export const messagesOperations: readonly Operation[] = [
  {
    // No operation before it has code, so it also loads the package that has all grammars.
    name: 'code in 60 languages that were not used before, 9 kB',
    action: 'sendMessage',
    async prepare(w, share) {
      const names = LANGUAGES.split(' ').slice(0, of(share, 60))
      const code =
        'if (a < "b" && c >= 0x10) { return "a text" + f(1.5, x[2]) } // and a comment\nfunction g(a) {\n  b;\n}\n'
      const blocks = names.map((name) => `\`\`\`${name}\n${code}x = [1, 2]; y = @z\n\`\`\``)
      return () => w.people.hamlet.says(blocks.join('\n'))
    },
  },
  {
    name: 'marking 50,000 of a stream as read',
    action: 'markStreamAsRead',
    async prepare(w, share) {
      const [stream] = await seedStreams(w, 1)
      await seedSubscriptions(w, [w.people.hamlet.id], [stream!.id])
      await seedTopic(w, stream!, 'unread', of(share, 50_000))
      return () => apiOk(w.people.hamlet.api.post('/mark_stream_as_read', { stream_id: stream!.id }))
    },
  },
  {
    name: 'marking all of 20,000 streams as read',
    action: 'markAllAsRead',
    async prepare(w, share) {
      const streams = await seedStreams(w, of(share, 20_000))
      await seedSubscriptions(w, [w.people.hamlet.id], idsOf(streams))
      await seedMessages(w, streams, 2)
      return () => apiOk(w.people.hamlet.api.post('/mark_all_as_read'))
    },
  },
  {
    name: 'starring 50,000 messages',
    action: 'updateFlags',
    async prepare(w, share) {
      const [stream] = await seedStreams(w, 1)
      const { ids: messages } = await seedTopic(w, stream!, 'many', of(share, 50_000))
      return () => apiOk(w.people.hamlet.api.post('/messages/flags', { messages, op: 'add', flag: 'starred' }))
    },
  },
  {
    name: 'marking 50,000 messages as read, by id, every other first',
    action: 'updateFlags',
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
    action: 'updateFlags',
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
    action: 'updateMessage',
    async prepare(w, share) {
      const [stream] = await seedStreams(w, 1)
      const members = await seedUsers(w, of(share, 1000))
      await seedSubscriptions(w, [w.people.iago.id, ...members], [stream!.id])
      const { ids } = await seedTopic(w, stream!, 'many', of(share, 20_000), { senders: members })
      const change = { topic: 'another', propagate_mode: 'change_all' }
      return () => apiOk(w.people.iago.api.patch(`/messages/${ids[0]}`, change))
    },
  },
  ...[
    { to: 'another stream', rights: undefined },
    { to: 'another private stream', rights: { invite_only: 1, history_public_to_subscribers: 1 } as const },
    { to: 'another protected stream', rights: { invite_only: 1, history_public_to_subscribers: 0 } as const },
  ].map(({ to, rights }) => ({
    name: `moving 20,000 messages to ${to}, 10,000 in each`,
    action: 'updateMessage' as const,
    async prepare(w: World, share: number) {
      const ids = idsOf(await seedStreams(w, 2))
      const [from = 0, stream_id = 0] = ids
      if (rights) await changeStreams(w, ids, rights)
      const members = await seedUsers(w, of(share, 10_000))
      await seedSubscriptions(w, [w.people.iago.id, ...members], [from])
      await seedSubscriptions(w, [w.people.iago.id, ...members.slice(0, members.length / 2)], [stream_id])
      const [stream] = await w.people.iago.db.selectFrom('stream').selectAll().where('id', '=', from).execute()
      const topic = await seedTopic(w, stream!, 'many', of(share, 20_000), { senders: members })
      const change = { stream_id, propagate_mode: 'change_all' }
      return () => apiOk(w.people.iago.api.patch(`/messages/${topic.ids[0]}`, change))
    },
  })),
  {
    name: 'deleting a topic of 20,000 messages among 10,000 people',
    action: 'deleteTopic',
    async prepare(w, share) {
      const [stream] = await seedStreams(w, 1)
      const members = await seedUsers(w, of(share, 10_000))
      await seedSubscriptions(w, [w.people.iago.id, ...members], [stream!.id])
      const content = 'Words that are indexed by their pieces, '.repeat(10)
      const topic = await seedTopic(w, stream!, 'many', of(share, 20_000), { senders: members, content })
      await indexerOf(w.chat).catchUp(w.people.iago)
      const what = { topic_name: topic.name }
      return () => apiOk(w.people.iago.api.post(`/streams/${stream!.id}/delete_topic`, what))
    },
  },
  {
    name: 'a group of 10,000 mentioned',
    action: 'sendMessage',
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
    action: 'sendMessage',
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
    name: 'sending a message of 9 kB that 1,000 linkifiers are tried on',
    action: 'sendMessage',
    async prepare(w, share) {
      await seedLinkifiers(w, of(share, 1000))
      const content = 'Ticket 12 of the first words of ABC-1 and so on. '.repeat(180)
      const message = { type: 'stream', to: 'general', topic: 't', content }
      return () => apiOk(w.people.iago.api.post('/messages', message))
    },
  },
  {
    name: 'starring 5,000 messages of a narrow',
    action: 'updateFlagsForNarrow',
    async prepare(w, share) {
      const [stream] = await seedStreams(w, 1)
      await seedTopic(w, stream!, 'many', of(share, 20_000))
      const narrow = [['channel', stream!.name]]
      const what = { anchor: 'newest', num_before: of(share, 5000), num_after: 0, narrow, op: 'add', flag: 'starred' }
      return () => apiOk(w.people.hamlet.api.post('/messages/flags/narrow', what))
    },
  },
  {
    name: 'marking a topic of 50,000 as read',
    action: 'markTopicAsRead',
    async prepare(w, share) {
      const [stream] = await seedStreams(w, 1)
      await seedSubscriptions(w, [w.people.hamlet.id], [stream!.id])
      const { name: topic_name } = await seedTopic(w, stream!, 'unread', of(share, 50_000))
      return () => apiOk(w.people.hamlet.api.post('/mark_topic_as_read', { stream_id: stream!.id, topic_name }))
    },
  },
  {
    name: 'storing 1,000 drafts',
    action: 'createDrafts',
    async prepare(w, share) {
      const draft = {
        type: 'stream',
        to: [await w.streamId('general')],
        topic: 'later',
        content: 'Not finished. '.repeat(20),
      }
      const drafts = Array.from({ length: of(share, 1000) }, () => draft)
      return () => apiOk(w.people.hamlet.api.post('/drafts', { drafts }))
    },
  },
  {
    name: 'adding as many alert words as there may be',
    action: 'addAlertWords',
    async prepare(w, share) {
      const most = w.chat.options.limits.alertWordsPerUser
      const alert_words = Array.from({ length: of(share, most) }, (_, i) => `word ${i}`)
      return () => apiOk(w.people.hamlet.api.post('/users/me/alert_words', { alert_words }))
    },
  },
  {
    name: 'removing as many alert words',
    action: 'removeAlertWords',
    async prepare(w, share) {
      const most = w.chat.options.limits.alertWordsPerUser
      const alert_words = Array.from({ length: of(share, most) }, (_, i) => `word ${i}`)
      await apiOk(w.people.hamlet.api.post('/users/me/alert_words', { alert_words }))
      return () => apiOk(w.people.hamlet.api.delete('/users/me/alert_words', { alert_words }))
    },
  },
]
