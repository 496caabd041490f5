import { newId, type OutboxEntry, type OutboxStorage } from '../../../src/client/index.ts'
import { ask } from './browser-database.ts'

type Entries = readonly OutboxEntry[]

/** This page's own place among those of the tabs. */
const own = newId()
const lockOf = (tab: string) => `outbox ${tab}`

let kept: Entries = []
/** Who sends what other tabs leave: the outbox of the session that began last. */
let taker: ((left: Entries) => void) | undefined

/**
 * The outbox in the browser's database, so that what was sent as a tab closed is sent by the next one. Each tab keeps its
 * messages in a place of its own, which another takes over only when the tab is gone: none is lost because two write, and
 * none is sent by both.
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
  // A place whose lock is free is one that its tab has left.
  void globalThis.navigator?.locks?.request(lockOf(own), () => new Promise(() => {}))
  // Who closes a tab comes to another.
  globalThis.document?.addEventListener('visibilitychange', () => {
    if (document.visibilityState === 'visible') takeLeft().then(giveBack, () => {})
  })
}

async function save(entries: Entries): Promise<void> {
  kept = entries
  if (entries.length > 0) await ask('outbox', 'readwrite', (store) => store.put([...entries], own))
  else await ask('outbox', 'readwrite', (store) => store.delete(own))
}

/** Takes over what tabs have left that are gone; what the others leave goes to the outbox when they go. */
async function takeLeft(): Promise<Entries> {
  const taken: OutboxEntry[] = []
  for (const tab of await ask('outbox', 'readonly', (store) => store.getAllKeys())) {
    if (tab === own) continue
    const name = String(tab)
    // Pages that came over plain HTTP have no locks: there each tab may be gone.
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

/** A tab that is just being closed or loaded again still has its lock for a moment. */
function waitFor(tab: string): void {
  if (awaited.has(tab)) return
  awaited.add(tab)
  void navigator.locks.request(lockOf(tab), async () => giveBack(await moveHere(tab))).catch(() => {})
}

async function moveHere(tab: string): Promise<Entries> {
  const left: Entries = (await ask('outbox', 'readonly', (store) => store.get(tab))) ?? []
  // In both places for a moment, rather than in none.
  await save([...left, ...kept])
  await ask('outbox', 'readwrite', (store) => store.delete(tab))
  return left
}

/** Has the outbox of the session take entries of another tab, or of an earlier session. */
export function giveBack(entries: Entries): void {
  if (entries.length > 0) taker?.(entries)
}
