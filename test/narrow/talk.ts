import type { Caller } from '../../src/core/kernel/context.ts'
import { storeOf } from '../../src/core/kernel/store.ts'
import { updateFlags } from '../../src/core/messages/flags.ts'
import { markTopicAsRead } from '../../src/core/messages/mark-as-read.ts'
import { addReaction } from '../../src/core/messages/reactions.ts'
import { compileNarrow } from '../../src/core/narrow/compile.ts'
import { findMessages } from '../../src/core/narrow/find-messages.ts'
import type { Operand } from '../../src/core/narrow/operators/terms.ts'
import { indexerOf } from '../../src/core/narrow/search/indexer.ts'
import { subscribe } from '../../src/core/streams/subscriptions/subscribe.ts'
import { unsubscribe } from '../../src/core/streams/subscriptions/unsubscribe.ts'
import { fold } from '../../src/storage/index.ts'
import { type Person, world } from '../../src/testing/world.ts'

export type Term = readonly [operator: string, operand: Operand, negated?: boolean]

/** Ids of all messages that match a narrow for someone, oldest first. */
export async function found(caller: Caller, ...terms: readonly Term[]): Promise<number[]> {
  const narrow = await compileNarrow(
    caller,
    terms.map(([operator, operand, negated = false]) => ({ operator, operand, negated })),
  )
  return findMessages(caller, narrow, { from: 0, direction: 'asc', limit: 1000 })
}

/**
 * A world with messages for every narrow operator. Streams: general (all but the guest), design
 * (public, hamlet left it), secret (private, protected history, cordelia joined late), club (private, shared history).
 */
export async function talk() {
  const w = await world({
    streams: {
      design: { members: ['iago', 'hamlet'] },
      secret: { private: true, members: ['iago', 'hamlet'] },
      club: { private: true, sharedHistory: true, members: ['iago', 'polonius'] },
    },
    people: { ophelia: { role: 'member' } },
  })
  const { iago, hamlet, cordelia, polonius } = w.people
  const ophelia = w.person('ophelia')
  const said: Record<string, number> = {}
  const say = async (name: string, who: Person, content: string, to: Parameters<Person['says']>[1]) => {
    said[name] = (await who.says(content, to)).id
  }
  await say('plan', hamlet, 'The **deployment** plan, see https://example.com/plan', { topic: 'Deploy' })
  await say('reply', cordelia, 'Fine with me, deploy on Monday :tada:', { topic: 'deploy' })
  await say('empty', iago, 'no topic at all', { topic: '' })
  await say('cjk', hamlet, '今日は東京で会議があります', { topic: '会議' })
  await say('done', iago, 'it is done', { topic: '✔ release' })
  await say('all', iago, '@**all** lunch', { topic: 'lunch' })
  await say('mention', cordelia, 'ask @**hamlet** & <friends> about C++', { topic: 'lunch' })
  await say('design', hamlet, 'colours of the design', { stream: 'design', topic: 'colours' })
  await say('designImage', iago, 'https://example.com/a.png', { stream: 'design', topic: 'lunch' })
  await say('secret', hamlet, 'the secret plan', { stream: 'secret', topic: 'deploy' })
  await say('club', polonius, 'words, words, words', { stream: 'club', topic: 'reading' })
  await say('dm', hamlet, 'just us', { people: [iago] })
  await say('dmBack', iago, 'yes, the plan', { people: [hamlet] })
  await say('group', iago, 'we three', { people: [hamlet, cordelia] })
  await say('self', hamlet, 'note to self: deploy', { people: [hamlet] })
  await unsubscribe(hamlet, { subscriptions: ['design'] })
  await say('designLater', iago, 'after hamlet left the design', { stream: 'design', topic: 'colours' })
  await subscribe(iago, { subscriptions: [{ name: 'secret' }], principals: [cordelia.id] })
  await say('secretLater', hamlet, 'a second secret', { stream: 'secret', topic: 'deploy' })
  await updateFlags(hamlet, { messages: [said.plan!, said.dm!], op: 'add', flag: 'starred' })
  await updateFlags(ophelia, { messages: [said.design!], op: 'add', flag: 'starred' })
  await addReaction(iago, { message_id: said.plan!, emoji_name: 'tada' })
  await markTopicAsRead(hamlet, { stream_id: await w.streamId('general'), topic_name: 'lunch' })
  const general = await w.streamId('general')
  await storeOf(w.chat).write(async ({ db }) => {
    const topic = (user_id: number, stream_id: number, topic_name: string, visibility_policy: number) =>
      db
        .insertInto('user_topic')
        .values({ user_id, stream_id, topic_name, topic_key: fold(topic_name), visibility_policy, last_updated: 0 })
        .execute()
    // Removes automatic follows, which this test isn't about.
    await db.deleteFrom('user_topic').execute()
    await topic(hamlet.id, general, 'lunch', 1)
    await topic(hamlet.id, general, 'deploy', 3)
    await topic(iago.id, general, 'deploy', 2)
    // As if an image were shown and a file attached.
    await db.updateTable('message').set({ has_image: 1 }).where('id', '=', said.designImage!).execute()
    await db.updateTable('message').set({ has_attachment: 1 }).where('id', '=', said.dm!).execute()
    await db
      .updateTable('subscription')
      .set({ is_muted: 1 })
      .where('user_id', '=', iago.id)
      .where('stream_id', '=', general)
      .execute()
  })
  // As every search does first.
  await indexerOf(w.chat).catchUp(hamlet)
  return { ...w, said, general, hamlet, iago, cordelia, polonius, ophelia, [Symbol.asyncDispose]: () => w.chat.close() }
}
