import type { OutboxEntry, OutboxStorage } from '../../../src/client/index.ts'
import { ask } from './browser-database.ts'

const KEY = 'entries'

/** The outbox in the browser's database, so that what was sent as a tab closed is sent by the next one. */
export const outboxStorage = (): OutboxStorage => ({
  load: async () => ((await ask('outbox', 'readonly', (store) => store.get(KEY))) as OutboxEntry[] | undefined) ?? [],
  save: async (entries) => void (await ask('outbox', 'readwrite', (store) => store.put([...entries], KEY))),
})
