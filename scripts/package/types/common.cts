// A CommonJS project: the package is an ES module, which Node's require can read.
import { actAs, type ChatEvent, createOrganization, getMessages, openChat, sendMessage } from 'chat-server'
import { createChatServer } from 'chat-server/http'

const subjectOf = (event: ChatEvent): string =>
  event.type === 'message' && event.message.type === 'stream' ? event.message.subject : ''

async function main(): Promise<void> {
  await using chat = await openChat()
  const { email } = await createOrganization(chat, { org: 'Types', owner_email: 'o@example.com', owner_name: 'Owner' })
  const caller = await actAs(chat, { email })
  const { id } = await sendMessage(caller, { type: 'stream', to: 'general', topic: 'types', content: 'hello' })
  const { messages } = await getMessages(caller, { message_ids: [id] })
  await using server = await createChatServer({ chat, port: 0 })
  const { status } = await server.fetch('/api/v1/server_settings')
  console.log(messages[0]?.type, status, typeof subjectOf)
}
void main()
