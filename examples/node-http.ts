// A chat inside a server of node:http. `npx tsx examples/node-http.ts`
import { createServer } from 'node:http'
import type { AddressInfo } from 'node:net'
import { createApp, nodeListener } from 'chat-server/http'
import { openDemo, port } from './open-demo.ts'

const { chat } = await openDemo()
const chatListener = nodeListener(createApp({ chat }))

const server = createServer((request, response) => {
  if (request.url === '/') response.end('My own page')
  else chatListener(request, response)
})
server.listen(port, '127.0.0.1', () => {
  console.log(`listening on http://127.0.0.1:${(server.address() as AddressInfo).port}`)
})
