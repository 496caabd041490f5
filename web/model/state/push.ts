import type { Client } from '../../../src/client/index.ts'
import { pageTexts } from '../../texts/page-texts.ts'

/** Whether this browser can be notified while no page is open in it. */
export const canPush = (): boolean => 'serviceWorker' in navigator && 'PushManager' in globalThis

/** Returns whether this browser's notifications are on for this account. */
export async function isPushOn(client: Client): Promise<boolean> {
  const subscription = await current()
  if (!subscription) return false
  const { subscriptions } = await client.listWebPushSubscriptions()
  return subscriptions.some(({ endpoint }) => endpoint === subscription.endpoint)
}

/**
 * Asks for permission, gets the push service's address, and sends it to the server. Throws an Error that says why not.
 */
export async function switchPushOn(client: Client): Promise<void> {
  if ((await Notification.requestPermission()) !== 'granted') {
    throw new Error(pageTexts.push.blocked)
  }
  const { server_key } = await client.listWebPushSubscriptions()
  const subscription = await subscribe(server_key)
  const { p256dh = '', auth = '' } = subscription.toJSON().keys ?? {}
  await client.addWebPushSubscription({ endpoint: subscription.endpoint, p256dh, auth })
}

async function subscribe(applicationServerKey: string): Promise<PushSubscription> {
  const { pushManager } = await navigator.serviceWorker.ready
  try {
    return await pushManager.subscribe({ userVisibleOnly: true, applicationServerKey })
  } catch (error) {
    // Removes a subscription with another key, such as of a reinstalled server.
    await (await pushManager.getSubscription())?.unsubscribe()
    return pushManager
      .subscribe({ userVisibleOnly: true, applicationServerKey })
      .catch(() => Promise.reject(new Error(pageTexts.push.unreachable(String(error)))))
  }
}

export async function switchPushOff(client: Client): Promise<void> {
  const subscription = await current()
  if (!subscription) return
  await subscription.unsubscribe()
  await client.removeWebPushSubscription({ endpoint: subscription.endpoint })
}

async function current(): Promise<PushSubscription | null> {
  if (!canPush()) return null
  const registration = await navigator.serviceWorker.getRegistration()
  return registration?.pushManager.getSubscription() ?? null
}
