import { newId, type OutboxEntry, type OutboxStorage } from '../../../src/client/index.ts'
import { ask } from './browser-database.ts'

type Entries = readonly OutboxEntry[]

/** This tab's own entry. */
const own = newId()
const lockOf = (tab: string) => `outbox ${tab}`

let kept: Entries = []
/** The outbox of the newest session, which sends what other tabs leave. */
let taker: ((left: Entries) => void) | undefined

/**
 * Stores the outbox in the browser's database, so that the next tab sends the messages of a closed one. Each tab has
 * its own entry, which another tab takes over only after the tab is gone. No message is lost because two tabs write,
 * or sent by both.
 */
export const outboxStorage: OutboxStorage = {
  load: takeLeft,
  save,
  onLeft(take) {
    if (!taker) begin()
    taker = take
  },
}

function begin(): void {
  // An entry whose lock is free belongs to a closed tab.
  void globalThis.navigator?.locks?.request(lockOf(own), () => new Promise(() => {}))
  // Users who close a tab return to another.
  globalThis.document?.addEventListener('visibilitychange', () => {
    if (document.visibilityState === 'visible') takeLeft().then(giveBack, () => {})
  })
}

async function save(entries: Entries): Promise<void> {
  kept = entries
  if (entries.length > 0) await ask('outbox', 'readwrite', (store) => store.put([...entries], own))
  else await ask('outbox', 'readwrite', (store) => store.delete(own))
}

/** Takes over the entries of closed tabs. The outbox gets the others' entries when they close. */
async function takeLeft(): Promise<Entries> {
  const taken: OutboxEntry[] = []
  for (const tab of await ask('outbox', 'readonly', (store) => store.getAllKeys())) {
    if (tab === own) continue
    const name = String(tab)
    // Pages over plain HTTP have no locks, so any tab may be closed.
    if (!navigator.locks) taken.push(...(await moveHere(name)))
    else {
      const isGone = await navigator.locks.request(lockOf(name), { ifAvailable: true }, async (lock) => {
        if (lock) taken.push(...(await moveHere(name)))
        return lock !== null
      })
      if (!isGone) waitFor(name)
    }
  }
  return taken
}

const awaited = new Set<string>()

/** A tab that is closing or reloading still has its lock for a moment. */
function waitFor(tab: string): void {
  if (awaited.has(tab)) return
  awaited.add(tab)
  void navigator.locks.request(lockOf(tab), async () => giveBack(await moveHere(tab))).catch(() => {})
}

async function moveHere(tab: string): Promise<Entries> {
  const left: Entries = (await ask('outbox', 'readonly', (store) => store.get(tab))) ?? []
  // For a moment in both places instead of in none.
  await save([...left, ...kept])
  await ask('outbox', 'readwrite', (store) => store.delete(tab))
  return left
}

/** Gives entries of another tab or an earlier session to the session's outbox. */
export function giveBack(entries: Entries): void {
  if (entries.length > 0) taker?.(entries)
}
