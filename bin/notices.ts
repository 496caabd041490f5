import { imagesProblem } from '../src/core/files/images/sharp.ts'
import type { Chat } from '../src/core/kernel/chat.ts'
import { contextOf, organizationIsOpen } from '../src/core/kernel/context.ts'

/** Returns what operators should know about a server that works with limitations. */
export async function noticesOf(chat: Chat): Promise<string[]> {
  const images = imagesProblem()
  const isOpen = await organizationIsOpen.get(contextOf(chat))
  return [
    ...(images === undefined ? [] : [images]),
    ...(isOpen
      ? []
      : [
          'the organization is deactivated, so all requests are rejected; to reopen it, run "chat-server org reactivate"',
        ]),
  ]
}
