declare const self: ServiceWorkerGlobalScope

/** What the server sends; src/core/web-push makes it. */
interface Notice {
  title: string
  body: string
  /** That of the note that an open page shows of the same message: the two are shown once. */
  tag: string
  address: string
}

/** Shows a notice of the server, unless somebody is looking at the page. */
export async function showNotice(data: PushMessageData | null): Promise<void> {
  const notice = data?.json() as Notice | undefined
  if (!notice || (await pages()).some(({ focused }) => focused)) return
  const { title, body, tag, address } = notice
  await self.registration.showNotification(title, { body, tag, icon: '/icon-192.png', data: address })
}

/** Opens the message in the page there is, or in a new one. */
export async function openNotice(notification: Notification): Promise<void> {
  notification.close()
  const address = String(notification.data)
  const [page] = await pages()
  if (!page) return void (await self.clients.openWindow(address))
  page.postMessage({ go: address.replace(/^[^#]*/, '') })
  await page.focus()
}

const pages = () => self.clients.matchAll({ type: 'window', includeUncontrolled: true })
