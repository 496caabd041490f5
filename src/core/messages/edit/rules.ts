import type { Message } from '../../access/messages.ts'
import type { Caller } from '../../kernel/context.ts'
import { badRequest } from '../../kernel/errors.ts'
import { settingsOf } from '../../settings/organization.ts'
import { isOlder } from '../move/rules.ts'

/** Throws unless the caller may change the message's content. */
export async function requireContentEdit(caller: Caller, message: Message): Promise<void> {
  const settings = await settingsOf(caller)
  if (!settings.allow_message_editing) throw badRequest('Your organization has turned off message editing')
  if (message.sender_id !== caller.user.id) throw badRequest("You don't have permission to edit this message")
  if (isOlder(caller, message, settings.message_content_edit_limit_seconds)) {
    throw badRequest('The time limit for editing this message has passed')
  }
  const widget = await caller.db
    .selectFrom('submessage')
    .select('id')
    .where('message_id', '=', message.id)
    .executeTakeFirst()
  if (widget) throw badRequest('Widgets cannot be edited.')
}
