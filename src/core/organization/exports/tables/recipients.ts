import { createHash } from 'node:crypto'
import { chunked } from '../../../kernel/base/lists.ts'
import { dialectOf } from '../../../kernel/store.ts'
import { mapped, paged, type Row, type Rows, type Source, USERS } from './source.ts'

/** Types of recipients: upstream numbers streams, users, and groups of users as recipients. */
export const kinds = { person: 1, stream: 2, group: 3 } as const

export const recipientOfUser = (user_id: number): number => 2 * user_id + 1
/** Numbers a stream, and a direct conversation with other than two participants. */
export const recipientOfConversation = (id: number): number => 2 * id

/** Returns the recipient of a direct message: the other of two users, or the sender for messages to themselves. */
export function directRecipient(conversation_id: number, people: readonly number[], sender_id: number): number {
  if (people.length > 2) return recipientOfConversation(conversation_id)
  return recipientOfUser(people.find((id) => id !== sender_id) ?? sender_id)
}

/** Direct conversations that are groups. */
export const groupsOf = ({ scope }: Source): [id: number, people: readonly number[]][] =>
  [...scope.directs].filter(([, people]) => people.length > 2)

const allUsers = ({ db }: Source) =>
  paged((after, limit) =>
    db.selectFrom('user').select('id').where('id', '>', after).orderBy('id').limit(limit).execute(),
  )

export async function* recipients(source: Source): AsyncGenerator<readonly Row[]> {
  yield* mapped(allUsers(source), ({ id }) => ({ id: recipientOfUser(id), type_id: id, type: kinds.person }))
  for (const id of source.scope.streams.keys()) {
    yield [{ id: recipientOfConversation(id), type_id: id, type: kinds.stream }]
  }
  for (const [id] of groupsOf(source)) yield [{ id: recipientOfConversation(id), type_id: id, type: kinds.group }]
}

export const directGroups = (source: Source): Rows =>
  groupsOf(source).map(([id, people]) => [
    { id, huddle_hash: createHash('sha1').update(people.join(',')).digest('hex'), group_size: people.length },
  ])

/** The usual colors of streams, for users whose own are private. */
const colors = ['#76ce90', '#fae589', '#a6c7e5', '#e79ab5', '#bfd56f', '#f4ae55', '#b0a5fd', '#addfe5']

/** Yields subscriptions. Users' settings of their streams are included for users who agreed. */
export async function* subscriptions(source: Source): AsyncGenerator<readonly Row[]> {
  const { db, scope } = source
  let id = 0
  const plain = { is_muted: false, pin_to_top: false, ...noChoices }
  const entry = (user_profile: number, recipient: number, is_user_active: boolean) => ({
    id: ++id,
    user_profile,
    recipient,
    active: true,
    is_user_active,
    ...plain,
    color: '#c2c2c2',
  })
  const users = paged((after, limit) =>
    db.selectFrom('user').select(['id', 'is_active']).where('id', '>', after).orderBy('id').limit(limit).execute(),
  )
  const active = new Set<number>()
  for await (const page of users) {
    for (const user of page) if (user.is_active) active.add(user.id)
    for (const some of chunked(page, USERS)) {
      yield some.map((user) => entry(user.id, recipientOfUser(user.id), user.is_active === 1))
      const ids = some.filter((user) => !scope.bots.has(user.id)).map((user) => user.id)
      const rows = await db
        .selectFrom('subscription')
        .selectAll()
        .where('user_id', 'in', dialectOf(source.reader.chat).idsIn(ids))
        .orderBy('user_id')
        .orderBy('stream_id')
        .execute()
      yield rows.flatMap(({ user_id, stream_id, is_active, ...chosen }) => {
        if (!scope.streams.has(stream_id)) return []
        const own = scope.consenting.has(user_id)
        return {
          ...entry(user_id, recipientOfConversation(stream_id), active.has(user_id)),
          active: is_active === 1,
          color: own ? chosen.color : colors[(stream_id + user_id) % colors.length],
          ...(own && {
            is_muted: chosen.is_muted === 1,
            pin_to_top: chosen.pin_to_top === 1,
            desktop_notifications: choice(chosen.desktop_notifications),
            audible_notifications: choice(chosen.audible_notifications),
            push_notifications: choice(chosen.push_notifications),
            email_notifications: choice(chosen.email_notifications),
            wildcard_mentions_notify: choice(chosen.wildcard_mentions_notify),
          }),
        }
      })
    }
  }
  for (const [conversation, people] of groupsOf(source)) {
    yield people.map((user) => entry(user, recipientOfConversation(conversation), active.has(user)))
  }
}

const noChoices = {
  desktop_notifications: null,
  audible_notifications: null,
  push_notifications: null,
  email_notifications: null,
  wildcard_mentions_notify: null,
}
const choice = (flag: number | null): boolean | null => (flag === null ? null : flag === 1)
