import type { Caller } from '../kernel/context.ts'

/**
 * The caller's direct conversations, the most recent first, each with its newest message and the other participants.
 */
export async function recentConversations({ db, user }: Caller) {
  const rows = await db
    .selectFrom('direct_participant')
    .innerJoin('conversation', 'conversation.id', 'direct_participant.conversation_id')
    .select('conversation.participant_key')
    .select((eb) =>
      eb
        .selectFrom('message')
        .select('message.id')
        .whereRef('message.conversation_id', '=', 'direct_participant.conversation_id')
        .orderBy('message.id', 'desc')
        .limit(1)
        .as('max_message_id'),
    )
    .where('direct_participant.user_id', '=', user.id)
    .execute()
  return rows
    .flatMap(({ max_message_id, participant_key }) => {
      const user_ids = (participant_key ?? '').split(',').map(Number)
      // Conversations whose messages are all deleted are left out.
      return max_message_id === null ? [] : [{ max_message_id, user_ids: user_ids.filter((id) => id !== user.id) }]
    })
    .sort((a, b) => b.max_message_id - a.max_message_id)
}
