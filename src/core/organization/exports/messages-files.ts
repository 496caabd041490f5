import { pacer } from '../../kernel/slices.ts'
import type { Archive } from './archive.ts'
import { messages } from './tables/messages.ts'
import type { Row, Source } from './tables/source.ts'

/** A file of messages ends at whichever comes first. */
const MAX_MESSAGES = 1000
const MAX_CHARACTERS = 1_000_000

/** Counts of the rows of a file, by table. */
export type Counts = Record<string, number>

/**
 * Writes `messages-000001.json` and so on. Returns what each has, and the messages of each file of theirs: ids, of which
 * there are no more than references to files.
 */
export async function writeMessages(
  source: Source,
  archive: Archive,
): Promise<{ counts: Map<string, Counts>; references: Map<number, number[]> }> {
  const counts = new Map<string, Counts>()
  const references = new Map<number, number[]>()
  let sent: string[] = []
  let receipts: string[] = []
  let characters = 0

  async function flush(): Promise<void> {
    if (sent.length === 0) return
    const name = `messages-${String(counts.size + 1).padStart(6, '0')}`
    counts.set(name, { zerver_message: sent.length, zerver_usermessage: receipts.length })
    const text = `{"zerver_message":[${sent.join(',\n')}],\n"zerver_usermessage":[${receipts.join(',\n')}]}\n`
    sent = []
    receipts = []
    characters = 0
    await archive.addText(`${name}.json`, text)
  }
  const put = (list: string[], row: Row) => {
    const json = JSON.stringify(row)
    list.push(json)
    characters += json.length
  }

  const turn = pacer(source.reader)
  for await (const page of messages(source)) {
    for (const { message, received, file_ids } of page) {
      await turn()
      put(sent, message)
      for (const row of received()) put(receipts, row)
      for (const file_id of file_ids) {
        const known = references.get(file_id)
        if (known) known.push(message.id as number)
        else references.set(file_id, [message.id as number])
      }
      if (sent.length >= MAX_MESSAGES || characters >= MAX_CHARACTERS) await flush()
    }
  }
  await flush()
  return { counts, references }
}
