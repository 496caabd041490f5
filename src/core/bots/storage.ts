import * as v from 'valibot'
import { action } from '../kernel/action.ts'
import type { Caller } from '../kernel/context.ts'
import { badRequest } from '../kernel/errors.ts'
import { described, text } from '../kernel/fields.ts'
import { dialectOf } from '../kernel/store.ts'
import { empty } from '../shapes/values.ts'

const keys = described(v.nullish(v.array(text)), 'Keys of the entries. Defaults to all.')
/** @NOTE valibot's record silently drops the keys `constructor` and `__proto__` */
const entries = v.pipe(
  v.unknown(),
  v.check(isObjectOfTexts, '{name} is not a dict of strings'),
  v.transform((storage) => new Map(Object.entries(storage as Record<string, string>))),
  v.map(text, text),
)

function isObjectOfTexts(value: unknown): boolean {
  if (typeof value !== 'object' || value === null || Array.isArray(value)) return false
  return Object.values(value).every((text) => typeof text === 'string')
}

/**
 * GET /bot_storage: returns the caller's stored entries. Every account has its own storage, which only it can read.
 *
 * @throws BAD_REQUEST for an unknown key
 */
export const getStorage = action(
  {
    name: 'getStorage',
    summary: "Get a bot's stored state",
    params: v.object({ keys }),
    result: v.strictObject({ storage: v.record(v.string(), v.string()) }),
  },
  async (caller, { keys: requested }) => {
    const rows = await entriesOf(caller, requested)
    return { storage: Object.fromEntries(rows.map(({ key, value }) => [key, value])) }
  },
)

/**
 * PUT /bot_storage: adds or replaces entries.
 *
 * @throws BAD_REQUEST if the storage would exceed its limit
 */
export const updateStorage = action(
  {
    name: 'updateStorage',
    summary: "Update a bot's stored state",
    params: v.object({ storage: described(entries, 'Strings to store, by key.') }),
    result: empty,
  },
  (caller, { storage }) =>
    caller.write(async (tx) => {
      const { textsIn } = dialectOf(tx.chat)
      const { botStorageCharacters } = tx.chat.options.limits
      const user_id = tx.user.id
      const sizeOf = ([key, value]: readonly [string, string]) => key.length + value.length
      const added = [...storage].reduce((sum, entry) => sum + sizeOf(entry), 0)
      const { size } = await tx.db
        .selectFrom('bot_storage')
        .select((eb) => eb.fn.coalesce(eb.fn.sum<number>('size'), eb.lit(0)).as('size'))
        .where('user_id', '=', user_id)
        .where('key', 'not in', textsIn([...storage.keys()]))
        .executeTakeFirstOrThrow()
      if (size + added > botStorageCharacters) {
        throw badRequest(
          `The stored data would have ${size + added} characters. The limit is ${botStorageCharacters} characters.`,
        )
      }
      for (const [key, value] of storage) {
        const stored = { value, size: sizeOf([key, value]) }
        await tx.db
          .insertInto('bot_storage')
          .values({ user_id, key, ...stored })
          .onConflict((oc) => oc.columns(['user_id', 'key']).doUpdateSet(stored))
          .execute()
      }
      return {}
    }),
)

/**
 * DELETE /bot_storage: removes entries.
 *
 * @throws BAD_REQUEST for an unknown key
 */
export const removeStorage = action(
  { name: 'removeStorage', summary: "Remove a bot's stored state", params: v.object({ keys }), result: empty },
  (caller, { keys: requested }) =>
    caller.write(async (tx) => {
      const found = await entriesOf(tx, requested)
      await tx.db
        .deleteFrom('bot_storage')
        .where('user_id', '=', tx.user.id)
        .where('key', 'in', dialectOf(tx.chat).textsIn(found.map((entry) => entry.key)))
        .execute()
      return {}
    }),
)

/** Returns the caller's entries with these keys, or all. Throws for an unknown key. */
async function entriesOf({ chat, db, user }: Caller, requested: readonly string[] | null | undefined) {
  let query = db.selectFrom('bot_storage').select(['key', 'value']).where('user_id', '=', user.id).orderBy('key')
  if (requested) query = query.where('key', 'in', dialectOf(chat).textsIn(requested))
  const rows = await query.execute()
  if (requested && rows.length < new Set(requested).size) throw badRequest('Key does not exist.')
  return rows
}
