import type { Caller } from '../context.ts'
import { notPermitted } from '../errors.ts'
import { allows } from '../access/permissions.ts'
import { isAdministrator } from '../roles.ts'
import { accessStream, type SeenStream } from './access.ts'
import { streamSetting } from './settings.ts'

/** A stream that the caller may change. */
export async function accessManagedStream(caller: Caller, stream_id: number): Promise<SeenStream> {
  const stream = await accessStream(caller, stream_id)
  if (isAdministrator(caller.user)) return stream
  if (await allows(caller, streamSetting(stream.settings, 'can_administer_channel_group'))) return stream
  throw notPermitted('You do not have permission to administer this channel.')
}
