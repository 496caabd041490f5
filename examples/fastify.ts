// A chat inside a Fastify application. `npx tsx examples/fastify.ts`
import { createApp, nodeListener } from 'chat-server/http'
import fastify from 'fastify'
import { openDemo, port } from './open-demo.ts'

const { chat } = await openDemo()
const chatListener = nodeListener(createApp({ chat }))
const site = fastify()

site.get('/', async () => 'My own page')
await site.register(async (scope) => {
  // The chat reads bodies itself, in this scope only.
  scope.removeAllContentTypeParsers()
  scope.addContentTypeParser('*', (_request, _payload, done) => done(null))
  scope.all('/*', (request, reply) => {
    reply.hijack()
    chatListener(request.raw, reply.raw)
  })
})

console.log(`listening on ${await site.listen({ port, host: '127.0.0.1' })}`)
