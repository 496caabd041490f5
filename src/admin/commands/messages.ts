import * as v from 'valibot'
import { systemCaller } from '../../core/accounts/create-organization.ts'
import { restoreSlice } from '../../core/messages/retention/archive.ts'
import { accessStreamByName } from '../../core/streams/access.ts'
import { command, recordCommand } from './command.ts'

/** Restores messages that the retention policy deleted in the last 30 days, in one stream or all streams. */
export const undelete = command(v.object({ stream: v.optional(v.string()) }), async (chat, { stream }) => {
  const caller = await systemCaller(chat)
  const stream_id = stream === undefined ? undefined : (await accessStreamByName(caller, stream)).id
  let restored = 0
  for (let count = -1; count !== 0; restored += count) count = await caller.write((tx) => restoreSlice(tx, stream_id))
  await recordCommand(chat, 'undelete', 'message', { restored, ...(stream_id !== undefined && { stream_id }) })
  return { restored }
})
