import * as v from 'valibot'
import { action } from '../../kernel/action.ts'
import { described, text } from '../../kernel/fields.ts'
import { servedHtml } from '../../kernel/public-url.ts'
import { prepare } from './prepare.ts'

/**
 * POST /messages/render: renders a message without sending it.
 *
 * @throws BAD_REQUEST if the message is empty or longer than 10,000 bytes
 */
export const renderMessage = action(
  {
    name: 'renderMessage',
    summary: 'Render a message',
    params: v.object({ content: described(text, 'The text, in Markdown.') }),
    result: v.strictObject({ rendered: v.string() }),
  },
  async (caller, { content }) => ({
    rendered: servedHtml(caller.chat, (await prepare(caller, content)).rendered.html),
  }),
)
