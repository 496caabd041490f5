import { type Db, fold, isUnset } from '../../../storage/index.ts'
import type { Journal } from './journal.ts'

/** The organization's data before an import, which people and channels are matched with. */
export interface Existing {
  /** People by folded address. */
  emails: ReadonlyMap<string, number>
  /** Channels in use by folded name. */
  channels: ReadonlyMap<string, { id: number; isEmpty: boolean; isPublic: boolean }>
  groups: ReadonlySet<string>
  emoji: ReadonlySet<string>
  linkifiers: ReadonlySet<string>
  /** Whether people have written something here. */
  hasMessages: boolean
}

export async function loadExisting(
  db: Db,
  journal: Pick<Journal, 'created'>,
  before: number | null,
): Promise<Existing> {
  const mine = { user: journal.created('user'), channel: journal.created('channel'), group: journal.created('group') }
  const users = await db.selectFrom('user').select(['id', 'email_key']).execute()
  const streams = await db
    .selectFrom('stream')
    .select((eb) => [
      'id',
      'name_key',
      'invite_only',
      eb
        .selectFrom('message')
        .select('message.id')
        .whereRef('message.conversation_id', '=', 'stream.id')
        .where((m) => (before === null ? m.lit(true) : m('message.id', '<', before)))
        .limit(1)
        .as('message'),
    ])
    .where('is_archived', '=', isUnset)
    .execute()
  const groups = await db
    .selectFrom('user_group')
    .select(['id', 'name_key'])
    .where('is_deactivated', '=', isUnset)
    .execute()
  const emoji = await db
    .selectFrom('custom_emoji')
    .select(['id', 'name'])
    .where('is_deactivated', '=', isUnset)
    .execute()
  const linkifiers = await db.selectFrom('linkifier').select(['id', 'pattern']).execute()
  const [ownEmoji, ownLinkifiers] = [journal.created('emoji'), journal.created('linkifier')]
  const written = await db
    .selectFrom('message')
    .innerJoin('user', 'user.id', 'message.sender_id')
    .select('message.id')
    .where('user.is_system_bot', '=', 0)
    .where((eb) => (before === null ? eb.lit(true) : eb('message.id', '<', before)))
    .limit(1)
    .executeTakeFirst()
  return {
    emails: new Map(users.filter(({ id }) => !mine.user.has(id)).map(({ id, email_key }) => [email_key, id])),
    channels: new Map(
      streams
        .filter(({ id }) => !mine.channel.has(id))
        .map(({ id, name_key, message, invite_only }) => [
          name_key,
          { id, isEmpty: message === null, isPublic: invite_only === 0 },
        ]),
    ),
    groups: new Set(groups.filter(({ id }) => !mine.group.has(id)).map((group) => group.name_key)),
    emoji: new Set(emoji.filter(({ id }) => !ownEmoji.has(id)).map((one) => fold(one.name))),
    linkifiers: new Set(linkifiers.filter(({ id }) => !ownLinkifiers.has(id)).map((one) => one.pattern)),
    hasMessages: written !== undefined,
  }
}
