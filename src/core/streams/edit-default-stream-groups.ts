import * as v from 'valibot'
import { action } from '../kernel/action.ts'
import { uniqueSorted } from '../kernel/base/lists.ts'
import type { Tx } from '../kernel/context.ts'
import { badRequest } from '../kernel/errors.ts'
import { described, id, line, maxCharacters, text } from '../kernel/fields.ts'
import type { StreamGroupView } from '../shapes/stream.ts'
import { empty } from '../shapes/values.ts'
import { accessStreamByName } from './access.ts'
import { emitStreamGroups, setGroupStreams, streamGroupsOf } from './default-stream-groups.ts'
import { defaultStreamIds } from './default-streams.ts'

const MAX_GROUPS = 1000

const MAX_NAME_LENGTH = 60

const MAX_DESCRIPTION_LENGTH = 1024

const groupName = v.pipe(
  line,
  v.nonEmpty("Default channel group name can't be empty!"),
  maxCharacters(MAX_NAME_LENGTH, `Default channel group name too long (limit: ${MAX_NAME_LENGTH} characters)`),
)

const groupDescription = v.pipe(text, maxCharacters(MAX_DESCRIPTION_LENGTH))

async function accessStreamGroup(tx: Tx, id: number): Promise<StreamGroupView> {
  const group = (await streamGroupsOf(tx.db)).find((one) => one.id === id)
  if (!group) throw badRequest(`Default channel group with id '${id}' does not exist.`)
  return group
}

async function requireFreeName(tx: Tx, name: string): Promise<void> {
  const groups = await streamGroupsOf(tx.db)
  if (groups.some((group) => group.name === name)) throw badRequest(`Default channel group '${name}' already exists`)
  if (groups.length >= MAX_GROUPS)
    throw badRequest(`An organization can have at most ${MAX_GROUPS} default channel groups.`)
}

/** Returns the ids of streams that may be in a group: public ones that aren't default streams. */
async function streamsFor(tx: Tx, names: readonly string[], group: string): Promise<number[]> {
  const defaults = new Set(await defaultStreamIds(tx))
  const ids: number[] = []
  for (const name of names) {
    const stream = await accessStreamByName(tx, name)
    if (stream.invite_only) throw badRequest('Private streams cannot be made default.')
    if (defaults.has(stream.id))
      throw badRequest(`'${stream.name}' is a default channel and cannot be added to '${group}'`)
    ids.push(stream.id)
  }
  return uniqueSorted(ids)
}

const MAX_STREAMS = 1000

const stream_names = described(
  v.pipe(v.array(text), v.maxLength(MAX_STREAMS, '{name} has too many entries')),
  'Names of channels.',
)

const group_id = described(id, 'ID of the group.')

/**
 * POST /default_stream_groups/create: creates a group of streams for new users.
 *
 * @throws UNAUTHORIZED_PRINCIPAL unless the caller is an administrator
 * @throws STREAM_DOES_NOT_EXIST
 * @throws BAD_REQUEST for a name that is taken or invalid, and for a stream that is private or a default stream
 */
export const createStreamGroup = action(
  {
    name: 'createStreamGroup',
    summary: 'Create a default channel group',
    audit: { subject: 'default_channel_groups' },
    params: v.object({
      group_name: described(groupName, 'Name of the group.'),
      description: described(groupDescription, 'Description of the group.'),
      stream_names,
    }),
    result: empty,
    idempotencyKey: 'one write',
    role: 'administrator',
    errors: ['STREAM_DOES_NOT_EXIST'],
  },
  (caller, { group_name: name, description, stream_names }) =>
    caller.write(async (tx) => {
      await requireFreeName(tx, name)
      const stream_ids = JSON.stringify(await streamsFor(tx, stream_names, name))
      await tx.db.insertInto('default_stream_group').values({ name, description, stream_ids }).execute()
      await emitStreamGroups(tx)
      return {}
    }),
)

/**
 * PATCH /default_stream_groups/{group_id}: renames or describes a group.
 *
 * @throws UNAUTHORIZED_PRINCIPAL unless the caller is an administrator
 * @throws BAD_REQUEST for an unknown group, a name that is taken or invalid, and without a change
 */
export const updateStreamGroup = action(
  {
    name: 'updateStreamGroup',
    summary: 'Update a default channel group',
    audit: { subject: 'default_channel_groups' },
    params: v.object({
      group_id,
      new_group_name: described(v.nullish(groupName), 'New name of the group.'),
      new_description: described(v.nullish(groupDescription), 'New description of the group.'),
    }),
    result: empty,
    role: 'administrator',
  },
  (caller, { group_id, new_group_name, new_description }) =>
    caller.write(async (tx) => {
      if (new_group_name == null && new_description == null) {
        throw badRequest('You must pass "new_description" or "new_group_name".')
      }
      const group = await accessStreamGroup(tx, group_id)
      const name = new_group_name ?? group.name
      if (name !== group.name) await requireFreeName(tx, name)
      const description = new_description ?? group.description
      await tx.db.updateTable('default_stream_group').set({ name, description }).where('id', '=', group_id).execute()
      await emitStreamGroups(tx)
      return {}
    }),
)

/**
 * DELETE /default_stream_groups/{group_id}: deletes a group.
 *
 * @throws UNAUTHORIZED_PRINCIPAL unless the caller is an administrator
 * @throws BAD_REQUEST for an unknown group
 */
export const removeStreamGroup = action(
  {
    name: 'removeStreamGroup',
    summary: 'Remove a default channel group',
    audit: { subject: 'default_channel_groups' },
    params: v.object({ group_id }),
    result: empty,
    role: 'administrator',
  },
  (caller, { group_id }) =>
    caller.write(async (tx) => {
      await accessStreamGroup(tx, group_id)
      await tx.db.deleteFrom('default_stream_group').where('id', '=', group_id).execute()
      await emitStreamGroups(tx)
      return {}
    }),
)

/**
 * PATCH /default_stream_groups/{group_id}/streams: adds or removes streams of a group.
 *
 * @throws UNAUTHORIZED_PRINCIPAL unless the caller is an administrator
 * @throws STREAM_DOES_NOT_EXIST
 * @throws BAD_REQUEST for an unknown group, and a stream that is already in it, isn't in it, or may not be
 */
export const changeStreamGroup = action(
  {
    name: 'changeStreamGroup',
    summary: 'Add channels to a default channel group, or remove them',
    audit: { subject: 'default_channel_groups' },
    params: v.object({
      group_id,
      op: described(
        v.picklist(['add', 'remove'], 'Invalid value for "op". Specify one of "add" or "remove".'),
        '"add" or "remove".',
      ),
      stream_names,
    }),
    result: empty,
    role: 'administrator',
    errors: ['STREAM_DOES_NOT_EXIST'],
  },
  (caller, { group_id, op, stream_names }) =>
    caller.write(async (tx) => {
      const { name, streams } = await accessStreamGroup(tx, group_id)
      if (op === 'add') {
        const ids = await streamsFor(tx, stream_names, name)
        if (ids.some((id) => streams.includes(id))) {
          throw badRequest(`A channel is already present in default channel group '${name}'`)
        }
        await setGroupStreams(tx, group_id, [...streams, ...ids])
      } else {
        const ids = await Promise.all(stream_names.map(async (stream) => (await accessStreamByName(tx, stream)).id))
        if (ids.some((id) => !streams.includes(id))) {
          throw badRequest(`A channel is not present in default channel group '${name}'`)
        }
        await setGroupStreams(
          tx,
          group_id,
          streams.filter((id) => !ids.includes(id)),
        )
      }
      await emitStreamGroups(tx)
      return {}
    }),
)
