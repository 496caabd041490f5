/** A host without characters such as `*` and `;`, which have a meaning in a policy. */
const HOST = /^(?:[\w.-]+|\[[\da-f:.]+\])$/

const isOrigin = (text: string): boolean => {
  if (!URL.canParse(text)) return false
  const { protocol, hostname, origin } = new URL(text)
  return /^https?:$/.test(protocol) && HOST.test(hostname) && origin === text
}

/**
 * Checks the origins whose pages may embed the web client.
 *
 * @throws Error for anything but origins such as https://intranet.example
 */
export function readFrameAncestors(origins: readonly string[]): readonly string[] {
  const wrong = origins.find((origin) => !isOrigin(origin))
  if (wrong === undefined) return origins
  throw new Error(
    `${JSON.stringify(wrong)} is not an origin that can embed the page. Use one such as https://intranet.example`,
  )
}
