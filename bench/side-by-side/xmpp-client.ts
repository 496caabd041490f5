import { connect, type Socket } from 'node:net'

/** As much of XMPP as a benchmark needs: sign in anonymously, join a room, send to it, count what arrives. */
export interface Member {
  send(body: string): void
  close(): void
}

interface Place {
  port: number
  /** The domain of the server. */
  host: string
  /** The room's address. */
  room: string
}

/** Joins a room. `onMessage` is called for each message there. */
export async function join({ port, host, room }: Place, nick: string, onMessage: () => void): Promise<Member> {
  const socket = await open(port)
  let buffer = ''
  let expected: { pattern: RegExp; resolve: () => void } | undefined
  const until = (pattern: RegExp) =>
    new Promise<void>((resolve) => {
      expected = { pattern, resolve }
      look()
    })
  function look(): void {
    if (!expected) return
    const found = expected.pattern.exec(buffer)
    if (!found) return
    buffer = buffer.slice(found.index + found[0].length)
    const { resolve } = expected
    expected = undefined
    resolve()
  }
  let joined = false
  socket.setEncoding('utf8').on('data', (chunk: string) => {
    buffer += chunk
    if (!joined) return look()
    const messages = /<body[^>]*>([^<]*)<\/body>.*?<\/message>/gs
    let end = 0
    for (let found = messages.exec(buffer); found; found = messages.exec(buffer)) {
      end = messages.lastIndex
      onMessage()
    }
    buffer = buffer.slice(end)
  })
  const header = `<?xml version='1.0'?><stream:stream to='${host}' version='1.0' xmlns='jabber:client' xmlns:stream='http://etherx.jabber.org/streams'>`
  socket.write(header)
  await until(/<\/stream:features>/)
  socket.write("<auth xmlns='urn:ietf:params:xml:ns:xmpp-sasl' mechanism='ANONYMOUS'/>")
  await until(/<success[^>]*>/)
  socket.write(header)
  await until(/<\/stream:features>/)
  socket.write("<iq type='set' id='bind'><bind xmlns='urn:ietf:params:xml:ns:xmpp-bind'/></iq>")
  await until(/<iq[^>]*type=['"]result['"].*?<\/iq>/s)
  socket.write(
    `<presence to='${room}/${nick}'><x xmlns='http://jabber.org/protocol/muc'><history maxstanzas='0'/></x></presence>`,
  )
  // Status 110 marks our own presence, which ends the join. The subject follows.
  await until(/code=['"]110['"]/)
  await until(/<subject.*?<\/message>/s)
  joined = true
  return {
    send: (body) => void socket.write(`<message to='${room}' type='groupchat'><body>${body}</body></message>`),
    close: () => void socket.end('</stream:stream>'),
  }
}

const open = (port: number): Promise<Socket> =>
  new Promise((resolve, reject) => {
    const socket = connect(port, '127.0.0.1', () => resolve(socket.setNoDelay(true)))
    socket.once('error', reject)
  })
