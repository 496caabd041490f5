/** A sender and the members that receive its messages, of one server. */
export interface Room {
  /** Sends one message. Resolves when every member has it. */
  round(): Promise<void>
  /** Call it after a turn. A connection without requests would be closed before the next one. */
  rest(): void
  close(): void
}

/** Counts what the members of a room receive. One message is in flight at a time. */
export interface Arrivals {
  /** Call it for each answer, with the number of messages in it. */
  add(messages: number): void
  /** Sends one message. Resolves when every member has it. */
  after(send: () => void): Promise<void>
}

export function arrivals(members: number): Arrivals {
  let missing = 0
  let done = () => {}
  return {
    add(messages) {
      missing -= messages
      if (messages > 0 && missing === 0) done()
    },
    after(send) {
      missing += members
      const all = new Promise<void>((resolve) => {
        done = resolve
      })
      send()
      return all
    },
  }
}

/** Sends messages one after another for so many seconds. Returns how many. */
export async function sendFor(seconds: number, room: Room): Promise<{ messages: number; seconds: number }> {
  const began = performance.now()
  let messages = 0
  for (; performance.now() - began < seconds * 1000; messages++) await room.round()
  const lasted = (performance.now() - began) / 1000
  room.rest()
  return { messages, seconds: lasted }
}
