// A bot in the process of the server: it answers users who mention it. `npx tsx examples/bot.ts`
import { actAs, createUser, sendMessage, subscribe, subscribeToEvents } from 'chat-server'
import { createChatServer } from 'chat-server/http'
import { openDemo, port } from './open-demo.ts'

const { chat, owner } = await openDemo()
const { user_id } = await createUser(owner, { email: 'echo@example.com', full_name: 'Echo', password: 'correct horse' })
const echo = await actAs(chat, { user_id }, { client: 'echo-bot' })
await subscribe(echo, { subscriptions: [{ name: 'general' }] })

const server = await createChatServer({ chat, port })
console.log(`listening on ${server.url}`)

for await (const event of subscribeToEvents(echo, { types: ['message'], apply_markdown: false })) {
  if (event.type !== 'message') continue
  const { message, flags } = event
  if (message.sender_id === user_id || !flags.includes('mentioned')) continue
  const content = `> ${message.content}`
  if (message.type === 'stream') {
    await sendMessage(echo, { type: 'stream', to: message.stream_id, topic: message.subject, content })
  } else {
    await sendMessage(echo, { type: 'private', to: [message.sender_id], content })
  }
}
