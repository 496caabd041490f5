// A chat inside an Express application. `npx tsx examples/express.ts`
import type { AddressInfo } from 'node:net'
import { createApp, nodeListener } from 'chat-server/http'
import express from 'express'
import { openDemo, port } from './open-demo.ts'

const { chat } = await openDemo()
const site = express()

site.get('/', (_request, response) => void response.send('My own page'))
// Last, for it answers whatever has come this far; and before express.json() and the like, for it reads bodies itself.
site.use(nodeListener(createApp({ chat })))

const server = site.listen(port, '127.0.0.1', () => {
  console.log(`listening on http://127.0.0.1:${(server.address() as AddressInfo).port}`)
})
