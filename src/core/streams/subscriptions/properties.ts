import * as v from 'valibot'
import { flag } from '../../../storage/index.ts'
import { only } from '../../events/log/audience.ts'
import { emit } from '../../events/log/emit.ts'
import { action } from '../../kernel/action.ts'
import { MAX_SUBSCRIPTION_CHANGES } from '../../kernel/base/limits.ts'
import { check } from '../../kernel/check.ts'
import type { Tx } from '../../kernel/context.ts'
import { badRequest } from '../../kernel/errors.ts'
import { bool, described, id, text } from '../../kernel/fields.ts'
import { empty } from '../../shapes/values.ts'
import { mutedStreams } from '../stored.ts'

const color = v.pipe(
  text,
  v.regex(/^#([0-9a-fA-F]{3}|[0-9a-fA-F]{6})$/, 'color is not a valid hex color code'),
  // Clients parse exactly #rrggbb in lower case.
  v.transform((s) => (s.length === 4 ? s.replace(/[^#]/g, '$&$&') : s).toLowerCase()),
)
const maybe = v.nullable(bool)

/** Personal settings of a subscription, by the names of the API. */
const properties = {
  color,
  is_muted: bool,
  pin_to_top: bool,
  desktop_notifications: maybe,
  audible_notifications: maybe,
  push_notifications: maybe,
  email_notifications: maybe,
  wildcard_mentions_notify: maybe,
} as const
type Property = keyof typeof properties
const isProperty = (name: string): name is Property => Object.hasOwn(properties, name)

/**
 * POST /users/me/subscriptions/properties: changes settings of several subscriptions.
 *
 * @throws BAD_REQUEST for a stream without the caller's subscription, an unknown property, or an invalid value
 */
export const updateProperties = action(
  {
    name: 'updateProperties',
    summary: 'Update subscription settings',
    params: v.object({
      subscription_data: described(
        v.pipe(
          v.array(v.object({ stream_id: id, property: text, value: v.union([bool, text, v.null()]) })),
          v.maxLength(MAX_SUBSCRIPTION_CHANGES, `Too many changes; at most ${MAX_SUBSCRIPTION_CHANGES} in one request`),
        ),
        'Settings to change, each with `stream_id`, `property` and `value`.',
      ),
    }),
    result: empty,
  },
  (caller, { subscription_data }) =>
    caller.write(async (tx) => {
      for (const change of subscription_data) await setProperty(tx, change)
      return {}
    }),
)

/**
 * PATCH /users/me/subscriptions/{stream_id}: changes one setting of one subscription.
 *
 * @throws BAD_REQUEST for a stream without the caller's subscription, an unknown property, or an invalid value
 */
export const updateProperty = action(
  {
    name: 'updateProperty',
    summary: 'Update a subscription setting',
    params: v.object({
      stream_id: described(id, 'ID of the channel.'),
      property: described(text, 'Name of the setting.'),
      value: described(v.union([bool, text, v.null()]), 'The new value.'),
    }),
    result: empty,
  },
  (caller, change) =>
    caller.write(async (tx) => {
      await setProperty(tx, change)
      return {}
    }),
)

interface Change {
  stream_id: number
  property: string
  value: unknown
}

async function setProperty(tx: Tx, { stream_id, ...change }: Change): Promise<void> {
  const subscribed = await tx.db
    .selectFrom('subscription')
    .select('subscription.stream_id')
    .where('subscription.user_id', '=', tx.user.id)
    .where('subscription.stream_id', '=', stream_id)
    .where('subscription.is_active', '=', 1)
    .executeTakeFirst()
  if (!subscribed) throw badRequest(`Not subscribed to stream id ${stream_id}`)
  const { property, value: given } = change.property === 'in_home_view' ? inOldWords(change.value) : change
  if (!isProperty(property)) throw badRequest(`Unknown subscription property: ${property}`)
  const schema = v.object({ [property]: properties[property] as v.GenericSchema })
  const value = (check(schema, { [property]: given }) as Record<string, boolean | string | null>)[property]!
  await tx.db
    .updateTable('subscription')
    .set({ [property]: typeof value === 'boolean' ? flag(value) : value })
    .where('user_id', '=', tx.user.id)
    .where('stream_id', '=', stream_id)
    .execute()
  if (property === 'is_muted') mutedStreams.invalidate(tx, tx.user.id)
  await emit(tx, { type: 'subscription', op: 'update', stream_id, property, value }, only(tx.user.id))
}

/** The older form of `is_muted`, with the opposite value. */
function inOldWords(in_home_view: unknown) {
  return { property: 'is_muted', value: !check(v.object({ in_home_view: bool }), { in_home_view }).in_home_view }
}
