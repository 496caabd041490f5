import { unknownAmong } from '../../access/user-visibility.ts'
import type { Caller } from '../../kernel/context.ts'
import { dialectOf } from '../../kernel/store.ts'
import { findUser, type User } from '../../kernel/user.ts'
import { mentionOf } from '../../markup/inline/mentions.ts'
import { findConversation, participantKey } from '../../messages/send/conversations.ts'
import { findUserByAddress } from '../../users/email.ts'
import { column, type Predicate } from './predicate.ts'
import { badNarrow, type Operand } from './terms.ts'

/** Returns the user with this id or email address, or the caller for "me". */
async function accessPerson(caller: Caller, who: number | string): Promise<User> {
  if (who === 'me') return caller.user
  const named = typeof who === 'string' ? await findUserByAddress(caller, who) : undefined
  const id = typeof who === 'number' ? who : /^\d{1,15}$/.test(who.trim()) ? Number(who) : undefined
  const user = named ?? (id === undefined ? undefined : await findUser(caller.db, id))
  if (!user || (await unknownAmong(caller, [user.id])).size > 0) throw badNarrow('unknown user')
  return user
}

/** Returns users in any of the forms that clients send: an id, ids, an address, or addresses joined by commas. */
async function accessPeople(caller: Caller, operand: Operand): Promise<User[]> {
  const list = typeof operand === 'string' ? operand.split(',') : typeof operand === 'number' ? [operand] : operand
  const named = list.filter((who) => typeof who === 'number' || who.trim() !== '')
  const people: User[] = []
  for (const who of named) people.push(await accessPerson(caller, who))
  return people
}

export async function sentBy(caller: Caller, operand: Operand): Promise<Predicate> {
  if (typeof operand === 'object') throw badNarrow('unknown user')
  const { id } = await accessPerson(caller, operand)
  return {
    sql: (row) => row(column(row, 'sender_id'), '=', id),
    matches: (message) => message.sender_id === id,
    sources: [{ by: 'sender_id', values: [id] }],
    operand: id,
    lasting: typeof operand === 'number',
  }
}

/**
 * Matches messages that mention a user by name, and notify them: not silently, through a group or by a wildcard. Flags of
 * mentions are no help, as only subscribers have them, also for groups.
 */
export async function mentioning(caller: Caller, operand: Operand): Promise<Predicate> {
  if (typeof operand === 'object') throw badNarrow('unknown user')
  const { id } = await accessPerson(caller, operand)
  const html = mentionOf(id)
  return {
    sql: (row) => row('message.rendered_content', 'like', `%${html}%`),
    matches: (message) => message.html().includes(html),
    operand: id,
    lasting: typeof operand === 'number',
  }
}

/** Matches the conversation of exactly these users and the caller. */
export async function directWith(caller: Caller, operand: Operand): Promise<Predicate> {
  const people = await accessPeople(caller, operand)
  const ids = [...new Set([caller.user.id, ...people.map((user) => user.id)])]
  const key = participantKey(ids)
  const conversation_id = await findConversation(caller, ids)
  const values = conversation_id === undefined ? [] : [conversation_id]
  return {
    sql: (row) =>
      conversation_id === undefined ? row.lit(false) : row(column(row, 'conversation_id'), '=', conversation_id),
    matches: ({ participants }) => participants !== null && participants.join(',') === key,
    sources: [{ by: 'conversation_id', values, direct: true }],
    operand: ids,
    lasting: typeof operand === 'object' && operand.every((who) => typeof who === 'number'),
  }
}

/** Matches the caller's direct conversations with these users; optionally only group conversations. */
export async function directIncluding(caller: Caller, operand: Operand, groupsOnly: boolean): Promise<Predicate> {
  const people = await accessPeople(caller, operand)
  const ids = [...new Set([caller.user.id, ...people.map((user) => user.id)])]
  const conversations = await caller.db
    .selectFrom('direct_participant')
    .innerJoin('conversation', 'conversation.id', 'direct_participant.conversation_id')
    .select(['conversation.id', 'conversation.participant_key as key'])
    .where('direct_participant.user_id', '=', caller.user.id)
    .execute()
  const isMeant = (participants: readonly number[]) =>
    ids.every((id) => participants.includes(id)) && (!groupsOnly || participants.length > 2)
  const values = conversations.filter((c) => isMeant(c.key!.split(',').map(Number))).map((c) => c.id)
  return {
    sql: (row) => row(column(row, 'conversation_id'), 'in', dialectOf(caller.chat).idsIn(values)),
    matches: ({ participants }) => participants !== null && isMeant(participants),
    sources: [{ by: 'conversation_id', values, direct: true }],
    operand: people.map((user) => user.id),
  }
}
