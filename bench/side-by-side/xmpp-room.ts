import { arrivals, type Room } from './room.ts'
import { join, type Member } from './xmpp-client.ts'

/** A room whose members count messages. The first member sends. */
export async function xmppRoom(port: number, size: number, content: string): Promise<Room> {
  const arrived = arrivals(size)
  const place = { port, host: 'localhost', room: 'bench@rooms.localhost' }
  const members: Member[] = []
  for (let i = 0; i < size; i++) members.push(await join(place, `member${i}`, () => arrived.add(1)))
  return {
    round: () => arrived.after(() => members[0]!.send(content)),
    rest() {},
    close() {
      for (const member of members) member.close()
    },
  }
}
