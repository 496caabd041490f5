import * as v from 'valibot'
import { admitSpectators } from '../access/spectators.ts'
import { knownTo } from '../access/user-visibility.ts'
import { action } from '../kernel/action.ts'
import { type Caller, inSnapshot } from '../kernel/context.ts'
import { bool, described, id, ids, text } from '../kernel/fields.ts'
import { pacer } from '../kernel/slices.ts'
import { isSpectator } from '../kernel/spectator.ts'
import { dialectOf } from '../kernel/store.ts'
import { findUser, newestUserId, type User, userColumns } from '../kernel/user.ts'
import { type UserView, userShape } from '../shapes/user.ts'
import { integer } from '../shapes/values.ts'
import { requireKnown } from './access.ts'
import { findUserByAddress } from './email.ts'
import { profileDataOf } from './profile-data.ts'
import { userView } from './view.ts'

const viewParams = {
  client_gravatar: described(
    v.nullish(bool, true),
    'Whether to return null for avatar URLs that the client can compute itself.',
  ),
  include_custom_profile_fields: described(v.nullish(bool, false), 'Include the values of custom profile fields.'),
}
type ViewParams = v.InferOutput<v.ObjectSchema<typeof viewParams, undefined>>

/**
 * GET /users: lists the users that the caller may see, including bots and deactivated accounts, by id.
 *
 * @throws USER_DEACTIVATED if the caller's account is deactivated
 * @example
 * const { members } = await listUsers(caller)
 */
export const listUsers = action(
  {
    name: 'listUsers',
    summary: 'Get all users',
    spectators: admitSpectators,
    params: v.object({
      ...viewParams,
      user_ids: described(v.nullish(ids), "IDs of the users to return. Users that you can't see are left out."),
    }),
    result: v.strictObject({ members: v.array(userShape) }),
  },
  async (caller, { user_ids, ...given }) => {
    // Nobody's values of profile fields are public, and no address from which a client could make a picture's.
    const params = isSpectator(caller.user) ? { client_gravatar: false, include_custom_profile_fields: false } : given
    const members = await inSnapshot(
      caller,
      async (reader) => {
        let query = reader.db
          .selectFrom('user')
          .select(userColumns)
          .where('is_system_bot', '=', 0)
          .where(await knownTo(reader))
          .orderBy('id')
        if (user_ids != null) query = query.where('user.id', 'in', dialectOf(reader.chat).idsIn(user_ids))
        return views(reader, await query.execute(), params)
      },
      { rows: await newestUserId(caller.db) },
    )
    return { members }
  },
)

/**
 * GET /users/{id}: returns a user.
 *
 * @throws BAD_REQUEST "No such user"; "Insufficient permission" for a hidden user
 */
export const getUser = action(
  {
    name: 'getUser',
    summary: 'Get a user',
    params: v.object({ user_id: described(id, 'ID of the user.'), ...viewParams }),
    result: v.strictObject({ user: userShape }),
  },
  async (caller, { user_id, ...params }) => oneUser(caller, await findUser(caller.db, user_id), params),
)

/**
 * GET /users/{email}: returns a user.
 *
 * @throws BAD_REQUEST "No such user"; "Insufficient permission" for a hidden user
 */
export const getUserByEmail = action(
  {
    name: 'getUserByEmail',
    summary: 'Get a user by email',
    params: v.object({ email: described(text, 'Email address of the account.'), ...viewParams }),
    result: v.strictObject({ user: userShape }),
  },
  async (caller, { email, ...params }) => oneUser(caller, await findUserByAddress(caller, email), params),
)

/**
 * GET /users/me: returns the caller.
 *
 * @throws USER_DEACTIVATED if the caller's account is deactivated
 */
export const getOwnUser = action(
  {
    name: 'getOwnUser',
    summary: 'Get your own user',
    params: v.object({}),
    result: v.strictObject({ ...userShape.entries, max_message_id: integer }),
  },
  async (caller) => {
    const [view] = await views(caller, [caller.user], { client_gravatar: false, include_custom_profile_fields: true })
    const newest = await caller.db.selectFrom('message').select('id').orderBy('id', 'desc').limit(1).executeTakeFirst()
    return { ...view!, max_message_id: newest?.id ?? -1 }
  },
)

async function oneUser(caller: Caller, user: User | undefined, params: ViewParams) {
  return { user: (await views(caller, [await requireKnown(caller, user)], params))[0]! }
}

async function views(caller: Caller, users: readonly User[], params: ViewParams) {
  const people = params.include_custom_profile_fields ? users.filter((user) => user.bot_type === null) : []
  const data = await profileDataOf(
    caller,
    people.map((user) => user.id),
  )
  const turn = pacer(caller)
  const views: UserView[] = []
  for (const user of users) {
    views.push({
      ...userView(caller.chat, user, { client_gravatar: params.client_gravatar, reader: caller.user }),
      ...(params.include_custom_profile_fields && user.bot_type === null && { profile_data: data.get(user.id) ?? {} }),
    })
    await turn()
  }
  return views
}
