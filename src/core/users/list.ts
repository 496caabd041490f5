import * as v from 'valibot'
import { action } from '../action.ts'
import { atOneMoment, type Caller } from '../context.ts'
import { badRequest } from '../errors.ts'
import { bool, described, id, text } from '../fields.ts'
import { userShape } from '../shapes/user.ts'
import { integer } from '../shapes/values.ts'
import { findUser, newestUserId, type User, userColumns } from '../user.ts'
import { findUserByEmail } from './access.ts'
import { profileDataOf } from './profile-data.ts'
import { userView } from './view.ts'

const viewParams = {
  client_gravatar: described(
    v.nullish(bool, true),
    'Leave out avatar addresses that the client computes itself: they are null.',
  ),
  include_custom_profile_fields: described(v.nullish(bool, false), 'Add the values of custom profile fields.'),
}
type ViewParams = v.InferOutput<v.ObjectSchema<typeof viewParams, undefined>>

/**
 * GET /users: everyone, bots and deactivated accounts included, by id.
 *
 * @throws USER_DEACTIVATED when the caller's account is deactivated
 * @example
 * const { members } = await listUsers(caller)
 */
export const listUsers = action(
  {
    name: 'listUsers',
    summary: 'Get all users',
    params: v.object(viewParams),
    result: v.strictObject({ members: v.array(userShape) }),
  },
  async (caller, params) => {
    const members = await atOneMoment(
      caller,
      async (reader) => {
        const users = await reader.db.selectFrom('user').select(userColumns).orderBy('id').execute()
        return views(reader, users, params)
      },
      { rows: await newestUserId(caller.db) },
    )
    return { members }
  },
)

/**
 * GET /users/{id}
 *
 * @throws BAD_REQUEST "No such user"
 */
export const getUser = action(
  {
    name: 'getUser',
    summary: 'Get a user',
    params: v.object({ user_id: described(id, 'Id of the user.'), ...viewParams }),
    result: v.strictObject({ user: userShape }),
  },
  async (caller, { user_id, ...params }) => oneUser(caller, await findUser(caller.db, user_id), params),
)

/**
 * GET /users/{email}
 *
 * @throws BAD_REQUEST "No such user"
 */
export const getUserByEmail = action(
  {
    name: 'getUserByEmail',
    summary: 'Get a user by e-mail',
    params: v.object({ email: described(text, 'E-mail address of the account.'), ...viewParams }),
    result: v.strictObject({ user: userShape }),
  },
  async (caller, { email, ...params }) => oneUser(caller, await findUserByEmail(caller.db, email), params),
)

/**
 * GET /users/me
 *
 * @throws USER_DEACTIVATED when the caller's account is deactivated
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
  if (!user) throw badRequest('No such user')
  return { user: (await views(caller, [user], params))[0]! }
}

async function views(caller: Caller, users: readonly User[], params: ViewParams) {
  const people = params.include_custom_profile_fields ? users.filter((user) => user.bot_type === null) : []
  const data = await profileDataOf(
    caller,
    people.map((user) => user.id),
  )
  return users.map((user) => ({
    ...userView(caller.chat, user, { client_gravatar: params.client_gravatar ?? true }),
    ...(params.include_custom_profile_fields && user.bot_type === null && { profile_data: data.get(user.id) ?? {} }),
  }))
}
