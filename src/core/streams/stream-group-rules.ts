import * as v from 'valibot'
import { uniqueSorted } from '../kernel/base/lists.ts'
import type { Tx } from '../kernel/context.ts'
import { badRequest } from '../kernel/errors.ts'
import { line, maxCharacters, text } from '../kernel/fields.ts'
import type { StreamGroupView } from '../shapes/stream.ts'
import { accessStreamByName } from './access.ts'
import { streamGroupsOf } from './default-stream-groups.ts'
import { defaultStreamIds } from './default-streams.ts'

const MAX_GROUPS = 1000

const MAX_NAME_LENGTH = 60

const MAX_DESCRIPTION_LENGTH = 1024

export const groupName = v.pipe(
  line,
  v.nonEmpty("Default channel group name can't be empty!"),
  maxCharacters(MAX_NAME_LENGTH, `Default channel group name too long (limit: ${MAX_NAME_LENGTH} characters)`),
)

export const groupDescription = v.pipe(text, maxCharacters(MAX_DESCRIPTION_LENGTH))

export async function accessStreamGroup(tx: Tx, id: number): Promise<StreamGroupView> {
  const group = (await streamGroupsOf(tx.db)).find((one) => one.id === id)
  if (!group) throw badRequest(`Default channel group with id '${id}' does not exist.`)
  return group
}

export async function requireFreeName(tx: Tx, name: string): Promise<void> {
  const groups = await streamGroupsOf(tx.db)
  if (groups.some((group) => group.name === name)) throw badRequest(`Default channel group '${name}' already exists`)
  if (groups.length >= MAX_GROUPS) throw badRequest(`There may be at most ${MAX_GROUPS} default channel groups.`)
}

/** Ids of streams that may be in a group: public ones, which are no default streams. */
export async function streamsFor(tx: Tx, names: readonly string[], group: string): Promise<number[]> {
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
