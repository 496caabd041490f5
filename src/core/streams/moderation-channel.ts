import type { Tx } from '../kernel/context.ts'
import { badRequest } from '../kernel/errors.ts'
import { settingsOf } from '../settings/organization.ts'
import type { Stream } from './access.ts'

/** Throws unless the stream is private, because the reports posted there quote messages that others may not read. */
export function requirePrivate(stream: Pick<Stream, 'invite_only'>): void {
  if (stream.invite_only === 0) throw badRequest('Moderation request channel must be private.')
}

/** Throws if a private stream is to be public although reports are posted there. */
export async function keepReportsPrivate(tx: Tx, before: Stream, after: Stream): Promise<void> {
  if (before.invite_only === 0 || (await settingsOf(tx)).moderation_request_channel_id !== before.id) return
  requirePrivate(after)
}
