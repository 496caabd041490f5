import * as v from 'valibot'
import { action } from '../kernel/action.ts'
import { MAX_WELCOME_TEXT_LENGTH } from '../kernel/base/limits.ts'
import { onBehalfOf, type SystemTx } from '../kernel/context.ts'
import { described, maxCharacters, text } from '../kernel/fields.ts'
import type { User } from '../kernel/user.ts'
import { sendDirect } from '../messages/send/post-message.ts'
import { settingsOf } from '../settings/organization.ts'
import { id } from '../shapes/values.ts'
import { welcomeBot } from '../users/system-bot.ts'

export const welcomeText = v.pipe(text, maxCharacters(MAX_WELCOME_TEXT_LENGTH))

/**
 * Sends people who join with an invitation the text that the organization adds to its welcome.
 *
 * @param own the invitation's text: empty for none, null for the organization's
 */
export async function sayWelcomeText(tx: SystemTx, user: User, own: string | null): Promise<void> {
  const content = own ?? (await settingsOf(tx)).welcome_message_custom_text
  if (content.trim() !== '') await say(tx, user, content)
}

const say = async (tx: SystemTx, user: User, content: string): Promise<number> =>
  sendDirect(onBehalfOf(tx, await welcomeBot.get(tx)), [user], content)

/**
 * POST /realm/test_welcome_bot_custom_message: sends the caller the text as new members would get it.
 *
 * @throws UNAUTHORIZED_PRINCIPAL unless the caller is an administrator
 * @throws BAD_REQUEST for an empty text, and one that is too long
 * @example
 * const { message_id } = await testWelcomeText(admin, { welcome_message_custom_text: 'Read the **handbook** first.' })
 */
export const testWelcomeText = action(
  {
    name: 'testWelcomeText',
    summary: 'Send yourself the custom welcome message',
    params: v.object({
      welcome_message_custom_text: described(
        v.pipe(
          welcomeText,
          v.check((content) => content.trim() !== '', 'Message must not be empty'),
        ),
        'The text, in Markdown, at most 8,000 characters.',
      ),
    }),
    result: v.strictObject({ message_id: id }),
    role: 'administrator',
  },
  (caller, { welcome_message_custom_text: content }) =>
    caller.write(async (tx) => ({ message_id: await say(tx, tx.user, content) })),
)
