import assert from 'node:assert/strict'
import type { ChatEvent } from '../core/events/types/table.ts'
import { listAttachments } from '../core/files/attachments.ts'
import type { Caller } from '../core/kernel/context.ts'
import type { AttachmentView } from '../core/shapes/attachment.ts'

/** A client's list of the user's files, which no part of register's answer is: kept up to date by events. */
export interface AttachmentList {
  apply(event: ChatEvent): void
  /** Throws unless the list is what GET /attachments answers. */
  verify(caller: Caller, message?: string): Promise<void>
}

export async function attachmentListOf(caller: Caller): Promise<AttachmentList> {
  const load = async (who: Caller) => (await listAttachments(who)).attachments
  const known = new Map<number, AttachmentView>((await load(caller)).map((one) => [one.id, one]))
  return {
    apply(event) {
      if (event.type !== 'attachment') return
      if (event.op === 'remove') known.delete(event.attachment.id)
      else known.set(event.attachment.id, event.attachment)
    },
    async verify(who, message) {
      const byId = [...known.values()].sort((a, b) => a.id - b.id)
      assert.deepEqual(byId, await load(who), message && `${message}: attachments`)
    },
  }
}
