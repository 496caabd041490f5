import { after, type Db, type Soon } from '../../storage/index.ts'
import { seconds } from '../kernel/base/clock.ts'
import { defineCacheById } from '../kernel/cache.ts'
import type { Caller, Tx } from '../kernel/context.ts'
import { badRequest } from '../kernel/errors.ts'
import { isModerator } from '../kernel/roles.ts'
import { findUser } from '../kernel/user.ts'
import { settingsOf } from '../settings/organization.ts'

const DAY = 86_400

/** Whether a moderator trusts an account. */
const trusted = defineCacheById(
  'trusted-author',
  async (db: Db, user_id): Promise<boolean> =>
    (await db.selectFrom('trusted_author').select('user_id').where('user_id', '=', user_id).executeTakeFirst()) !==
    undefined,
)

/** The newest messages of an account that are looked at. */
const LOOKED_AT = 1000

/**
 * Whether an account has written a number of messages that other people could read, by ID and number: `7:3`. Undefined values
 * aren't cached, so that each message of a new account counts.
 */
const established = defineCacheById('established-author', async (db: Db, which: string): Promise<true | undefined> => {
  const [user_id, least] = which.split(':').map(Number) as [number, number]
  const newest = db
    .selectFrom('message')
    .select(['message.id', 'message.topic_id', 'message.conversation_id'])
    .where('sender_id', '=', user_id)
    .orderBy('id', 'desc')
    .limit(LOOKED_AT)
  const seen = await db
    .selectFrom(newest.as('newest'))
    .select('newest.id')
    .where((eb) =>
      eb.or([
        eb('newest.topic_id', 'is not', null),
        eb.exists(
          eb
            .selectFrom('direct_participant')
            .innerJoin('user', 'user.id', 'direct_participant.user_id')
            .select('user.id')
            .whereRef('direct_participant.conversation_id', '=', 'newest.conversation_id')
            .where('user.id', '!=', user_id)
            .where('user.bot_type', 'is', null),
        ),
      ]),
    )
    .limit(least)
    .execute()
  return seen.length >= least || undefined
})

/** Returns whether the organization wants to approve what the caller writes, because the account is new. A bot counts as its owner. */
export const isNewcomer = (caller: Caller): Soon<boolean> =>
  after(settingsOf(caller), ({ hold_first_messages: least, hold_new_accounts_days: days }) =>
    (least === 0 && days === 0) || caller.user.is_system_bot ? false : isNew(caller, least, days),
  )

async function isNew(caller: Caller, least: number, days: number): Promise<boolean> {
  const { bot_owner_id } = caller.user
  const person = bot_owner_id === null ? caller.user : ((await findUser(caller.db, bot_owner_id)) ?? caller.user)
  if (isModerator(person) || (await trusted.get(caller, person.id))) return false
  if (seconds(caller.chat.clock) - person.date_joined < days * DAY) return true
  return least > 0 && !(await established.get(caller, `${person.id}:${least}`))
}

/** Throws for changes that can't wait for a moderator, such as edits, if the caller's messages do. */
export async function requireEstablished(caller: Caller): Promise<void> {
  if (await isNewcomer(caller))
    throw badRequest('Moderators review the first messages of new accounts. You can do this later.')
}

/** Lets later messages of an account, and of its bots, through. */
export async function trust(tx: Tx, user_id: number): Promise<void> {
  await tx.db
    .insertInto('trusted_author')
    .values({ user_id, trusted_at: seconds(tx.chat.clock) })
    .onConflict((oc) => oc.column('user_id').doNothing())
    .execute()
  trusted.invalidate(tx, user_id)
}
