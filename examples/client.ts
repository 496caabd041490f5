// A program elsewhere that follows a chat by the typed client: it prints what is said. `npx tsx examples/client.ts`
import { createUser } from 'chat-server'
import { createClient, live, messageStore, outbox } from 'chat-server/client'
import { createChatServer } from 'chat-server/http'
import { openDemo, port } from './open-demo.ts'

const { chat, owner } = await openDemo()
const [email, password] = ['ann@example.com', 'correct horse']
await createUser(owner, { email, full_name: 'Ann', password })
const { url } = await createChatServer({ chat, port })
console.log(`listening on ${url}`)

const { api_key: key } = await createClient({ url }).fetchApiKey({ username: email, password })
const client = createClient({ url, credentials: { email, key } })
const session = live(client)
const messages = messageStore(client, session)
const outgoing = outbox(client, session)
const { full_name } = await session.ready()

const general = messages.feed([{ operator: 'channel', operand: 'general' }])
const { span } = await general.load({ anchor: 'newest', before: 10, after: 0 })
for (const id of span.ids) console.log(messages.get(id)!.content)
messages.onChange(({ messages: changed }) => {
  for (const id of changed) console.log(messages.get(id)?.content ?? `${id} is gone`)
})
outgoing.send({ type: 'stream', to: 'general', topic: 'hello', content: `${full_name} is here` })
