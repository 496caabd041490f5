import type { ExportedMessage, MessagePage } from './tables/messages.ts'
import { textBytes } from './tables/text-bytes.ts'

/** A file of messages ends at whichever limit comes first. */
const MAX_MESSAGES = 1000
const MAX_CHARACTERS = 1_000_000

const SEPARATOR = ',\n'
const [BEGIN, MIDDLE, END] = ['{"zerver_message":[', '],\n"zerver_usermessage":[', ']}\n'].map((text) =>
  Buffer.from(text),
)

/** One of the archive's files of messages, while it is put together. It can be used again. */
export function messagesFile() {
  const sent = textBytes()
  const received = textBytes()
  let messages = 0
  let receipts = 0
  let characters = 0
  return {
    /** How many messages it has. */
    get messages() {
      return messages
    },
    /** How many rows of their recipients it has. */
    get receipts() {
      return receipts
    },
    add({ message, stored }: ExportedMessage, { addReceived }: MessagePage): void {
      const json = JSON.stringify(message)
      if (messages++ > 0) sent.put(SEPARATOR)
      sent.put(json)
      receipts += addReceived(stored, received)
      characters += json.length
    },
    isFull: () => messages >= MAX_MESSAGES || characters + charactersOf(received.length, receipts) >= MAX_CHARACTERS,
    pieces: (): Uint8Array[] => [BEGIN!, sent.bytes(), MIDDLE!, received.bytes(), END!],
    clear(): void {
      sent.clear()
      received.clear()
      messages = receipts = characters = 0
    },
  }
}

/** Rows of recipients are ASCII. The separators between them don't count. */
const charactersOf = (bytes: number, rows: number): number => bytes - SEPARATOR.length * Math.max(0, rows - 1)
