import { imagesProblem } from '../src/core/files/images/sharp.ts'
import type { Chat } from '../src/core/kernel/chat.ts'
import { contextOf, organizationIsOpen } from '../src/core/kernel/context.ts'

/** What an operator should know of a server that has started: it serves, and does less than it might. */
export async function noticesOf(chat: Chat): Promise<string[]> {
  const images = imagesProblem()
  const isOpen = await organizationIsOpen.get(contextOf(chat))
  return [
    ...(images === undefined ? [] : [images]),
    ...(isOpen ? [] : ['the organization is deactivated: all are refused; chat-server org reactivate opens it again']),
  ]
}
