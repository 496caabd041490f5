// cspell:ignore LHLO
import { once } from 'node:events'
import { connect } from 'node:net'
import { createInterface } from 'node:readline'

/** Connects to a mail server, line by line. */
export async function dialogue(port: number) {
  const socket = connect(port, '127.0.0.1')
  socket.on('error', () => {})
  await once(socket, 'connect')
  const lines = createInterface({ input: socket })[Symbol.asyncIterator]()
  /** Returns a reply; `closed` if the server has ended the connection. */
  const reply = async (): Promise<string> => {
    for (;;) {
      // A reset is an error.
      const { value, done } = await lines.next().catch(() => ({ done: true, value: '' }))
      if (done) return 'closed'
      // All lines of a reply but the last have a hyphen.
      if (!/^\d{3}-/.test(value)) return value
    }
  }
  const greeting = await reply()
  return {
    greeting,
    reply,
    write: (text: string) => void socket.write(text),
    /** Sends a line, and returns the reply. */
    async say(line: string): Promise<string> {
      socket.write(`${line}\r\n`)
      return reply()
    },
    /** Delivers an email by LMTP or SMTP. Returns the replies to its recipients and its content. */
    async deliver(to: readonly string[], raw: string, hello = 'LHLO client.example'): Promise<string[]> {
      await this.say(hello)
      await this.say('MAIL FROM:<sender@elsewhere.example>')
      const replies: string[] = []
      for (const address of to) replies.push(await this.say(`RCPT TO:<${address}>`))
      const accepted = replies.filter((each) => each.startsWith('250')).length
      if (accepted === 0) return replies
      await this.say('DATA')
      socket.write(`${raw.replace(/^\./gm, '..')}\r\n.\r\n`)
      const count = hello.startsWith('LHLO') ? accepted : 1
      for (let i = 0; i < count; i++) replies.push(await reply())
      return replies
    },
    [Symbol.dispose]: () => socket.destroy(),
  }
}
