import { sql } from 'kysely'
import type { Caller } from '../../kernel/context.ts'
import { pacer } from '../../kernel/slices.ts'
import { dialectOf } from '../../kernel/store.ts'
import type { ImportRow } from './journal.ts'

/** Conversations or people whose newer messages are counted in one query. */
const SLICE = 200

/** Describes what people have done with imported data. If there is anything, the import can't be undone. */
export async function obstacles(caller: Caller, row: ImportRow): Promise<string[]> {
  const { db } = caller
  const pace = pacer(caller)
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
  const add = (count: number, one: string, many: string) => {
    if (count > 0) found.push(`${count} ${count === 1 ? one : many}`)
  }
  const count = async (query: { execute(): Promise<{ count: number }[]> }, one: string, many: string) => {
    const [{ count } = { count: 0 }] = await query.execute()
    await pace()
    add(Number(count), one, many)
  }
  const counted = sql<number>`count(*)`.as('count')
  add(
    await newerMessages(caller, row),
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
  const saved = [
    ['draft', 'user_id', 'draft'],
    ['saved_snippet', 'user_id', 'snippet'],
    ['reminder', 'user_id', 'reminder'],
    ['scheduled_message', 'sender_id', 'scheduled_message'],
  ] as const
  for (const [table, person, kind] of saved)
    await count(
      db
        .selectFrom(table)
        .select(counted)
        .where(sql.ref<number>(person), 'in', brought('user'))
        .where('id', 'not in', brought(kind)),
      `${kind.replace('_', ' ')} belongs to an imported account`,
      `${kind.replace('_', ' ')}s belong to imported accounts`,
    )
  await count(
    db
      .selectFrom('scheduled_message')
      .select(counted)
      .where('conversation_id', 'in', brought('channel').union(brought('conversation')))
      .where('sender_id', 'not in', brought('user'))
      .where('id', 'not in', brought('scheduled_message')),
    'scheduled message goes to an imported conversation',
    'scheduled messages go to imported conversations',
  )
  await count(
    db.selectFrom('data_export').select(counted).where('user_id', 'in', brought('user')),
    'export was requested by an imported account',
    'exports were requested by imported accounts',
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
      // For each subscription, an EXISTS would read the journal.
      .where('user_id', 'not in', (eb) =>
        eb
          .selectFrom('import_object')
          .select('object_id')
          .where('import_id', '=', row.id)
          .where('kind', '=', 'subscription'),
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

/** Counts messages in conversations and by people of the import that it didn't bring, without reading all messages. */
async function newerMessages(caller: Caller, { id, first_message_id, last_message_id }: ImportRow): Promise<number> {
  const { db, chat } = caller
  const pace = pacer(caller)
  const brought = (...kinds: readonly string[]) =>
    db
      .selectFrom('import_object')
      .select('object_id')
      .where('import_id', '=', id)
      .where('kind', 'in', kinds)
      .where('is_new', '=', 1)
  const places = ['channel', 'conversation'] as const
  let count = 0
  async function add(column: 'conversation_id' | 'sender_id', ids: readonly number[]): Promise<void> {
    for (let start = 0; start < ids.length; start += SLICE) {
      const slice = dialectOf(chat).idsIn(ids.slice(start, start + SLICE))
      for (const [side, end] of [
        ['<', first_message_id!],
        ['>', last_message_id!],
      ] as const) {
        const query = db
          .selectFrom('message')
          .select(sql<number>`count(*)`.as('count'))
          .where(column, 'in', slice)
          .where('id', side, end)
        // Messages in the conversations are counted already.
        const once = column === 'sender_id' ? query.where('conversation_id', 'not in', brought(...places)) : query
        count += Number((await once.executeTakeFirstOrThrow()).count)
        await pace()
      }
    }
  }
  const idsOf = async (...kinds: readonly string[]) =>
    (await brought(...kinds).execute()).map(({ object_id }) => object_id)
  await add('conversation_id', await idsOf(...places))
  await add('sender_id', await idsOf('user'))
  return count
}
