import { sql } from 'kysely'
import type { Caller } from '../../kernel/context.ts'
import type { ImportRow } from './journal.ts'

/** Describes what people have done with imported data. If there is anything, the import can't be undone. */
export async function obstacles({ db }: Caller, row: ImportRow): Promise<string[]> {
  const brought = (kind: string) =>
    db
      .selectFrom('import_object')
      .select('object_id')
      .where('import_id', '=', row.id)
      .where('kind', '=', kind)
      .where('is_new', '=', 1)
  const [first, last] = [row.first_message_id!, row.last_message_id!]
  const outside = sql<boolean>`(message.id < ${first} or message.id > ${last})`
  const found: string[] = []
  const count = async (query: { execute(): Promise<{ count: number }[]> }, one: string, many: string) => {
    const [{ count } = { count: 0 }] = await query.execute()
    if (Number(count) > 0) found.push(`${count} ${Number(count) === 1 ? one : many}`)
  }
  const counted = sql<number>`count(*)`.as('count')
  await count(
    db
      .selectFrom('message')
      .select(counted)
      .where(outside)
      .where((eb) =>
        eb.or([
          eb('conversation_id', 'in', brought('channel')),
          eb('conversation_id', 'in', brought('conversation')),
          eb('sender_id', 'in', brought('user')),
        ]),
      ),
    'newer message was sent in an imported conversation',
    'newer messages were sent in imported conversations',
  )
  await count(
    db.selectFrom('api_key').select(counted).where('user_id', 'in', brought('user')),
    'imported account has signed in',
    'sign-ins by imported accounts',
  )
  await count(
    db
      .selectFrom('file')
      .select(counted)
      .where('owner_id', 'in', brought('user'))
      .where('id', 'not in', brought('file')),
    'file was uploaded by an imported account',
    'files were uploaded by imported accounts',
  )
  await count(
    db
      .selectFrom('message_file')
      .innerJoin('message', 'message.id', 'message_file.message_id')
      .select(counted)
      .where('file_id', 'in', brought('file'))
      .where(outside),
    'newer message uses an imported file',
    'newer messages use imported files',
  )
  await count(
    db
      .selectFrom('reaction')
      .innerJoin('message', 'message.id', 'reaction.message_id')
      .select(counted)
      .where(outside)
      .where('reaction_type', '=', 'realm_emoji')
      // Codes of other emoji are no numbers.
      .where(sql<boolean>`emoji_code in (select cast(object_id as text) from ${brought('emoji').as('emoji')})`),
    'reaction uses an imported emoji',
    'reactions use imported emoji',
  )
  await count(
    db.selectFrom('invitation').select(counted).where('inviter_id', 'in', brought('user')),
    'invitation was sent by an imported account',
    'invitations were sent by imported accounts',
  )
  await count(
    db
      .selectFrom('user')
      .select(counted)
      .where('bot_owner_id', 'in', brought('user'))
      .where('id', 'not in', brought('user')),
    'bot belongs to an imported account',
    'bots belong to imported accounts',
  )
  await count(
    db
      .selectFrom('subscription')
      .select(counted)
      .where('stream_id', 'in', brought('channel'))
      .where((eb) =>
        eb.not(
          eb.exists(
            eb
              .selectFrom('import_object')
              .select('import_object.object_id')
              .where('import_id', '=', row.id)
              .where('kind', '=', 'subscription')
              .whereRef('object_id', '=', 'subscription.user_id'),
          ),
        ),
      ),
    'person joined an imported channel',
    'people joined imported channels',
  )
  await count(
    db
      .selectFrom('user_group_subgroup')
      .select(counted)
      .where('subgroup_id', 'in', brought('group'))
      .where('group_id', 'not in', brought('group')),
    'group contains an imported group',
    'groups contain imported groups',
  )
  return found
}
