import { PAGE } from './files.ts'

declare const self: ServiceWorkerGlobalScope

/** Payloads from the server (src/core/push) and from open pages. */
export interface Notice {
  title: string
  body: string
  /** The id of the message. */
  tag: string
  address: string
  icon?: string
}

/** The data of a displayed notification. */
interface Shown {
  id: number
  address: string
  /** The number of messages it stands for. */
  count: number
}

const shownOf = (note: Notification): Shown => note.data

let last: Promise<unknown> = Promise.resolve()

/**
 * Shows a notification, unless the page is visible. They run one at a time, because each checks the notifications shown
 * so far.
 */
export function showNotice(notice: Notice | undefined): Promise<unknown> {
  if (!notice) return Promise.resolve()
  last = last.catch(() => {}).then(() => show(notice))
  return last
}

/** A conversation has one note, of its newest message; each tab and the push service may bring the same message. */
async function show({ title, body, tag, address, icon = 'icon-192.png' }: Notice): Promise<void> {
  const id = Number(tag)
  const conversation = address.replace(/\/near\/\d+$/, '')
  const notes = await self.registration.getNotifications()
  const before = notes.find((note) => note.tag === conversation)
  // Messages arrive in order, so a message that isn't newer than the notification came from another tab.
  const isShown = notes.some((note) => shownOf(note).id === id) || (before && shownOf(before).id >= id)
  if (isShown || (await pages()).some(({ focused }) => focused)) return
  const count = before ? shownOf(before).count + 1 : 1
  const data: Shown = { id, address, count }
  const options = { body, icon, data, tag: conversation, renotify: before !== undefined }
  await self.registration.showNotification(count > 1 ? `${title} · ${count}` : title, options)
}

/** Disclosure the message in the page there is, or in a new one. */
export async function openNotice(note: Notification): Promise<void> {
  note.close()
  const { address } = shownOf(note)
  const [page] = await pages()
  if (!page) return void (await self.clients.openWindow(address))
  page.postMessage({ go: address.replace(/^[^#]*/, '') })
  await page.focus()
}

/** Windows of the page, but not of an opened file. */
const pages = async () => {
  const windows = await self.clients.matchAll({ type: 'window', includeUncontrolled: true })
  return windows.filter(({ url }) => new URL(url).pathname === PAGE)
}
