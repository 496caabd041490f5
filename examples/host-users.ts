// People sign in to your application, and are in its chat by that: no API key, no second password. API clients and bots
// still come with their keys. `npx tsx examples/host-users.ts`
import { randomUUID } from 'node:crypto'
import { createServer, type IncomingMessage, type ServerResponse } from 'node:http'
import type { AddressInfo } from 'node:net'
import { createUser, listUsers } from 'chat-server'
import { type Authenticate, createApp, nodeListener } from 'chat-server/http'
import { openDemo, port } from './open-demo.ts'

const { chat, owner } = await openDemo()

/** The application's own: who is signed in, by the cookie that says so. */
const sessions = new Map<string, { email: string; name: string }>()
const sessionOf = (cookies: string | null | undefined) =>
  sessions.get(/session=([\w-]+)/.exec(cookies ?? '')?.[1] ?? '')

/** The application knows who asks; where it does not, the request's API key decides. */
const authenticate: Authenticate = (request) => {
  const session = sessionOf(request.headers.get('cookie'))
  return session && { email: session.email }
}

/** A user who signs in to the host gets an account in the chat. Nobody knows its password. */
async function signIn(name: string): Promise<string> {
  const email = `${name.toLowerCase()}@example.com`
  const { members } = await listUsers(owner)
  if (!members.some((user) => user.email === email)) {
    await createUser(owner, { email, full_name: name, password: randomUUID() })
  }
  const session = randomUUID()
  sessions.set(session, { email, name })
  // SameSite: no other site's page can act with it.
  return `session=${session}; HttpOnly; SameSite=Lax; Path=/`
}

async function answer(request: IncomingMessage, response: ServerResponse): Promise<void> {
  const { pathname, searchParams } = new URL(request.url ?? '', 'http://localhost')
  if (pathname === '/sign-in') {
    response.setHeader('set-cookie', await signIn(searchParams.get('name') ?? 'Guest')).end('Signed in')
  } else if (pathname === '/') response.end(`Hello, ${sessionOf(request.headers.cookie)?.name ?? 'stranger'}`)
  else chatListener(request, response)
}

const chatListener = nodeListener(createApp({ chat, authenticate }))
const server = createServer((request, response) => void answer(request, response))
server.listen(port, '127.0.0.1', () => {
  console.log(`listening on http://127.0.0.1:${(server.address() as AddressInfo).port}`)
})
