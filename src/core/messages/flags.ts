import * as v from 'valibot'
import { visibleIds } from '../access/messages.ts'
import { action } from '../kernel/action.ts'
import { chunked, uniqueSorted } from '../kernel/base/lists.ts'
import type { Caller, Tx } from '../kernel/context.ts'
import { badRequest, invalidMessage } from '../kernel/errors.ts'
import { described, ids, text } from '../kernel/fields.ts'
import { inSlices, isWriting, pacer } from '../kernel/slices.ts'
import { id } from '../shapes/values.ts'
import { accessForFlags, type Flagged, type FlagOp, type SettableFlag, setFlag, settable } from './set-flag.ts'

/** Flags that follow from a message's content or its sending; only the server sets them. */
const derived: readonly string[] = [
  'mentioned',
  'wildcard_mentioned',
  'stream_wildcard_mentioned',
  'topic_wildcard_mentioned',
  'has_alert_word',
  'historical',
]

export const flagOp = v.picklist(['add', 'remove'], "Invalid message flag operation: '{value}'")

/** Streams whose messages stayed read because the caller isn't subscribed to them. */
export const ignoredEntries = { ignored_because_not_subscribed_channels: v.exactOptional(v.array(id)) }

/**
 * POST /messages/flags: adds a personal flag to messages, or removes it.
 *
 * @throws BAD_REQUEST "Invalid message(s)", and for a flag that is unknown or only set by the server
 * @example
 * await updateFlags(caller, { messages: [message_id], op: 'add', flag: 'starred' })
 */
export const updateFlags = action(
  {
    name: 'updateFlags',
    summary: 'Update personal message flags',
    params: v.object({
      messages: described(ids, 'IDs of the messages.'),
      op: described(flagOp, 'What to do with the flag: add or remove.'),
      flag: described(text, 'The flag: read, starred or collapsed.'),
    }),
    result: v.strictObject({ messages: v.array(id), ...ignoredEntries }),
  },
  async (caller, { messages, op, flag }) => {
    const which = checkFlag(flag)
    const ids = uniqueSorted(messages)
    if (ids.length > FLAGS_SLICE && !isWriting(caller)) await requireAccess(caller, ids)
    const ignored: Flagged[] = []
    const change = async (tx: Tx, slice: readonly number[]) => {
      const accessed = await accessForFlags(tx, slice)
      if (accessed.length < slice.length) throw invalidMessage()
      return setFlag(tx, accessed, op, which)
    }
    await inSlices(caller, ids, FLAGS_SLICE, change, { done: (changed) => void ignored.push(...changed.ignored) })
    const left = new Set(ignored.map((message) => message.id))
    return { messages: messages.filter((id) => !left.has(id)), ...ignoredChannels(ignored, op, which) }
  },
)

/** Messages changed in one write; a request for no more is one commit. */
export const FLAGS_SLICE = 1000

/** A request that takes several writes is checked before the first of them. */
async function requireAccess(caller: Caller, ids: readonly number[]): Promise<void> {
  const turn = pacer(caller)
  for (const some of chunked(ids)) {
    if ((await visibleIds(caller, some)).length < some.length) throw invalidMessage()
    await turn()
  }
}

/** A flag that users can set. Throws on one that only the server sets, and on an unknown one. */
export function checkFlag(flag: string): SettableFlag {
  const found = settable.find((name) => name === flag)
  if (found) return found
  throw badRequest(derived.includes(flag) ? `Flag not editable: '${flag}'` : `Invalid flag: '${flag}'`)
}

/** Returns the skipped streams for the response. */
export const ignoredChannels = (ignored: readonly Flagged[], op: FlagOp, flag: SettableFlag) =>
  flag === 'read' && op === 'remove'
    ? { ignored_because_not_subscribed_channels: uniqueSorted(ignored.map((message) => message.conversation_id)) }
    : {}
