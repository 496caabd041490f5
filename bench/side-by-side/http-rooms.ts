import { connect, type Socket } from 'node:net'
import { type Waiter, waiter } from '../waiters.ts'
import { type Arrivals, arrivals, type Room } from './room.ts'

/** The server of a room: `waits` has a poll for each member, in which `AFTER` is the last event ID. */
interface Place {
  port: number
  waits: readonly string[]
  sends: string
}

const countOf = (text: string, part: string): number => text.split(part).length - 1

/**
 * Members that poll. Each polls again as soon as it has an answer, while the others still receive theirs and the next
 * message is already on its way.
 *
 * @param onAnswer - called with each answer that has a message
 */
export async function pollingRoom({ port, waits, sends }: Place, onAnswer?: (body: string) => void): Promise<Room> {
  const arrived = arrivals(waits.length)
  const members: Waiter[] = []
  for (const request of waits) {
    const member: Waiter = await waiter(port, (body) => {
      const messages = countOf(body, '"type":"message"')
      member.ask(request.replace('AFTER', /"id":(\d+)\}\],"queue_id"/.exec(body)?.[1] ?? ''))
      if (messages > 0) onAnswer?.(body)
      arrived.add(messages)
    })
    member.ask(request.replace('AFTER', '-1'))
    members.push(member)
  }
  return roomOf(members, () => senderOf(port, sends), arrived)
}

/** Members that listen to server-sent events. */
export async function streamingRoom({ port, waits, sends }: Place): Promise<Room> {
  const arrived = arrivals(waits.length)
  const members: Socket[] = []
  for (const request of waits) members.push(await listen(port, streamOf(request), arrived.add))
  return roomOf(
    members.map((socket) => ({ close: () => void socket.destroy() })),
    () => senderOf(port, sends),
    arrived,
  )
}

const streamOf = (request: string): string => request.replace('/events?', '/events/stream?').replace('AFTER', '-1')

/** Resolves when the stream has begun. */
function listen(port: number, request: string, arrived: (messages: number) => void): Promise<Socket> {
  return new Promise((resolve, reject) => {
    const socket = connect(port, '127.0.0.1', () => void socket.setNoDelay(true).write(request))
    let buffer = ''
    let begun = false
    socket.once('error', reject)
    socket.setEncoding('latin1').on('data', (chunk: string) => {
      buffer += chunk
      const end = buffer.lastIndexOf('\n\n')
      if (end < 0) return
      const blocks = buffer.slice(0, end)
      buffer = buffer.slice(end)
      if (!begun && !blocks.startsWith('HTTP/1.1 200')) reject(new Error(`answered ${blocks}`))
      begun = true
      resolve(socket)
      arrived(countOf(blocks, 'event: message\n'))
    })
  })
}

interface Sender {
  /** Resolves when the send is answered. */
  send(): Promise<void>
  close(): void
}

async function senderOf(port: number, request: string): Promise<Sender> {
  let answered = () => {}
  const sender = await waiter(port, () => answered())
  return {
    send() {
      const answer = new Promise<void>((resolve) => {
        answered = resolve
      })
      sender.ask(request)
      return answer
    },
    close: sender.close,
  }
}

function roomOf(members: readonly { close(): void }[], connect: () => Promise<Sender>, arrived: Arrivals): Room {
  let sender: Sender | undefined
  function rest(): void {
    sender?.close()
    sender = undefined
  }
  return {
    async round() {
      sender ??= await connect()
      const { send } = sender
      let answer: Promise<void> | undefined
      await arrived.after(() => {
        answer = send()
      })
      await answer
    },
    rest,
    close() {
      rest()
      for (const member of members) member.close()
    },
  }
}
