// A chat inside a Hono application, from web-standard request to response. `npx tsx examples/hono.ts`
import { serve } from '@hono/node-server'
import { createApp } from 'chat-server/http'
import { Hono } from 'hono'
import { openDemo, port } from './open-demo.ts'

const { chat } = await openDemo()
const app = createApp({ chat })
const site = new Hono()

site.get('/', (c) => c.text('My own page'))
site.all('*', (c) => app.fetch(c.req.raw))

// Without overrideGlobalObjects: false it replaces the global Response, and then knows no response made before as one.
serve({ fetch: site.fetch, port, hostname: '127.0.0.1', overrideGlobalObjects: false }, (address) => {
  console.log(`listening on http://127.0.0.1:${address.port}`)
})
